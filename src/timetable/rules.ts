import { instantAt } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import type { RepeatFrequency } from './contract.ts'

/** A repeating class makes at most this many classes. Source: docs/studio-rules.md#repeating-classes */
export const MOST_OCCURRENCES = 366

/**
 * The dates of a repeating class, the first included, up to and including `until`: every week, every two
 * weeks, or monthly on the same day of the month, clamped to the month's last day (31 January → 28 February → 31 March).
 *
 * @param first `YYYY-MM-DD`
 * @param until `YYYY-MM-DD`; before `first` there is still the first
 * @returns dates in order; one more than {@link MOST_OCCURRENCES} when there would be more, so that it can be refused
 */
export function occurrences(first: string, frequency: RepeatFrequency, until: string): string[] {
  const start = Temporal.PlainDate.from(first)
  const dates = [first]
  while (dates.length <= MOST_OCCURRENCES) {
    // Always counted from the first date: a clamped month must not clamp the ones after it.
    const count = dates.length
    const next = frequency === 'monthly' ? { months: count } : { weeks: count * (frequency === 'weekly' ? 1 : 2) }
    const date = start.add(next).toString()
    if (date > until) break
    dates.push(date)
  }
  return dates
}

/**
 * The instants between which a class runs. The end is not checked against the start: one that is not after it
 * counts as ending 45 minutes after the start. Source: docs/studio-rules.md#classes
 */
export function spanOf(wall: { date: string; startTime: string; endTime: string }): {
  startsAt: Temporal.Instant
  endsAt: Temporal.Instant
} {
  const startsAt = instantAt(wall.date, wall.startTime)
  const written = instantAt(wall.date, wall.endTime)
  const isAfter = Temporal.Instant.compare(written, startsAt) > 0
  return { startsAt, endsAt: isAfter ? written : startsAt.add({ minutes: studio.session.minutes }) }
}

/** What a class with this many places is called. */
export function classType(maxParticipants: number): 'One-on-one' | 'Duo' {
  return maxParticipants === 1 ? 'One-on-one' : 'Duo'
}

/** A class has started when its start is not later than now. */
export function hasStarted(startsAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(startsAt, now) <= 0
}

/** The closure of a day, if there is one: both its days included, `YYYY-MM-DD`. */
export function closureOn<C extends { from: string; to: string }>(day: string, closures: readonly C[]): C | undefined {
  return closures.find(({ from, to }) => from <= day && day <= to)
}

/** Whether a class has no place that anyone can book: a held one is kept for its waiting list. */
export function isFull(of: { bookedCount: number; heldPlaces: number; maxParticipants: number }): boolean {
  return of.bookedCount + of.heldPlaces >= of.maxParticipants
}
