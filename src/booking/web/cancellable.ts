import type { Booking } from '../contract.ts'
import type { Cancellable } from '../rules.ts'

/** What the rules of cancelling ask of a booking. */
export function cancellable({ class: { startsAt }, movedFrom }: Pick<Booking, 'class' | 'movedFrom'>): Cancellable {
  return { startsAt: Temporal.Instant.from(startsAt), isMoved: movedFrom !== null }
}
