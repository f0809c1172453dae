import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import { button, type Fact, facts, paragraph, type Site, small, type WrittenMail } from './layout.ts'
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
        paragraph(
          'A passkey signs in without the password. If you do not recognise one, remove it on your dashboard, under Devices and password.',
        ),
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

type Alarm = Mails['security-alarm']

/** `account`: whose it is, as it stands in the middle of a sentence. */
const ABOUT: Record<Alarm['kind'], { heading: string; text: (account: string) => string }> = {
  new_sign_in: {
    heading: 'New sign-in',
    text: (account) =>
      `Somebody has signed in to ${account} from a browser or a network that it was not used from before.`,
  },
  many_failures: {
    heading: 'Wrong passwords',
    text: (account) => `Somebody has tried several wrong passwords for ${account}. They did not get in.`,
  },
  made_admin: {
    heading: 'Admin rights given',
    text: (account) => `From now on ${account} can do everything an admin of ${studio.name} can.`,
  },
  no_longer_admin: {
    heading: 'Admin rights taken away',
    text: (account) => `From now on ${account} is one of a member, without the admin pages.`,
  },
  factor_added: {
    heading: 'A second step was added',
    text: (account) => `Another way to prove who is signing in was added to ${account}.`,
  },
  factor_removed: {
    heading: 'A second step was removed',
    text: (account) => `A way to prove who is signing in was removed from ${account}.`,
  },
  recovery_code_used: {
    heading: 'A recovery code was used',
    text: (account) => `Somebody has signed in to ${account} with one of its recovery codes. Each of them works once.`,
  },
  recovery_codes_renewed: {
    heading: 'New recovery codes were made',
    text: (account) => `New recovery codes were made for ${account}. Those before them no longer work.`,
  },
}

/** To whom an account belongs, and to the owner about an account of the studio. */
export function securityAlarm(
  { to, kind, about, at, network, browser, system, isFormerAddress }: Alarm,
  site: Site,
): WrittenMail {
  const { heading, text } = ABOUT[kind]
  const device = [browser, system].filter((word) => word !== null).join(', ')
  return {
    subject: about ? `${heading}: ${about.name}` : `${heading}: your account`,
    preview: `At ${momentOf(at)}.`,
    heading,
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(text(about ? `the account of ${about.name}` : 'your account')),
      facts(
        ['When', momentOf(at)],
        device === '' ? null : ['With', device],
        network === null ? null : ['From the network', network],
      ),
      paragraph(
        isFormerAddress
          ? RESTORE_ADDRESS
          : about
            ? 'If you know about this, there is nothing you need to do. Otherwise ask them at once, and take their admin rights away until you know.'
            : 'If this was you, or you know about it, there is nothing you need to do. Otherwise choose a new password at once: Forgot password on the login page mails you a link, and every session ends with it.',
      ),
      about
        ? button('Open the security record', site('/admin?view=security'))
        : !isFormerAddress && button('Go to the login page', site('/auth')),
      small('This email tells you of it and asks for nothing. We never ask for a password or a code by email.'),
    ],
  }
}
