import type { Clock } from '../foundation/clock.ts'
import { studio } from '../studio.ts'

/** A clock that stands still until it is set. */
export type FrozenClock = Clock & {
  set(now: Temporal.Instant): void
  advance(by: Temporal.DurationLike): void
}

/** A clock standing at an instant. */
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
export function london(wall: string): Temporal.Instant {
  return Temporal.PlainDateTime.from(wall.replace(' ', 'T')).toZonedDateTime(studio.timeZone).toInstant()
}
