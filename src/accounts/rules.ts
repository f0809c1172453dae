/** Passwords follow the specification exactly: six characters. A meter advises, nothing more refuses. */
export const PASSWORD_MINIMUM = 6

/** What a one-time link is good for. */
export type LinkPurpose = 'verify_email' | 'set_password'
