import { endOfDay, studioDate } from '#foundation/instants.ts'
import { studio } from '#studio.ts'

/** The end of the day `months` after `from`, clamped to the month: 30 November plus three months is 28 February. */
export function expiryOf(from: Temporal.Instant, months: number): Temporal.Instant {
  return endOfDay(studioDate(from).add({ months }))
}

/** Whether a pass can pay for a class that starts at `startsAt`. */
export function isValidFor(pass: { expiresAt: Temporal.Instant }, startsAt: Temporal.Instant): boolean {
  return Temporal.Instant.compare(startsAt, pass.expiresAt) <= 0
}

/**
 * Which warning is due for a pass with credits at `now`: the days before its last day (London) that have been reached, the
 * fewest of them; null outside them. So a member who is late for the first warning gets only the second.
 * Source: docs/studio-rules.md#passes-and-credits
 */
export function expiryWarningAt(now: Temporal.Instant, expiresAt: Temporal.Instant): number | null {
  const left = studioDate(now).until(studioDate(expiresAt), { largestUnit: 'days' }).days
  if (Temporal.Instant.compare(expiresAt, now) <= 0) return null
  return studio.policies.expiryWarningDays.findLast((days) => left <= days) ?? null
}
