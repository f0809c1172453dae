import { eq } from 'drizzle-orm'
import type { Pence } from '#foundation/money.ts'
import type { Tx } from '#platform/database/database.ts'
import type { ProviderRefund } from '../provider-state.ts'
import { type PurchaseRow, type RefundRow, refunds } from '../tables.ts'
import { matchRefunds } from './match-refunds.ts'
import { notifyOfFailedRefund, notifyOfRefund, notifyOwner, type Party } from './notices.ts'
import { refundsOf } from './queries.ts'

/** Why a refund is given up while the money is back with the member. */
const ALREADY_BACK = ['refunded_at_the_provider', 'charge_already_refunded']

/** What a step needs to know of the (locked) payment. */
export type Locked = { party: Party; purchase: PurchaseRow | undefined; isPassLeft: boolean }

/**
 * Brings our refunds of a (locked) payment to what the provider has. Ours are known by {@link matchRefunds};
 * any other was made there.
 *
 * @returns those made there that we did not know yet
 */
export async function applyRefunds(
  tx: Tx,
  locked: Locked,
  remote: readonly ProviderRefund[],
  now: Temporal.Instant,
): Promise<ProviderRefund[]> {
  const { intent } = locked.party
  const rows = await refundsOf(tx, intent.id)
  const known = matchRefunds(rows, remote)
  const made: ProviderRefund[] = []
  // Those that failed first: what they gave up may have been sent anew.
  const inOrder = [...remote].sort((a, b) => Number(b.status === 'failed') - Number(a.status === 'failed'))
  await withdrawOverbid(tx, locked.party, { rows, remote, known: new Set(known.values()) }, now)
  for (const refund of inOrder) {
    const row = known.get(refund)
    if (row) await advance(tx, locked.party, row, refund, now)
    else if (await record(tx, locked, refund, now)) made.push(refund)
  }
  return made
}

/** Writes what became of a refund that we know; one that failed stays failed. */
export async function advance(
  tx: Tx,
  party: Party,
  row: RefundRow,
  refund: Pick<ProviderRefund, 'id' | 'status' | 'failure'>,
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
  if (status === 'failed') await notifyOfFailedRefund(tx, party, { ...row, failure: refund.failure ?? 'unknown' })
}

/** Gives up a refund that the provider will not make. One that was made there already is missed by nobody. */
export async function giveUp(
  tx: Tx,
  party: Party,
  row: RefundRow,
  failure: string,
  now: Temporal.Instant,
): Promise<void> {
  const isMissed = !ALREADY_BACK.includes(failure)
  const answeredAt = isMissed ? null : now
  await tx.update(refunds).set({ status: 'failed', failure, settledAt: now, answeredAt }).where(eq(refunds.id, row.id))
  if (!isMissed) return await notifyOwner(tx, party, 'refund_not_needed', { amountPence: row.amountPence })
  await notifyOfFailedRefund(tx, party, { ...row, failure })
}

async function record(tx: Tx, locked: Locked, refund: ProviderRefund, now: Temporal.Instant): Promise<boolean> {
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
  const detail = failure.replaceAll('_', ' ')
  await notifyOwner(tx, party, 'refund_failed', { amountPence: refund.amount, detail, isMemberTold: false })
  return false
}

/** A refund that waits to be sent gives way when what was refunded there leaves too little for it. */
async function withdrawOverbid(
  tx: Tx,
  party: Party,
  {
    rows,
    remote,
    known,
  }: { rows: readonly RefundRow[]; remote: readonly ProviderRefund[]; known: ReadonlySet<RefundRow> },
  now: Temporal.Instant,
): Promise<void> {
  const waiting = rows.filter((row) => row.status === 'decided' && !known.has(row))
  let left = paidFor(party) - total(remote)
  for (const row of waiting) {
    if (row.amountPence <= left) left -= row.amountPence
    else await giveUp(tx, party, row, left > 0 ? 'too_little_is_left' : 'refunded_at_the_provider', now)
  }
}

const paidFor = ({ intent }: Party): Pence => intent.paidPence ?? intent.amountPence
const total = (all: readonly { status: string; amount: Pence }[]): Pence =>
  all.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + amount, 0)

/** Tells member and owner of refunds made there; a part leaves the pass and asks the owner how many credits go. */
export async function notifyOfProviderRefunds(
  tx: Tx,
  { party, isPassLeft }: Locked,
  made: readonly ProviderRefund[],
  ended: { isEnded: boolean; bookings: number },
): Promise<void> {
  const rows = await refundsOf(tx, party.intent.id)
  const isWhole = total(rows.map(({ status, amountPence }) => ({ status, amount: amountPence }))) >= paidFor(party)
  for (const [place, refund] of made.entries()) {
    const pass = !isPassLeft ? 'none' : ended.isEnded ? 'ended' : 'kept'
    const paid = { pence: paidFor(party), method: party.intent.method }
    await notifyOfRefund(tx, party, paid, { amountPence: refund.amount, pass })
    const bookings = place === 0 ? ended.bookings : 0
    const kind = pass === 'kept' ? 'partly_refunded_there' : isWhole ? 'refunded_there' : 'more_refunded_there'
    await notifyOwner(tx, party, kind, { amountPence: refund.amount, bookings })
  }
}
