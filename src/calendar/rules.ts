/** A feed goes back this far (ours: long enough to look up last month's classes, short enough to stay small). */
const DAYS_BACK = 90

/** From which instant on classes stand in a feed. */
export const feedBegins = (now: Temporal.Instant): Temporal.Instant => now.subtract({ hours: DAYS_BACK * 24 })
