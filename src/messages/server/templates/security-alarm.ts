import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import { button, facts, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { momentOf, RESTORE_ADDRESS } from './words.ts'

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
