/** How whoever signed in proved themselves; `second_factor` is a password and something besides. */
export const SESSION_METHODS = ['sign_up', 'password', 'mailed_link', 'passkey', 'second_factor'] as const
export type SessionMethod = (typeof SESSION_METHODS)[number]

/** How long an admin's session lasts in live mode; everybody else's runs to its own end. Source: docs/studio-rules.md#sessions */
const ADMIN = { idleHours: 12, hours: 7 * 24 }

/** What is known of a session when somebody comes with it. */
export type SessionTimes = { createdAt: Temporal.Instant; lastUsedAt: Temporal.Instant; expiresAt: Temporal.Instant }

/** From when on nobody comes in with a session, unless it is used meanwhile. */
export function sessionEndsAt(
  { createdAt, lastUsedAt, expiresAt }: SessionTimes,
  { isAdmin, mode }: { isAdmin: boolean; mode: 'demo' | 'live' },
): Temporal.Instant {
  if (!isAdmin || mode === 'demo') return expiresAt
  const ends = [expiresAt, createdAt.add({ hours: ADMIN.hours }), lastUsedAt.add({ hours: ADMIN.idleHours })]
  return ends.reduce((first, end) => (Temporal.Instant.compare(end, first) < 0 ? end : first))
}

/** Using a session is written down when what stands there is older than this: an answer then costs one statement more. */
const RECORD_USE_AFTER_MINUTES = 5

/** Whether it is time to write down that a session is used. */
export const isUseRecordDue = (lastUsedAt: Temporal.Instant, now: Temporal.Instant) =>
  Temporal.Instant.compare(lastUsedAt.add({ minutes: RECORD_USE_AFTER_MINUTES }), now) <= 0
