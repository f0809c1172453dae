import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import { button, paragraph, type Site, small, type WrittenMail } from './layout.ts'

export function invitation({ to, linkId }: Mails['invitation'], site: Site, tokenOf: TokenOf): WrittenMail {
  return {
    subject: `Your account at ${studio.name}`,
    preview: 'Choose a password, and see your bookings and passes.',
    heading: `Welcome, ${to.firstName}`,
    body: [
      paragraph(
        'We have opened an account for you, for your bookings and class passes. Choose a password, and it is yours:',
      ),
      button('Choose a password', site(`/auth#invitation=${tokenOf(linkId)}`)),
      paragraph('Before your first class we ask you to fill in a short health questionnaire there.'),
      small(
        `The link works once, within ${studio.policies.invitationDays} days; after that you can ask for another one with Forgot password. If you do not know us, you can ignore this email.`,
      ),
    ],
  }
}
