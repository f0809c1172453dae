import type { StudioClass } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import type { Booking } from '../contract.ts'

export type RowState = 'started' | 'booked' | 'full' | 'available'

/**
 * A class as a member sees it at `now` (specification, section 2). A class that starts this very minute has started.
 */
export function rowState(listed: StudioClass, bookings: readonly Booking[], now: Temporal.Instant): RowState {
  if (hasStarted(Temporal.Instant.from(listed.startsAt), now)) return 'started'
  if (bookings.some((booking) => booking.classId === listed.id && booking.status === 'confirmed')) return 'booked'
  return listed.availableSpots > 0 ? 'available' : 'full'
}
