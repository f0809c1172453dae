/** `second_factor` is a password with a second step. */
export const SESSION_METHODS = ['sign_up', 'password', 'mailed_link', 'passkey', 'second_factor'] as const
export type SessionMethod = (typeof SESSION_METHODS)[number]

/** Sessions of admins and teachers are shorter in live mode. Source: docs/studio-rules.md#sessions */
const STAFF = { idleHours: 12, hours: 7 * 24 }

export type SessionTimes = { createdAt: Temporal.Instant; lastUsedAt: Temporal.Instant; expiresAt: Temporal.Instant }

/** When a session ends unless it is used again. */
export function sessionEndsAt(
  { createdAt, lastUsedAt, expiresAt }: SessionTimes,
  { isStaff, mode }: { isStaff: boolean; mode: 'demo' | 'live' },
): Temporal.Instant {
  if (!isStaff || mode === 'demo') return expiresAt
  const ends = [expiresAt, createdAt.add({ hours: STAFF.hours }), lastUsedAt.add({ hours: STAFF.idleHours })]
  return ends.reduce((first, end) => (Temporal.Instant.compare(end, first) < 0 ? end : first))
}

/** Saves a write for most requests. */
const RECORD_USE_AFTER_MINUTES = 5

/** Whether to record the use of a session now. */
export const isUseRecordDue = (lastUsedAt: Temporal.Instant, now: Temporal.Instant) =>
  Temporal.Instant.compare(lastUsedAt.add({ minutes: RECORD_USE_AFTER_MINUTES }), now) <= 0

/**
 * A cookie that scripts can read and that only shows that there is a session, so pages know whether to fetch a member's
 * data. It grants nothing. The offline data on the device is stored under the same name.
 */
export const SIGNED_IN = 'signed-in'

/** Bound to the host over HTTPS, like the session cookie. */
export const signedInCookie = (isSecure: boolean) => (isSecure ? `__Host-${SIGNED_IN}` : SIGNED_IN)

/** Runs before the first paint: adds a class for styles to use until the session is known. */
export const MARK_SIGNED_IN = `/(^|; )(__Host-)?${SIGNED_IN}=yes/.test(document.cookie)&&document.documentElement.classList.add('${SIGNED_IN}')`

const SESSION_DAYS = 30
/** The lifetime of a session and both cookies. */
export const SESSION_SECONDS = SESSION_DAYS * 86_400
