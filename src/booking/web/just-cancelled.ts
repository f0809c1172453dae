import { studio } from '#studio.ts'
import { createStore } from '#ui/store.ts'
import type { Booking } from '../contract.ts'

const [useJustCancelled, change] = createStore<readonly Booking[]>([])

/** Shows a cancelled booking with Undo for ten seconds. */
export function offerUndo(cancelled: Booking): void {
  change((shown) => [...shown.filter(({ id }) => id !== cancelled.id), cancelled])
  setTimeout(
    () => change((shown) => shown.filter((one) => one !== cancelled)),
    studio.policies.cancellationUndo.offeredSeconds * 1000,
  )
}

export const withdrawUndo = (id: number) => change((shown) => shown.filter((one) => one.id !== id))

/** A member's upcoming bookings together with those cancelled a moment ago, next first. */
export function useWithJustCancelled(upcoming: readonly Booking[]): Booking[] {
  const cancelled = useJustCancelled()
  const rest = upcoming.filter(({ id }) => !cancelled.some((one) => one.id === id))
  return [...rest, ...cancelled].sort((a, b) => a.class.startsAt.localeCompare(b.class.startsAt) || a.id - b.id)
}
