import { eq } from 'drizzle-orm'
import { cancelBookingsPaidBy, lockBookingsPaidBy, offerFreedPlaces } from '#booking/server/booking.ts'
import { type CausedBy, passOfPurchaseForUpdate, takeBackPass } from '#passes/server/passes.ts'
import { type PassRow, passes } from '#passes/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'

/** Locks all that the end of a purchase's pass touches, classes before passes; undefined once the member is erased. */
export async function lockPassToEnd(tx: Tx, purchaseId: number, now: Temporal.Instant): Promise<PassRow | undefined> {
  const pass = await passOfPurchase(tx, purchaseId)
  if (pass) await lockBookingsPaidBy(tx, pass, now)
  return await passOfPurchaseForUpdate(tx, purchaseId)
}

/**
 * Ends a pass whose money is gone: its bookings to come are cancelled and told, what is left is void, and the freed
 * places are offered. Everything is locked ({@link lockPassToEnd}).
 *
 * @returns how many bookings were cancelled
 */
export async function endPass(
  tx: Tx,
  purchaseId: number,
  cause: { causedBy: CausedBy; reason: string; now: Temporal.Instant },
): Promise<number> {
  const { now } = cause
  const pass = await passOfPurchaseForUpdate(tx, purchaseId)
  if (!pass || pass.refundedAt) return 0
  const freed = await cancelBookingsPaidBy(tx, pass.id, cause)
  const left = (await passOfPurchaseForUpdate(tx, purchaseId)) ?? pass
  await takeBackPass(tx, left, cause)
  await offerFreedPlaces(tx, freed, now)
  return freed.length
}

async function passOfPurchase(reader: Reader, purchaseId: number): Promise<PassRow | undefined> {
  const [pass] = await reader.select().from(passes).where(eq(passes.purchaseId, purchaseId))
  return pass
}
