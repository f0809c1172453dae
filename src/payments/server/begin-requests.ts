import { and, asc, desc, eq, inArray, isNull, lte, ne, notInArray, or, sql } from 'drizzle-orm'
import type { BeginRequest } from '#booking/contract.ts'
import { payingPass } from '#booking/rules-places.ts'
import { bookings } from '#booking/tables.ts'
import { refuse } from '#foundation/refusal.ts'
import { passes } from '#passes/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { findClass } from '#timetable/server/timetable.ts'
import { classes } from '#timetable/tables.ts'
import { vouchers } from '#vouchers/tables.ts'
import { paymentRefusals } from '../contract.ts'
import { type BeginOffer, beginRefusals } from '../contract-begin.ts'
import { FACE_TO_FACE } from '../contract-desk.ts'
import { cancellableUntil, isCancellable } from '../rules.ts'
import { type PurchaseRow, purchases } from '../tables.ts'
import { soldPackage } from './purchases.ts'

/** Bought remotely, nothing refunded, and no request yet. */
const isEligible = (userId: string) =>
  and(
    eq(purchases.userId, userId),
    isNull(purchases.beginRequestedAt),
    isNull(purchases.voidedAt),
    eq(purchases.refundedPence, 0),
    eq(purchases.lostPence, 0),
    or(isNull(purchases.deskMethod), notInArray(purchases.deskMethod, [...FACE_TO_FACE])),
    // The recipient of a voucher starts when they redeem it.
    notInArray(
      purchases.id,
      sql`(select ${vouchers.purchaseId} from ${vouchers} where ${vouchers.buyerId} = ${userId}
      and ${vouchers.purchaseId} is not null)`,
    ),
  )

/**
 * Purchases for which a member can ask to start early, the newest first.
 *
 * @param place only the purchase whose pass would pay for this place of a class now, if that is before its last day to
 *   cancel; with a companion, the second one is paid after the member's own
 */
export async function beginOffers(
  reader: Reader,
  userId: string,
  place: { classId?: number | undefined; isSecond?: boolean | undefined },
  now: Temporal.Instant,
): Promise<BeginOffer[]> {
  const rows = await reader.select().from(purchases).where(isEligible(userId)).orderBy(desc(purchases.id))
  const offers = rows
    .filter(({ purchasedAt }) => isCancellable(purchasedAt, now))
    .map((purchase) => ({
      purchaseId: purchase.id,
      package: soldPackage(purchase),
      until: cancellableUntil(purchase.purchasedAt),
    }))
  if (place.classId === undefined || offers.length === 0) return offers
  const found = await findClass(reader, place.classId)
  if (!found) return []
  const { startsAt, date } = found.class
  const own = await reader
    .select()
    .from(passes)
    .where(eq(passes.userId, userId))
    .orderBy(asc(passes.expiresAt), asc(passes.id))
  const first = payingPass(own, startsAt)
  if ('refusal' in first) return []
  const left = own.map((pass) => ({ ...pass, creditsRemaining: pass.creditsRemaining - (pass === first.pass ? 1 : 0) }))
  const paying = place.isSecond ? payingPass(left, startsAt) : first
  if ('refusal' in paying) return []
  return offers.filter(({ purchaseId, until }) => purchaseId === paying.pass.purchaseId && date <= until)
}

/** Records the request for every purchase that can still be cancelled. Earlier requests keep their date. */
export async function requestBegin(tx: Tx, userId: string, now: Temporal.Instant): Promise<void> {
  const found = await tx
    .select()
    .from(purchases)
    .where(isEligible(userId))
    .orderBy(asc(purchases.id))
    .for('no key update')
  await recordRequest(tx, found, now)
}

/** Records the request sent with bookings, for the purchases it names that pay for them or for their companions. */
export async function requestBeginForPlaces(
  tx: Tx,
  {
    userId,
    request,
    bookingIds,
  }: { userId: string; request: BeginRequest | null | undefined; bookingIds: readonly number[] },
  now: Temporal.Instant,
): Promise<void> {
  if (!request) return
  const paying = tx
    .select({ purchaseId: passes.purchaseId })
    .from(bookings)
    .innerJoin(passes, eq(passes.id, bookings.passId))
    .where(or(inArray(bookings.id, bookingIds), inArray(bookings.broughtBy, bookingIds)))
  const named = [request.purchaseId, request.otherPurchaseId ?? request.purchaseId]
  const found = await tx
    .select()
    .from(purchases)
    .where(and(isEligible(userId), inArray(purchases.id, named), inArray(purchases.id, paying)))
    .orderBy(asc(purchases.id))
    .for('no key update')
  await recordRequest(tx, found, now)
}

async function recordRequest(tx: Tx, found: readonly PurchaseRow[], now: Temporal.Instant): Promise<void> {
  const ids = found.filter(({ purchasedAt }) => isCancellable(purchasedAt, now)).map(({ id }) => id)
  if (ids.length > 0) await tx.update(purchases).set({ beginRequestedAt: now }).where(inArray(purchases.id, ids))
}

/** Withdraws the request for one purchase; without one nothing changes. */
export async function withdrawBeginRequest(
  tx: Tx,
  { id, userId }: { id: number; userId: string },
  now: Temporal.Instant,
): Promise<void> {
  const [purchase] = await tx
    .select()
    .from(purchases)
    .where(and(eq(purchases.id, id), eq(purchases.userId, userId)))
    .for('no key update')
  if (!purchase) refuse(paymentRefusals.purchase_not_found)
  if (!purchase.beginRequestedAt) return
  if ((await purchasesWithClassTaken(tx, [id], now)).has(id)) refuse(beginRefusals.class_already_taken)
  await tx.update(purchases).set({ beginRequestedAt: null }).where(eq(purchases.id, id))
}

/** The purchases of these with which a class was taken: booked, not cancelled, and started. */
export async function purchasesWithClassTaken(
  reader: Reader,
  ids: readonly number[],
  now: Temporal.Instant,
): Promise<Set<number | null>> {
  const taken = await reader
    .selectDistinct({ id: passes.purchaseId })
    .from(passes)
    .innerJoin(bookings, eq(bookings.passId, passes.id))
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(and(inArray(passes.purchaseId, [...ids]), ne(bookings.status, 'cancelled'), lte(classes.startsAt, now)))
  return new Set(taken.map(({ id }) => id))
}
