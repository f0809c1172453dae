import { formatDate } from '#foundation/dates.ts'
import { instantAt } from '#foundation/instants.ts'
import { studio } from '#studio.ts'

/** When a class runs. An end not after the start counts as 45 minutes later. Source: docs/studio-rules.md#classes */
export function spanOf(wall: { date: string; startTime: string; endTime: string }): {
  startsAt: Temporal.Instant
  endsAt: Temporal.Instant
} {
  const startsAt = instantAt(wall.date, wall.startTime)
  const written = instantAt(wall.date, wall.endTime)
  const isAfter = Temporal.Instant.compare(written, startsAt) > 0
  return { startsAt, endsAt: isAfter ? written : startsAt.add({ minutes: studio.session.minutes }) }
}

export function classType(maxParticipants: number): 'One-on-one' | 'Duo' {
  return maxParticipants === 1 ? 'One-on-one' : 'Duo'
}

/** A class among others of the same title, as for screen readers: `Reformer on 10/12/2026 at 18:00`. */
export const nameOfClass = ({ title, date, startTime }: { title: string; date: string; startTime: string }) =>
  `${title} on ${formatDate(date)} at ${startTime}`

/** True from the very start on. */
export function hasStarted(startsAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(startsAt, now) <= 0
}

type Closed = { from: string; to: string; fromTime: string | null; toTime: string | null }

/** The closure that includes a day, if any; one of the whole day before one of some hours. */
export function closureOn<C extends Closed>(day: string, closures: readonly C[]): C | undefined {
  const ofDay = closures.filter(({ from, to }) => from <= day && day <= to)
  return ofDay.find(({ fromTime }) => fromTime === null) ?? ofDay[0]
}

/**
 * The closure that covers a class, if any. Hours cover the classes that start in them: at `fromTime` yes, at `toTime`
 * no. Source: docs/studio-rules.md#closed-days
 */
export function closureOf<C extends Closed>(
  { date, startTime }: { date: string; startTime: string },
  closures: readonly C[],
): C | undefined {
  return closures.find(
    ({ from, to, fromTime, toTime }) =>
      from <= date &&
      date <= to &&
      (fromTime === null || toTime === null || (fromTime <= startTime && startTime < toTime)),
  )
}

/** Whether anyone can book a place; held ones are kept for the waiting list. */
export function isFull(of: { bookedCount: number; reservedPlaces: number; maxParticipants: number }): boolean {
  return of.bookedCount + of.reservedPlaces >= of.maxParticipants
}
