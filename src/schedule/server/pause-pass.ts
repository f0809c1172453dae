import { endPlacesPaidBy, lockPlacesPaidBy, offerFreedPlaces, placesPaidBy } from '#booking/server/booking.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { type PauseForm, passRefusals } from '#passes/contract.ts'
import type { DateRange } from '#passes/rules.ts'
import { findPasses, passForUpdate, pause, withPause } from '#passes/server/passes.ts'
import type { Reader, Tx } from '#platform/database/database.ts'

/** What pausing a pass would do: its expiry, and the bookings and held places that would be cancelled. */
export async function previewPause(reader: Reader, id: number, days: DateRange, now: Temporal.Instant) {
  const [pass] = await findPasses(reader, [id])
  const { expiresAt } = withPause(pass ?? refuse(passRefusals.pass_not_found), days, now)
  const upcoming = await placesPaidBy(reader, id, now, days)
  const bookings = upcoming.flatMap(({ place, class: studioClass, user }) => {
    if (!user) return []
    const { email, ...named } = user
    return [{ id: place.id, class: studioClass, user: { ...named, isByPhone: email === null } }]
  })
  const heldPlaces = upcoming.flatMap(({ place, class: studioClass, user, invited }) =>
    user || !invited ? [] : [{ id: place.id, class: studioClass, companion: invited }],
  )
  return { expiresAt, bookings, heldPlaces }
}

/**
 * Pauses a pass on whole days. Upcoming bookings that it paid for on them are cancelled, each member is emailed, and
 * the credits come back, also in the last 120 minutes.
 */
export async function pausePass(
  tx: Tx,
  admin: { id: string },
  id: number,
  { bookingIds, ...wanted }: PauseForm & { bookingIds?: number[] | null | undefined },
  now: Temporal.Instant,
) {
  const [found] = await findPasses(tx, [id])
  await lockPlacesPaidBy(tx, found ?? refuse(passRefusals.pass_not_found), now, wanted)
  const pass = await passForUpdate(tx, id)
  withPause(pass, wanted, now)
  const upcoming = (await placesPaidBy(tx, id, now, wanted)).filter(({ user }) => user)
  const shown = new Set(bookingIds)
  if (bookingIds && (shown.size !== upcoming.length || upcoming.some(({ place }) => !shown.has(place.id))))
    refuse(commonRefusals.edit_conflict)
  const cause = { causedBy: { by: 'admin' as const, id: admin.id }, reason: 'The pass was paused', now }
  const { places, held, classIds } = await endPlacesPaidBy(tx, id, { ...cause, during: wanted })
  const paused = await pause(tx, admin, pass, { ...wanted, bookingsCancelled: places, heldPlaces: held }, now)
  await offerFreedPlaces(tx, classIds, now)
  return paused
}
