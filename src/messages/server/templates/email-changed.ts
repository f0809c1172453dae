import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import { button, type Fact, facts, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { passkeyNames } from './words.ts'

const { emailUndoDays } = studio.policies

/** To the address that was theirs. */
export function emailChanged(
  { to, newEmail, linkId }: Mails['email-changed'],
  site: Site,
  tokenOf: TokenOf,
): WrittenMail {
  return {
    subject: 'The email address of your account has changed',
    preview: 'If you did not ask for it, you can restore the old one.',
    heading: 'Your email address has changed',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(
        `The studio has changed the email address of your account at ${studio.name}. From now on you log in with the new one.`,
      ),
      facts(['Before', to.email], ['Now', newEmail]),
      paragraph(
        'If you know about it, there is nothing you need to do. If not, restore the old address: every device is signed out, the password and any passkey added since stop working, and we email you a link to set a new password.',
      ),
      button('Restore my address', site(`/auth#undo=${tokenOf(linkId)}`)),
      small(`The link works once, within ${emailUndoDays} days; until then nobody else can sign up with this address.`),
    ],
  }
}

/** To the address that is theirs now. */
export function emailChangedTo({ to }: Mails['email-changed-to'], site: Site): WrittenMail {
  return {
    subject: `This is now the email address of your account at ${studio.name}`,
    preview: 'From now on you log in with it.',
    heading: 'Your new email address',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(
        `The studio has changed the email address of your account to this one. From now on you log in with it, and our emails come here. Your password stays as it is.`,
      ),
      button('Go to the login page', site('/auth')),
      small('If you do not know about this, please tell us.'),
    ],
  }
}

/** To both, after the change was undone. */
export function emailChangeUndone(
  { to, isBack, linkId, removed }: Mails['email-change-undone'],
  site: Site,
  tokenOf: TokenOf,
): WrittenMail {
  return {
    subject: isBack
      ? 'Your email address is back'
      : `This is no longer the email address of an account at ${studio.name}`,
    preview: 'The change was undone.',
    heading: isBack ? 'Your email address is back' : 'The change was undone',
    body: [
      paragraph(`Hello ${to.firstName},`),
      ...(isBack
        ? [
            paragraph(
              'Your account has its old email address again, and every device is signed out. Your old password no longer works. Please set a new one.',
            ),
            button('Set a new password', site(linkId ? `/auth#reset=${tokenOf(linkId)}` : '/auth?forgot')),
            linkId &&
              small(
                'The link works once, within two hours. After that, Forgot password on the login page sends another.',
              ),
            removed && facts(...removedSince(removed)),
          ]
        : [paragraph('The account has its old email address again. Our emails no longer come here.')]),
      small('If you do not know about this, please tell us.'),
    ],
  }
}

/** Ways in that were added while the account had the other address. */
function removedSince({
  passkeys,
  hadApp,
  recoveryCodes,
}: NonNullable<Mails['email-change-undone']['removed']>): (Fact | null)[] {
  return [
    passkeys.length > 0 ? ['Passkeys removed', passkeyNames(passkeys)] : null,
    hadApp ? ['Removed', 'Authenticator app'] : null,
    recoveryCodes > 0 ? ['Removed', `${recoveryCodes} recovery ${recoveryCodes === 1 ? 'code' : 'codes'}`] : null,
  ]
}
