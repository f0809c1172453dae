import { eq } from 'drizzle-orm'
import type { Pence } from '../../foundation/money.ts'
import type { Tx } from '../../server/database/database.ts'
import { type PurchaseRow, type RefundRow, refunds } from '../tables.ts'
import type { RefundThere } from '../there.ts'
import { type Party, tellOfFailedRefund, tellOfRefund, tellOwner } from './notices.ts'
import { refundsOf } from './queries.ts'

/** What a step needs to know of the (locked) payment. */
export type Locked = { party: Party; purchase: PurchaseRow | undefined; isPassLeft: boolean }

/**
 * Brings our refunds of a (locked) payment to what the provider has. Ours are known by their number or the provider's
 * id; any other was made there.
 *
 * @returns those made there that we did not know yet
 */
export async function applyRefunds(
  tx: Tx,
  locked: Locked,
  there: readonly RefundThere[],
  now: Temporal.Instant,
): Promise<RefundThere[]> {
  const { intent } = locked.party
  const rows = await refundsOf(tx, intent.id)
  const made: RefundThere[] = []
  // Those that failed first: what they gave up may have been sent anew.
  const inOrder = [...there].sort((a, b) => Number(b.status === 'failed') - Number(a.status === 'failed'))
  await withdrawOverbid(tx, locked, rows, there, now)
  for (const refund of inOrder) {
    const row = rowOf(rows, refund)
    if (row) await advance(tx, locked.party, row, refund, now)
    else if (await record(tx, locked, refund, now)) made.push(refund)
  }
  return made
}

function rowOf(rows: readonly RefundRow[], refund: RefundThere): RefundRow | undefined {
  return (
    rows.find(({ providerId }) => providerId === refund.id) ??
    rows.find(({ id, providerId }) => !providerId && id === refund.ours) ??
    // Sent before the provider's ids were kept.
    rows.find(
      (row) =>
        !row.providerId && row.status !== 'decided' && row.status !== 'failed' && row.amountPence === refund.amount,
    )
  )
}

/** Writes what became of a refund that we know; one that failed stays failed. */
export async function advance(
  tx: Tx,
  party: Party,
  row: RefundRow,
  refund: Pick<RefundThere, 'id' | 'status' | 'failure'>,
  now: Temporal.Instant,
): Promise<void> {
  if (row.status === 'failed' || (row.status === refund.status && row.providerId)) return
  const status = row.status === 'succeeded' && refund.status === 'pending' ? 'succeeded' : refund.status
  await tx
    .update(refunds)
    .set({
      providerId: refund.id,
      status,
      failure: refund.failure,
      sentAt: row.sentAt ?? now,
      settledAt: status === 'pending' ? null : status === row.status ? row.settledAt : now,
    })
    .where(eq(refunds.id, row.id))
  if (status === 'failed') await tellOfFailedRefund(tx, party, { ...row, failure: refund.failure ?? 'unknown' })
}

/** Gives up a refund that the provider will not make. */
export async function giveUp(
  tx: Tx,
  party: Party,
  row: RefundRow,
  failure: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.update(refunds).set({ status: 'failed', failure, settledAt: now }).where(eq(refunds.id, row.id))
  await tellOfFailedRefund(tx, party, { ...row, failure })
}

async function record(tx: Tx, locked: Locked, refund: RefundThere, now: Temporal.Instant): Promise<boolean> {
  const { party, purchase } = locked
  const { status, failure } = refund
  await tx.insert(refunds).values({
    paymentIntentId: party.intent.id,
    purchaseId: purchase?.id ?? null,
    providerId: refund.id,
    origin: 'provider',
    amountPence: refund.amount,
    status,
    failure,
    createdAt: refund.madeAt,
    sentAt: refund.madeAt,
    settledAt: status === 'pending' ? null : now,
  })
  if (failure === null) return true
  await tellOwner(tx, party, 'refund_failed', { amountPence: refund.amount, detail: failure.replaceAll('_', ' ') })
  return false
}

/** A refund that waits to be sent gives way when what was refunded there leaves too little for it. */
async function withdrawOverbid(
  tx: Tx,
  { party, purchase }: Locked,
  rows: readonly RefundRow[],
  there: readonly RefundThere[],
  now: Temporal.Instant,
): Promise<void> {
  if (!purchase) return
  const waiting = rows.filter((row) => row.status === 'decided' && !there.some(({ ours }) => ours === row.id))
  let left: Pence = purchase.amountPence - total(there)
  for (const row of waiting) {
    if (row.amountPence > left) await giveUp(tx, party, row, 'refunded_at_the_provider', now)
    else left -= row.amountPence
  }
}

const total = (there: readonly RefundThere[]): Pence =>
  there.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + amount, 0)

/** Tells member and owner of refunds made there; a part leaves the pass and asks the owner how many credits go. */
export async function tellOfRefundsThere(
  tx: Tx,
  { party, isPassLeft }: Locked,
  made: readonly RefundThere[],
  ended: { isEnded: boolean; bookings: number },
): Promise<void> {
  for (const [place, refund] of made.entries()) {
    const pass = ended.isEnded || !isPassLeft ? 'ended' : 'kept'
    await tellOfRefund(tx, party, { amountPence: refund.amount, pass })
    const bookings = place === 0 ? ended.bookings : 0
    const kind = pass === 'kept' ? 'partly_refunded_there' : 'refunded_there'
    await tellOwner(tx, party, kind, { amountPence: refund.amount, bookings })
  }
}
