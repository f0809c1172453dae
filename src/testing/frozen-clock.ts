import { WEEKDAYS } from '#foundation/dates.ts'
import type { Clock } from '#foundation/instants.ts'
import { studio } from '#studio.ts'

export type FrozenClock = Clock & {
  set(now: Temporal.Instant): void
  advance(by: Temporal.DurationLike): void
}

/** A clock that only moves when it is set. */
export function frozenClock(at: Temporal.Instant): FrozenClock {
  let current = at
  return {
    now: () => current,
    set(now) {
      current = now
    },
    advance(by) {
      current = current.add(by)
    },
  }
}

/** The instant of a London wall time: `london('2026-12-07 17:00')`. */
export function london(time: string): Temporal.Instant {
  return Temporal.PlainDateTime.from(time.replace(' ', 'T')).toZonedDateTime(studio.timeZone).toInstant()
}

/** The Monday of the stories' week. */
const MONDAY = '2026-12-07'
const WEEK: readonly string[] = WEEKDAYS

/** `Tuesday 18:00` in that week, or any `YYYY-MM-DD HH:mm`, as London date and time. */
export function wall(when: string): { date: string; time: string } {
  const [day = '', time = '00:00'] = when.split(' ')
  const days = WEEK.indexOf(day)
  return { date: days < 0 ? day : Temporal.PlainDate.from(MONDAY).add({ days }).toString(), time }
}
