import { z } from 'zod'
import { InstantText } from '#foundation/fields.ts'

/**
 * Everything that the security record tells, in words. Most of it stands in `security_events`; what admins change is in
 * `audit_log` and who read health information in `health_reads`, and the owner's page reads the three as one.
 */
export const SECURITY_KINDS = {
  signed_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  throttled: 'Sign-in made to wait',
  many_failures: 'Many sign-ins failed within an hour',
  signed_out: 'Signed out',
  session_ended: 'One session ended',
  sessions_ended: 'Sessions ended',
  password_changed: 'Password changed',
  password_reset: 'Password set by a mailed link',
  password_removed: 'Password removed',
  second_factor_added: 'Second step added',
  second_factor_removed: 'Second step removed',
  second_factor_failed: 'Second step failed',
  recovery_code_used: 'Recovery code used',
  recovery_codes_renewed: 'New recovery codes made',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  stepped_up: 'Asked again who they are',
  role_given: 'Made an admin',
  role_taken: 'Admin rights taken away',
  email_changed: 'Email address changed',
  email_change_undone: 'Change of email address undone',
  access_refused: 'Access refused',
  health_read: 'Health information read',
  health_withdrawn: 'Health consent withdrawn',
  exported: 'Data downloaded',
  erased: 'Account erased',
  settings_changed: 'Studio settings changed',
  refunded: 'Refunded',
} as const
export type SecurityKind = keyof typeof SECURITY_KINDS

/** What happened in the end: it was done, it was refused as it was asked, or it was tried and went wrong. */
export const SECURITY_OUTCOMES = { done: 'Done', refused: 'Refused', failed: 'Failed' } as const
export type SecurityOutcome = keyof typeof SECURITY_OUTCOMES

/** A browser or a system by its plain name (`Firefox`, `macOS`): short, no address, and out of a list of whoever names it. */
const productName = z.string().regex(/^[\w .()+/!-]{1,40}$/)

/** What may be said beyond who, when and from where. Words out of closed lists, and counts: no text that somebody typed. */
export const SecurityDetails = z
  .strictObject({
    /** How they showed who they are. */
    method: z.enum([
      'password',
      'passkey',
      'totp',
      'second_factor',
      'recovery_code',
      'mailed_link',
      'sign_up',
      'command',
    ]),
    /** Why it went wrong or was refused. */
    why: z.enum([
      'unknown_account',
      'wrong_password',
      'no_password',
      'unverified_address',
      'wrong_code',
      'out_of_date',
      'waiting',
      'not_an_admin',
      'not_asked_again',
    ]),
    /** What had to wait: an account at one address, an account everywhere, or an address. */
    scope: z.enum(['pair', 'account', 'address']),
    waitSeconds: z.int().nonnegative(),
    browser: productName,
    system: productName,
    /** Not seen at this account before. */
    isNew: z.boolean(),
    factor: z.enum(['passkey', 'totp', 'recovery_codes']),
    /** How many sessions ended. */
    sessions: z.int().nonnegative(),
    /** What it followed from. */
    cause: z.enum(['own_wish', 'studio', 'command', 'password', 'email', 'role', 'factor', 'undone', 'retention']),
  })
  .partial()
export type SecurityDetails = z.output<typeof SecurityDetails>
type Detail = keyof SecurityDetails

const ways = ['method', 'browser', 'system'] as const satisfies readonly Detail[]

/** What is recorded by its own line, and which details a line of the kind may have; the other kinds are read elsewhere. */
export const RECORDED = {
  signed_in: [...ways, 'isNew'],
  sign_in_failed: [...ways, 'why'],
  throttled: ['scope', 'waitSeconds'],
  many_failures: [],
  signed_out: ['cause'],
  session_ended: ['browser', 'system', 'cause'],
  sessions_ended: ['sessions', 'cause'],
  password_changed: ['cause'],
  password_reset: ['cause'],
  password_removed: ['cause'],
  second_factor_added: ['factor', 'cause'],
  second_factor_removed: ['factor', 'cause'],
  second_factor_failed: ['factor', 'why'],
  recovery_code_used: ['cause'],
  recovery_codes_renewed: ['cause'],
  passkey_added: ['cause'],
  passkey_removed: ['cause'],
  stepped_up: ['method', 'why'],
  role_given: ['cause'],
  role_taken: ['cause'],
  email_changed: ['cause'],
  email_change_undone: ['cause'],
  access_refused: ['why'],
  health_withdrawn: ['cause'],
  exported: ['cause'],
  erased: ['cause'],
} as const satisfies { readonly [kind in SecurityKind]?: readonly Detail[] }
export type RecordedKind = keyof typeof RECORDED
/** Null is as good as absent. */
export type DetailsOf<K extends RecordedKind> = {
  [D in (typeof RECORDED)[K][number]]?: SecurityDetails[D] | null
}

/** A line as somebody may read it who is not the owner: the member it is about. */
export const OwnSecurityEvent = z
  .object({
    what: z.string(),
    outcome: z.enum(['done', 'refused', 'failed']),
    at: InstantText,
    /** The network it came from, shortened. */
    from: z.string().nullable(),
    details: SecurityDetails,
  })
  .meta({ id: 'OwnSecurityEvent' })
export type OwnSecurityEvent = z.output<typeof OwnSecurityEvent>
