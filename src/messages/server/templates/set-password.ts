import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import { button, paragraph, type Site, small, type WrittenMail } from './layout.ts'

export function setPassword({ to, linkId }: Mails['set-password'], site: Site, tokenOf: TokenOf): WrittenMail {
  return {
    subject: `Set your password for ${studio.name}`,
    preview: 'A link to choose a new password.',
    heading: 'Choose a new password',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph('With this link you can choose a new password for your account.'),
      button('Choose a password', site(`/auth#reset=${tokenOf(linkId)}`)),
      small(
        'The link works once, within two hours. If you did not ask for it, you can ignore this email: your password stays as it is.',
      ),
    ],
  }
}
