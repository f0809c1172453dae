import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import { button, paragraph, type Site, small, type WrittenMail } from './layout.ts'

export function verifyEmail({ to, linkId }: Mails['verify-email'], site: Site, tokenOf: TokenOf): WrittenMail {
  return {
    subject: `Please confirm your email address for ${studio.name}`,
    preview: 'One click, and you can log in.',
    heading: 'Please confirm your email address',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph('Please confirm that this address is yours. After that you can log in.'),
      button('Confirm email address', site(`/auth#verify=${tokenOf(linkId)}`)),
      small('The link works for two days. If you did not sign up with us, you can ignore this email.'),
    ],
  }
}
