/** Passwords follow the specification exactly: six characters. A meter advises, nothing more refuses. */
export const PASSWORD_MINIMUM = 6

/** After so many minutes without having proved themselves again somebody is asked to. Source: docs/studio-rules.md#a-second-step */
export const ASKED_AGAIN_AFTER_MINUTES = 30
/** The same before the ways in themselves are changed; ours. */
export const FACTOR_STEP_UP_AFTER_MINUTES = 5

/** What a one-time link is good for. */
export type LinkPurpose = 'verify_email' | 'set_password' | 'invitation'

/**
 * Whether somebody may be invited to set a password: members who have none. An admin without one has the link of
 * `npm run admin`.
 */
export const mayBeInvited = (user: { isAdmin: boolean; canLogIn: boolean }) => !user.isAdmin && !user.canLogIn

/** Where a tap on a phone number leads: without the blanks, and the (0) that is only dialled inside the country. */
export function phoneHref(phone: string): string {
  const written = phone.trim()
  const isAbroad = written.startsWith('+')
  const dialled = (isAbroad ? written.replace(/\(0\)/, '') : written).replace(/\D/g, '')
  return `tel:${isAbroad ? '+' : ''}${dialled}`
}
