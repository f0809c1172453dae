/** A link to confirm works this many days; an address that was not confirmed by then is forgotten. Ours. */
export const CONFIRM_WITHIN_DAYS = 7

/** Requests to confirm that were made at this instant or before are out of date. */
export function lastForgotten(now: Temporal.Instant): Temporal.Instant {
  return now.subtract({ hours: CONFIRM_WITHIN_DAYS * 24 })
}
