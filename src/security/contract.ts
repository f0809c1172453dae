import { z } from 'zod'
import { InstantText } from '#foundation/fields.ts'

/** Every kind of event in the security record, which combines `security_events`, `audit_log` and `health_reads`. */
export const SECURITY_KINDS = {
  signed_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  throttled: 'Sign-in delayed',
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
  recovery_codes_renewed: 'New recovery codes created',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  stepped_up: 'Identity confirmed again',
  role_given: 'Made an admin',
  role_taken: 'Admin rights removed',
  teacher_given: 'Made a teacher',
  teacher_taken: 'No longer a teacher',
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

export const SECURITY_OUTCOMES = { done: 'Done', refused: 'Refused', failed: 'Failed' } as const
export type SecurityOutcome = keyof typeof SECURITY_OUTCOMES

/** For example `Firefox` or `macOS`. */
const productName = z.string().regex(/^[\w .()+/!-]{1,40}$/)

/** Only closed lists and counts: never text that someone typed. */
export const SecurityDetails = z
  .strictObject({
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
    /** What was delayed: an account at one address, an account everywhere, or an address. */
    scope: z.enum(['pair', 'account', 'address']),
    waitSeconds: z.int().nonnegative(),
    browser: productName,
    system: productName,
    /** New for this account. */
    isNew: z.boolean(),
    factor: z.enum(['passkey', 'totp', 'recovery_codes']),
    sessions: z.int().nonnegative(),
    cause: z.enum(['own_wish', 'studio', 'command', 'password', 'email', 'role', 'factor', 'undone', 'retention']),
  })
  .partial()
export type SecurityDetails = z.output<typeof SecurityDetails>
type Detail = keyof SecurityDetails

const SIGN_IN_DETAILS = ['method', 'browser', 'system'] as const satisfies readonly Detail[]

/** The kinds in `security_events`, with their details; other kinds are in other tables. */
export const RECORDED = {
  signed_in: [...SIGN_IN_DETAILS, 'isNew'],
  sign_in_failed: [...SIGN_IN_DETAILS, 'why'],
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
  teacher_given: ['cause'],
  teacher_taken: ['cause'],
  email_changed: ['cause'],
  email_change_undone: ['cause'],
  access_refused: ['why'],
  health_withdrawn: ['cause'],
  exported: ['cause'],
  erased: ['cause'],
} as const satisfies { readonly [kind in SecurityKind]?: readonly Detail[] }
export type RecordedKind = keyof typeof RECORDED
export type DetailsOf<K extends RecordedKind> = {
  [D in (typeof RECORDED)[K][number]]?: SecurityDetails[D] | null
}

/** An event as the member it concerns may read it. */
export const OwnSecurityEvent = z
  .object({
    what: z.string(),
    outcome: z.enum(['done', 'refused', 'failed']),
    at: InstantText,
    /** The shortened network address. */
    from: z.string().nullable(),
    details: SecurityDetails,
  })
  .meta({ id: 'OwnSecurityEvent' })
export type OwnSecurityEvent = z.output<typeof OwnSecurityEvent>
