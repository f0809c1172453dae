/** `second_factor` is a password with a second step. */
export const SESSION_METHODS = ['sign_up', 'password', 'mailed_link', 'passkey', 'second_factor'] as const
export type SessionMethod = (typeof SESSION_METHODS)[number]

/** Admin sessions are shorter in live mode. Source: docs/studio-rules.md#sessions */
const ADMIN = { idleHours: 12, hours: 7 * 24 }

export type SessionTimes = { createdAt: Temporal.Instant; lastUsedAt: Temporal.Instant; expiresAt: Temporal.Instant }

/** When a session ends unless it is used again. */
export function sessionEndsAt(
  { createdAt, lastUsedAt, expiresAt }: SessionTimes,
  { isAdmin, mode }: { isAdmin: boolean; mode: 'demo' | 'live' },
): Temporal.Instant {
  if (!isAdmin || mode === 'demo') return expiresAt
  const ends = [expiresAt, createdAt.add({ hours: ADMIN.hours }), lastUsedAt.add({ hours: ADMIN.idleHours })]
  return ends.reduce((first, end) => (Temporal.Instant.compare(end, first) < 0 ? end : first))
}

/** Saves a write for most requests. */
const RECORD_USE_AFTER_MINUTES = 5

/** Whether to record the use of a session now. */
export const isUseRecordDue = (lastUsedAt: Temporal.Instant, now: Temporal.Instant) =>
  Temporal.Instant.compare(lastUsedAt.add({ minutes: RECORD_USE_AFTER_MINUTES }), now) <= 0
