import { hasStarted } from '#timetable/rules.ts'

type Timed = {
  class: { date: string; startsAt: string; endsAt: string; isActive?: boolean }
  bookings: readonly unknown[]
}

/**
 * A day's list as the instructor needs it: what has ended is apart, and the next class with people in it is named.
 * `now`: the classes that are running.
 */
export function dayOrder<S extends Timed>(sessions: readonly S[], now: Temporal.Instant) {
  const isPast = (instant: string) => hasStarted(Temporal.Instant.from(instant), now)
  const open = sessions.filter((session) => !isPast(session.class.endsAt))
  const isHeld = (session: S) => session.class.isActive !== false && session.bookings.length > 0
  return {
    finished: sessions.filter((session) => isPast(session.class.endsAt)),
    open,
    now: open.filter((session) => isHeld(session) && isPast(session.class.startsAt)),
    next: open.find((session) => isHeld(session) && !isPast(session.class.startsAt)),
  }
}
