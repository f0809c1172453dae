/** The account's balance: a balance transaction for each movement of money, paid out daily after two days. */
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Call } from './call.ts'
import { noSuch } from './errors.ts'
import { read, Text, Whole } from './forms.ts'
import { newId, seconds } from './objects.ts'
import type { BalanceTransaction, Charge, Dispute, Refund } from './shapes.ts'
import { allOf, byIds, put, type Tx } from './store.ts'

const DAY_SECONDS = 24 * 60 * 60
/** What Stripe charges for a British card, and for a dispute. */
const FEE = { percent: 1.5, fixed: 20, dispute: 2000 }

type Change = { type: BalanceTransaction['type']; source: Charge | Refund | Dispute; amount: number; fee?: number }

/** Records a movement of money; the caller's transaction holds what caused it. */
export async function recordBalance(tx: Tx, { type, source, amount, fee = 0 }: Change, now: Date): Promise<void> {
  const created = seconds(now)
  await put(tx, {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: Math.floor(created / DAY_SECONDS) * DAY_SECONDS + 2 * DAY_SECONDS,
    created,
    currency: source.currency ?? 'gbp',
    fee,
    net: amount - fee,
    source: source.id,
    status: 'pending',
    type,
  })
}

export const recordCharge = (tx: Tx, source: Charge, now: Date) => {
  const fee = Math.round((source.amount * FEE.percent) / 100) + FEE.fixed
  return recordBalance(tx, { type: 'charge', source, amount: source.amount, fee }, now)
}

/** The bank takes the amount with a fee; if the dispute is won, the amount comes back. */
export const recordDispute = (tx: Tx, source: Dispute, { isWon }: { isWon: boolean }, now: Date) => {
  const amount = source.amount ?? 0
  const change = isWon ? { amount } : { amount: -amount, fee: FEE.dispute }
  return recordBalance(tx, { type: 'adjustment', source, ...change }, now)
}

const Created = z.strictObject({ gte: Whole.optional(), lt: Whole.optional() }).optional()
const Page = { created: Created, limit: Whole.default(10), starting_after: Text.optional() }
const Transactions = z.strictObject({
  ...Page,
  payout: Text.optional(),
  expand: z.strictObject({ 0: z.literal('data.source') }).optional(),
})

export async function listBalanceTransactions({ tx, form, now }: Call): Promise<object> {
  const wanted = read(Transactions, form)
  const all = await allOf(tx, 'balance_transaction')
  const payout = wanted.payout && payoutsOf(all, now).find(({ object }) => object.id === wanted.payout)
  if (wanted.payout && !payout) throw noSuch('payout', wanted.payout)
  const page = pageOf(payout ? payout.lines : all, wanted)
  const sources = wanted.expand
    ? await byIds(
        tx,
        page.data.map(({ source }) => source),
      )
    : new Map()
  const data = page.data.map((line) => ({ ...line, source: sources.get(line.source) ?? line.source }))
  return { object: 'list', url: '/v1/balance_transactions', ...page, data }
}

export async function listPayouts({ tx, form, now }: Call): Promise<object> {
  const wanted = read(z.strictObject(Page), form)
  const all = payoutsOf(await allOf(tx, 'balance_transaction'), now).map(({ object }) => object)
  return { object: 'list', url: '/v1/payouts', ...pageOf(all, wanted) }
}

type Listed = { id: string; created: number }

/** Newest first, as Stripe lists. */
function pageOf<O extends Listed>(all: readonly O[], { created, limit, starting_after: after }: Wanted) {
  const { gte = 0, lt = Number.POSITIVE_INFINITY } = created ?? {}
  const matching = all.filter((one) => one.created >= gte && one.created < lt).toReversed()
  const rest = matching.slice(after === undefined ? 0 : matching.findIndex(({ id }) => id === after) + 1)
  return { has_more: rest.length > limit, data: rest.slice(0, limit) }
}
type Wanted = z.output<z.ZodObject<typeof Page>>

/** One payout for each day on which money became available, as soon as there is some; computed, not stored. */
function payoutsOf(all: readonly BalanceTransaction[], now: Date) {
  const due = all.filter(({ available_on }) => available_on <= seconds(now))
  const payouts: { object: Payout; lines: BalanceTransaction[] }[] = []
  let lines: BalanceTransaction[] = []
  for (const [day, ofDay] of Map.groupBy(due, (line) => line.available_on)) {
    lines = [...lines, ...ofDay]
    const amount = lines.reduce((sum, { net }) => sum + net, 0)
    if (amount <= 0) continue
    payouts.push({ object: newPayout(amount, day), lines })
    lines = []
  }
  return payouts
}

type Payout = Partial<Stripe.Payout> & { id: string; created: number }

const newPayout = (amount: number, day: number): Payout => ({
  id: `po_3${day.toString(16).padStart(24, '0')}`,
  object: 'payout',
  amount,
  arrival_date: day,
  automatic: true,
  created: day,
  currency: 'gbp',
  livemode: false,
  metadata: {},
  method: 'standard',
  reconciliation_status: 'completed',
  status: 'paid',
  type: 'bank_account',
})
