import type { ReactNode } from 'react'
import { formatLongDate } from '#foundation/dates.ts'
import { studioDate } from '#foundation/instants.ts'
import { carriesLink } from '#foundation/person-names.ts'
import { studio } from '#studio.ts'
import type { Mails, RemovedFactors } from '../../mail.ts'
import { button, type Fact, facts, small, type Templates } from './layout.ts'
import { momentOf } from './words.ts'

type Alarm = Mails['security-alarm']
const ALARMS: Record<Alarm['kind'], { heading: string; text: (account: string, studioName: string) => string }> = {
  new_sign_in: {
    heading: 'New sign-in',
    text: (account) => `Someone has signed in to ${account} from a browser or network that we have not seen before.`,
  },
  many_failures: {
    heading: 'Wrong passwords',
    text: (account) => `Someone has tried several wrong passwords for ${account}. They did not get in.`,
  },
  made_admin: {
    heading: 'Admin rights given',
    text: (account, studioName) => `We have given admin rights at ${studioName} to ${account}.`,
  },
  no_longer_admin: {
    heading: 'Admin rights removed',
    text: (account) => `We have removed the admin rights of ${account}. It can no longer use the admin pages.`,
  },
  made_teacher: {
    heading: 'Teacher rights given',
    text: (account, studioName) =>
      `We have given teacher rights at ${studioName} to ${account}. The dashboard now shows today’s list, with what a teacher needs to know about each person.`,
  },
  no_longer_teacher: {
    heading: 'Teacher rights removed',
    text: (account) => `We have removed the teacher rights of ${account}. It can no longer see the day’s list.`,
  },
  factor_added: {
    heading: 'A second step was added',
    text: (account) => `A new second step for signing in was added to ${account}.`,
  },
  factor_removed: {
    heading: 'A second step was removed',
    text: (account) => `A second step for signing in was removed from ${account}.`,
  },
  recovery_code_used: {
    heading: 'A recovery code was used',
    text: (account) => `Someone has signed in to ${account} with a recovery code. Each code works once.`,
  },
  recovery_codes_renewed: {
    heading: 'New recovery codes were created',
    text: (account) => `New recovery codes were created for ${account}. The old codes no longer work.`,
  },
}

const RESTORE_ADDRESS =
  'You receive this email because the account had this address until recently. If you did not ask for that change, restore your address first. The link is in our email “The email address of your account has changed”.'

export const securityMails = {
  'password-changed': ({ at, browser, system, passkeys: { removed, kept }, isFormerAddress }, site) => {
    return {
      subject: `Your password for ${site.facts.name} has changed`,
      preview: 'We have signed out every other browser.',
      heading: 'Your password has changed',
      body: [
        'The password of your account has changed. We have signed out every other browser. If your calendar app shows your bookings, create a new link for it on your dashboard.',
        facts(
          ['When', momentOf(at)],
          deviceFact(browser, system),
          removed.length > 0 ? ['Passkeys removed', passkeyNames(removed)] : null,
          kept.length > 0 ? ['Passkeys that still work', passkeyNames(kept)] : null,
        ),
        kept.length > 0 &&
          !isFormerAddress &&
          'You can sign in with a passkey without your password. If you do not recognise one, remove it on your dashboard, under Devices and password.',
        ...(isFormerAddress
          ? [RESTORE_ADDRESS]
          : [
              'If you changed it, you do not need to do anything. If not, set a new password now.',
              button('Set a new password', site('/auth?forgot')),
            ]),
        small('We never ask for a password by email.'),
      ],
    }
  },

  'confirm-new-email': ({ linkId }, site, tokenOf) => ({
    subject: `Please confirm your new email address for ${site.facts.name}`,
    preview: 'Your address changes when you confirm it.',
    heading: 'Please confirm your new email address',
    body: [
      'You asked us to use this address for your account. Please confirm that it is yours. Until then we email your old address.',
      button('Confirm new email address', site(`/auth#email=${tokenOf(linkId)}`)),
      small(
        `The link works once, within ${studio.policies.emailChangeHours} hours. If you did not ask for this, you can ignore this email.`,
      ),
    ],
  }),

  'email-changed': ({ to, newEmail, linkId }, site, tokenOf) => ({
    subject: 'The email address of your account has changed',
    preview: 'If you did not ask for this, you can restore your old address.',
    heading: 'Your email address has changed',
    body: [
      `We have changed the email address of your account at ${site.facts.name}. Use the new address to log in from now on.`,
      facts(['Before', to.email], ['Now', newEmail]),
      'If you asked for this, you do not need to do anything. If not, restore your old address. We will then sign out every device, stop the password and any newly added passkey from working, and email you a link to set a new password.',
      button('Restore my address', site(`/auth#undo=${tokenOf(linkId)}`)),
      small(
        `The link works once, within ${studio.policies.emailUndoDays} days. Until then, nobody else can sign up with this address.`,
      ),
    ],
  }),

  'email-changed-to': (_data, site) => ({
    subject: `This is now the email address of your account at ${site.facts.name}`,
    preview: 'Use it to log in from now on.',
    heading: 'Your new email address',
    body: [
      'We have changed the email address of your account to this one. Use it to log in from now on. We will send our emails to it. Your password has not changed.',
      button('Go to the login page', site('/auth')),
      small('If you did not ask for this, please tell us.'),
    ],
  }),

  'email-change-undone': ({ restored }, site, tokenOf) =>
    restored
      ? {
          subject: 'Your email address is back',
          preview: 'We have undone the change.',
          heading: 'Your email address is back',
          body: [
            'Your account has its old email address again, and we have signed out every device. Your old password no longer works. Please set a new one.',
            button('Set a new password', site(`/auth#reset=${tokenOf(restored.linkId)}`)),
            small(
              `The link works once, within ${studio.policies.passwordLinkHours} hours. After that, use Forgot password on the login page to get a new one.`,
            ),
            removedFactors(restored.removed),
            small('If you do not recognise this, please tell us.'),
          ],
        }
      : {
          subject: `This is no longer the email address of an account at ${site.facts.name}`,
          preview: 'We have undone the change.',
          heading: 'We have undone the change',
          body: [
            'The account has its old email address again. We will no longer send our emails to this one.',
            small('If you do not recognise this, please tell us.'),
          ],
        },

  'security-alarm': ({ kind, about, at, network, browser, system, isFormerAddress }, site) => {
    const { heading, text } = ALARMS[kind]
    const advice = about
      ? 'If you recognise this, you do not need to do anything. If not, ask them now, and remove their admin rights until you know.'
      : 'If you recognise this, you do not need to do anything. If not, choose a new password now: use Forgot password on the login page to get a link by email. This signs out every device.'
    return {
      subject: about ? `${heading}: ${about.name}` : `${heading}: your account`,
      preview: `At ${momentOf(at)}.`,
      heading,
      body: [
        text(about ? `the account of ${about.name}` : 'your account', site.facts.name),
        facts(
          ['When', momentOf(at)],
          deviceFact(browser, system),
          network === null ? null : ['From the network', network],
        ),
        isFormerAddress ? RESTORE_ADDRESS : advice,
        about
          ? button('Open the security record', site('/admin?view=security'))
          : !isFormerAddress && button('Go to the login page', site('/auth')),
        small('We never ask for a password or a code by email.'),
      ],
    }
  },
} satisfies Partial<Templates>

function deviceFact(browser: string | null, system: string | null): Fact | null {
  const device = [browser, system].filter((word) => word !== null).join(', ')
  return device === '' ? null : ['With', device]
}

/** Passkeys with the day each was added. A name that a mail program would turn into a link is left out. */
function passkeyNames(passkeys: readonly { label: string; addedAt: string }[]): string {
  const named = passkeys.map(({ label, addedAt }) => {
    const day = formatLongDate(studioDate(Temporal.Instant.from(addedAt)).toString())
    return `“${carriesLink(label) ? 'Passkey' : label}” (added on ${day})`
  })
  return named.join(', ')
}

function removedFactors({ passkeys, hadApp, recoveryCodes }: RemovedFactors): ReactNode {
  return facts(
    passkeys.length > 0 ? ['Passkeys removed', passkeyNames(passkeys)] : null,
    hadApp ? ['Removed', 'Authenticator app'] : null,
    recoveryCodes > 0 ? ['Removed', `${recoveryCodes} recovery ${recoveryCodes === 1 ? 'code' : 'codes'}`] : null,
  )
}
