import type { Booking } from '../contract.ts'
import type { Cancellable } from '../rules.ts'

/** What the rules of cancelling ask of a booking. */
export function cancellable(booking: Pick<Booking, 'class' | 'movedFrom' | 'hasPassEnded'>): Cancellable {
  const { class: held, movedFrom, hasPassEnded } = booking
  return { startsAt: Temporal.Instant.from(held.startsAt), isMoved: movedFrom !== null, hasPassEnded }
}
