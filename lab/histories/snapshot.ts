import { asc } from 'drizzle-orm'
import {
  type BookingRow,
  bookings,
  type InvitationRow,
  invitations,
  type PlaceRow,
  type RegularRow,
  regularBookings,
  regularDatesLeftOut,
  type WaitingRow,
  waitingList,
} from '#booking/tables.ts'
import { creditLedger, type PassRow, passes } from '#passes/tables.ts'
import {
  type DisputeRow,
  disputes,
  type PaymentIntentRow,
  type PurchaseRow,
  paymentIntents,
  purchases,
  type RefundRow,
  refunds,
} from '#payments/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { type ClassRow, type ClosureRow, classes, closures } from '#timetable/tables.ts'
import { type VoucherRow, vouchers } from '#vouchers/tables.ts'

/** Everything that a step may change. */
export type Snapshot = {
  classes: ClassRow[]
  closures: ClosureRow[]
  /** Held ones included. */
  places: PlaceRow[]
  /** The {@link places} with a holder. */
  bookings: BookingRow[]
  invitations: InvitationRow[]
  waiting: WaitingRow[]
  regulars: RegularRow[]
  leftOut: (typeof regularDatesLeftOut.$inferSelect)[]
  vouchers: VoucherRow[]
  passes: PassRow[]
  ledger: (typeof creditLedger.$inferSelect)[]
  intents: PaymentIntentRow[]
  purchases: PurchaseRow[]
  refunds: RefundRow[]
  disputes: DisputeRow[]
}

export async function takeSnapshot(reader: Reader): Promise<Snapshot> {
  const [classRows, closureRows, places, waiting, passRows, ledger] = await Promise.all([
    reader.select().from(classes).orderBy(asc(classes.id)),
    reader.select().from(closures).orderBy(asc(closures.id)),
    reader.select().from(bookings).orderBy(asc(bookings.id)),
    reader.select().from(waitingList).orderBy(asc(waitingList.id)),
    reader.select().from(passes).orderBy(asc(passes.id)),
    reader.select().from(creditLedger).orderBy(asc(creditLedger.id)),
  ])
  const [intents, purchaseRows, refundRows, disputeRows] = await Promise.all([
    reader.select().from(paymentIntents).orderBy(asc(paymentIntents.createdAt), asc(paymentIntents.id)),
    reader.select().from(purchases).orderBy(asc(purchases.id)),
    reader.select().from(refunds).orderBy(asc(refunds.id)),
    reader.select().from(disputes).orderBy(asc(disputes.id)),
  ])
  const [invitationRows, regulars, leftOut, voucherRows] = await Promise.all([
    reader.select().from(invitations).orderBy(asc(invitations.id)),
    reader.select().from(regularBookings).orderBy(asc(regularBookings.id)),
    reader
      .select()
      .from(regularDatesLeftOut)
      .orderBy(asc(regularDatesLeftOut.classId), asc(regularDatesLeftOut.userId)),
    reader.select().from(vouchers).orderBy(asc(vouchers.id)),
  ])
  const together = { invitations: invitationRows, regulars, leftOut, vouchers: voucherRows }
  const money = { intents, purchases: purchaseRows, refunds: refundRows, disputes: disputeRows }
  const timetable = { classes: classRows, closures: closureRows }
  return {
    ...timetable,
    places,
    bookings: places.filter(isTaken),
    waiting,
    passes: passRows,
    ledger,
    ...together,
    ...money,
  }
}

const isTaken = (place: PlaceRow): place is BookingRow => place.userId !== null

/** Places that are held for companions, with their invitations. */
export function heldPlaces({ places, invitations }: Snapshot) {
  return places
    .filter(({ status }) => status === 'held')
    .flatMap((place) => invitations.filter(({ id }) => id === place.invitationId).map((of) => ({ ...of, place })))
}

/** The place of an invitation. */
export const placeOf = ({ places }: Snapshot, { id }: InvitationRow) =>
  places.find(({ invitationId }) => invitationId === id)

/** The ledger's lines of a step. */
export function newLines(before: Snapshot, after: Snapshot) {
  const last = before.ledger.at(-1)?.id ?? 0
  return after.ledger.filter(({ id }) => id > last)
}

/** The rows after a step, each with the row before it. */
export function pairRows<Row extends { id: number | string }>(before: readonly Row[], after: readonly Row[]) {
  const earlier = new Map(before.map((row) => [row.id, row]))
  return after.map((now) => ({ was: earlier.get(now.id), now }))
}
