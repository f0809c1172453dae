import type { Booking } from '../contract.ts'
import type { WaitingEntry } from '../contract-waiting.ts'

/**
 * How somebody left a line when the answer to their asking was lost: by asking, or because the place was given to them
 * before. Undefined while they still wait.
 */
export function howLeft(
  classId: number,
  line: readonly Pick<WaitingEntry, 'classId'>[],
  bookings: readonly Pick<Booking, 'classId' | 'status'>[],
): { isBooked: boolean } | undefined {
  if (line.some((entry) => entry.classId === classId)) return undefined
  return { isBooked: bookings.some((booking) => booking.classId === classId && booking.status === 'confirmed') }
}
