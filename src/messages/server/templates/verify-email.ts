import { studio } from '../../../studio.ts'
import type { Mails } from '../../mail.ts'
import { button, paragraph, type Site, small, type WrittenMail } from './layout.ts'

export function verifyEmail({ to, token }: Mails['verify-email'], site: Site): WrittenMail {
  return {
    subject: `Please confirm your email address for ${studio.name}`,
    preview: 'One click, and you can log in.',
    heading: 'Please confirm your email address',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph('Please confirm that this address is yours. After that you can log in.'),
      button('Confirm email address', site(`/api/verify-email?token=${encodeURIComponent(token)}`)),
      small('The link works for a limited time. If you did not sign up with us, you can ignore this mail.'),
    ],
  }
}
