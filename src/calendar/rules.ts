/** Our choice: long enough to look up last month's classes, short enough to stay small. */
const DAYS_BACK = 90

/** Classes that started before this are left out of feeds. */
export const feedStart = (now: Temporal.Instant): Temporal.Instant => now.subtract({ hours: DAYS_BACK * 24 })
