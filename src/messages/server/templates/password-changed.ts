import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import { button, facts, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { momentOf, passkeyNames, RESTORE_ADDRESS } from './words.ts'

export function passwordChanged(
  { to, at, browser, system, passkeys, isFormerAddress }: Mails['password-changed'],
  site: Site,
): WrittenMail {
  const { removed = [], kept = [] } = passkeys ?? {}
  const device = [browser, system].filter((word) => word !== null).join(', ')
  return {
    subject: `Your password for ${studio.name} has changed`,
    preview: 'Every other browser is signed out.',
    heading: 'Your password has changed',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(
        'The password of your account has been changed. Every other browser is signed out, and a calendar that shows your bookings needs a new address from your dashboard.',
      ),
      facts(
        ['When', momentOf(at)],
        device === '' ? null : ['With', device],
        removed.length > 0 ? ['Passkeys removed', passkeyNames(removed)] : null,
        kept.length > 0 ? ['Passkeys that still work', passkeyNames(kept)] : null,
      ),
      kept.length > 0 &&
        !isFormerAddress &&
        paragraph('A passkey signs in without the password. If you do not recognise one, remove it in Your sign-in.'),
      ...(isFormerAddress
        ? [paragraph(RESTORE_ADDRESS)]
        : [
            paragraph('If this was you, there is nothing you need to do. If not, set a new password at once.'),
            button('Set a new password', site('/auth?forgot')),
          ]),
      small('This email tells you of it and asks for nothing. We never ask for a password by email.'),
    ],
  }
}
