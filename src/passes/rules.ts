import { endOfDay, studioDate } from '#foundation/instants.ts'

/** The end of the day `months` after `from`, clamped to the month: 30 November plus three months is 28 February. */
export function expiryOf(from: Temporal.Instant, months: number): Temporal.Instant {
  return endOfDay(studioDate(from).add({ months }))
}

/** Whether a pass can pay for a class that starts at `startsAt`. */
export function isValidFor(pass: { expiresAt: Temporal.Instant }, startsAt: Temporal.Instant): boolean {
  return Temporal.Instant.compare(startsAt, pass.expiresAt) <= 0
}
