import { describe, expect, test } from 'vitest'
import { onlyRow } from '#platform/database/database.ts'
import { createVault } from '#platform/vault/vault.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { reserveVoucher } from '#vouchers/server/issue-voucher.ts'
import { paymentRefusals } from '../contract.ts'
import { orderOf } from '../order-rules.ts'
import type { ProviderDispute, ProviderPayment, ProviderRefund } from '../provider-state.ts'
import { promotionCodes } from '../tables.ts'
import { activatePurchase } from './activate-purchase.ts'
import { saveIntent } from './begin-payment.ts'
import { takeUse } from './codes.ts'
import type { Provider } from './provider.ts'
import { refundPurchase } from './refunds.ts'
import { syncPayment } from './sync-payment.ts'

/** Events at the provider, in order. */
const FACTS = ['created', 'processing', 'succeeded', 'refunded', 'disputed', 'decided'] as const
type Fact = (typeof FACTS)[number]
/** Ways the studio learns about them, including the returning browser. */
type Delivery = Fact | 'activation'

type Ending = { refund: number; verdict: 'won' | 'lost' }
/** What the payments buy, in turn. */
const KINDS = ['plain', 'discounted', 'gift'] as const
type Kind = (typeof KINDS)[number]
/** `among`: the tested orders contain every order of any subset of this size. */
type Case = Ending & { among: 3 | 4 }
const PRICE = 4500
const AT = Temporal.Instant.from('2026-12-07T09:00:00Z')
/** `npm run lab -- webhook-orders` tests all 5,040 orders for this verdict; the test suite a sample for each. */
const EVERY_ORDER = process.env.WEBHOOK_ORDERS
const PROGRESS_EVERY = 504

/** All permutations. */
function permutations<T>(things: readonly T[]): T[][] {
  if (things.length === 0) return [[]]
  return things.flatMap((first, at) => permutations(things.toSpliced(at, 1)).map((rest) => [first, ...rest]))
}

function ordersOf(among: number): Delivery[][] {
  const all = permutations<Delivery>([...FACTS, 'activation'])
  return EVERY_ORDER ? all : covering(all, among)
}

/** A small set of orders that contains every order of any `among` items, chosen greedily. */
function covering(orders: Delivery[][], among: number): Delivery[][] {
  const left = orders.map((order) => ({ order, brings: parts(order, among) }))
  const chosen: Delivery[][] = []
  const seen = new Set<string>()
  for (;;) {
    const best: { order: Delivery[]; brings: string[] } = { order: [], brings: [] }
    for (const one of left) {
      // Gains only shrink, so an order that gained less than the best before cannot win now.
      if (one.brings.length <= best.brings.length) continue
      one.brings = one.brings.filter((part) => !seen.has(part))
      if (one.brings.length > best.brings.length) Object.assign(best, one)
    }
    if (best.brings.length === 0) return chosen
    chosen.push(best.order)
    for (const part of best.brings) seen.add(part)
  }
}

/** All selections of this many items, keeping their order. */
function parts(order: readonly Delivery[], count: number): string[] {
  if (count === 0) return ['']
  return order.flatMap((first, at) => parts(order.slice(at + 1), count - 1).map((rest) => `${first} ${rest}`))
}

/** The payment at the provider after all events up to a given one. */
function thereAt(
  place: number,
  id: string,
  metadata: Record<string, string>,
  { refund, verdict }: Ending,
): ProviderPayment {
  const status = (['requires_payment_method', 'processing'] as const)[place] ?? 'succeeded'
  const refunds: ProviderRefund[] = [
    {
      id: `re_${id}`,
      amount: refund,
      status: 'succeeded',
      failure: null,
      reference: null,
      createdAt: AT,
    },
  ]
  const open: ProviderDispute = {
    id: `dp_${id}`,
    amount: PRICE,
    status: place >= 5 ? verdict : 'open',
    reason: 'fraudulent',
    openedAt: AT,
    respondBy: null,
  }
  return {
    intent: { status, amount_received: place >= 2 ? PRICE : 0, currency: 'gbp', metadata },
    refunds: place >= 3 ? refunds : [],
    disputes: place >= 4 ? [open] : [],
    warnings: [],
  }
}

const STATE = `
  select i.state, i.paid_pence, p.lines -> 0 ->> 'label' as sold, p.refunded_pence, p.lost_pence, s.credits_remaining, coalesce(s.frozen_at, v.frozen_at) as frozen_at,
    v.sold_at is not null as is_sold, v.voided_at is not null as is_voucher_void,
    s.refunded_at is not null as is_void, s.expires_at, d.status as dispute,
    (select array_agg(r.origin || ' ' || r.status || ' ' || r.amount_pence) from refunds r where r.payment_intent_id = i.id) as refunds,
    (select array_agg(l.kind || ' ' || l.credits order by l.id) from credit_ledger l where l.pass_id = s.id) as ledger
  from payment_intents i left join purchases p on p.payment_intent_id = i.id left join passes s on s.purchase_id = p.id
    left join disputes d on d.payment_intent_id = i.id left join vouchers v on v.payment_intent_id = i.id
  where i.id = $1`

async function openDesk() {
  const { studio, boris, dora } = await openStudio()
  const { database } = studio.server
  const plain = await studio.createPackage({ name: 'Three', price: '45.00', classCount: 3 })
  const dearer = await studio.createPackage({ name: 'Three', price: '50.00', classCount: 3 })
  // After every checkout was opened.
  await database.pool.query("update packages set name = 'Renamed'")
  const now = studio.clock.now()
  const off = { code: 'FIVER', kind: 'amount' as const, value: 500, oncePerMember: false, firstPurchaseOnly: false }
  const code = await studio.db
    .insert(promotionCodes)
    .values({ ...off, createdAt: now, updatedAt: now })
    .returning()
    .then(onlyRow)
  const vault = createVault([Buffer.alloc(32, 1)])
  let made = 0

  /**
   * Delivers every event twice in this order; the provider's state advances with them. In between, £5 are given back by
   * hand, if so much is left. Returns the final state. All kinds cost the same, and the same order for another person
   * stays open in another tab.
   */
  async function deliver(order: readonly Delivery[], ending: Ending, kind: Kind = 'plain') {
    made += 1
    const id = `pi_order_${made}`
    const isDiscounted = kind === 'discounted'
    const bought = isDiscounted ? dearer : plain
    const metadata = { userId: boris.id, packageId: String(bought.id) }
    let place = 0
    const provider = {
      read: async () => thereAt(place, id, metadata, ending),
      look: async () => thereAt(place, id, metadata, ending).intent,
    } as unknown as Provider
    const left = PRICE - ending.refund - (ending.verdict === 'lost' ? PRICE : 0)
    const other = { userId: boris.id, bought, order: orderOf(bought, undefined, true) }
    await database.transaction((tx) => saveIntent(tx, `${id}_left_open`, other, now))
    await database.transaction(async (tx) => {
      const sold = { userId: boris.id, bought, ...(isDiscounted && { code }) }
      await saveIntent(tx, id, { ...sold, order: orderOf(bought, sold.code, kind === 'gift') }, now)
      const terms = { amountPence: PRICE, classCount: 3, validityMonths: bought.validityMonths }
      const gift = { recipientName: 'Grace', recipientEmail: null, message: null, sendOn: null }
      const reserved = { paymentIntentId: id, buyerId: boris.id, bought, terms, gift }
      if (kind === 'gift') await reserveVoucher(tx, vault, reserved, now)
      const use = { code, packageId: bought.id, userId: boris.id }
      if (isDiscounted) await takeUse(tx, use, { paymentIntentId: id }, now)
    })
    for (const [at, delivered] of [...order, ...order].entries()) {
      if (at === order.length && left > 0) await giveBackByHand(id)
      if (delivered === 'activation') {
        const paid = thereAt(place, id, metadata, ending).intent
        const activation = database.transaction((tx) => activatePurchase(tx, id, paid, now))
        if (paid.status === 'succeeded') await activation
        else await expect(activation).rejects.toThrow(paymentRefusals.payment_incomplete.message)
        continue
      }
      place = Math.max(place, FACTS.indexOf(delivered))
      const full = FACTS.indexOf(delivered) > 2
      await syncPayment(database, provider, id, now, { full })
    }
    const counted = 'select from promotion_uses where payment_intent_id = $1 and purchase_id is not null'
    expect((await database.pool.query(counted, [id])).rowCount).toBe(isDiscounted ? 1 : 0)
    const { rows } = await database.pool.query(STATE, [id])
    const [open] = (await database.pool.query(STATE, [`${id}_left_open`])).rows
    expect(open).toMatchObject({ state: 'open', sold: null })
    return rows
  }
  async function giveBackByHand(id: string) {
    const { rows } = await database.pool.query('select id from purchases where payment_intent_id = $1', [id])
    const byHand = { method: 'cash', paidOn: '2026-12-07' } as const
    const refund = { amount: '5.00', reason: 'Agreed', credits: 0, byHand }
    await database.transaction((tx) => refundPurchase(tx, dora, rows[0].id, refund, now))
  }
  return { studio, deliver }
}

const CASES: Case[] = [
  { refund: 1500, verdict: 'won', among: 3 },
  { refund: 1500, verdict: 'lost', among: 4 },
  { refund: PRICE, verdict: 'won', among: 4 },
  { refund: PRICE, verdict: 'lost', among: 3 },
]
/** Running all of them takes as long as it takes, with progress in the log. */
const TIMEOUT_MS = EVERY_ORDER ? 0 : 180_000

const ENDINGS = CASES.filter(({ verdict }) => !EVERY_ORDER || verdict === EVERY_ORDER)

describe.each(ENDINGS)('a payment with $refund pence refunded there and a dispute that is $verdict', (ending) => {
  test('ends in the same state for every order of its events, each delivered twice', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { studio, deliver } = await openDesk()
    const [straight] = await deliver([...FACTS, 'activation'], ending)
    const ended = ending.refund === PRICE || ending.verdict === 'lost'
    const byHandPence = ended ? 0 : 500
    expect(straight).toMatchObject({
      state: 'purchased',
      paid_pence: PRICE,
      sold: 'Three',
      refunded_pence: ending.refund + byHandPence,
      lost_pence: ending.verdict === 'lost' ? PRICE : 0,
      credits_remaining: ended ? 0 : 3,
      frozen_at: null,
      is_void: ended,
      dispute: ending.verdict,
      refunds: [`provider succeeded ${ending.refund}`],
      ledger: ended ? ['purchase 3', 'refund -3'] : ['purchase 3'],
    })
    const [gift] = await deliver([...FACTS, 'activation'], ending, 'gift')
    const voucher = { credits_remaining: null, expires_at: null, ledger: null, is_void: false, is_sold: true }
    expect(gift).toEqual({ ...straight, ...voucher, is_voucher_void: ended })
    const orders = ordersOf(ending.among)
    for (const [at, order] of orders.entries()) {
      const kind = KINDS[at % KINDS.length]
      expect([order, kind, await deliver(order, ending, kind)]).toEqual([
        order,
        kind,
        [kind === 'gift' ? gift : straight],
      ])
      const done = at + 1
      if (EVERY_ORDER && done % PROGRESS_EVERY === 0)
        console.log(`${ending.refund} pence refunded, dispute ${ending.verdict}: ${done} of ${orders.length} orders`)
    }
    // However often it was delivered, each purchase has one receipt and each of its refunds one email.
    const delivered = orders.length + 2
    expect(await studio.count('select count(*) from purchases')).toBe(delivered)
    const mails = (name: string) =>
      studio.count(`select count(*) from pgboss.job where name = 'mail' and data->>'mail' = $1`, [name])
    expect(await mails('receipt')).toBe(delivered)
    expect(await mails('purchase-refunded')).toBe(ended ? delivered : 2 * delivered)
  })
})

test.each([3, 4])('the delivered orders contain every order of any %d of the seven events', (among) => {
  const orders = covering(permutations<Delivery>([...FACTS, 'activation']), among)
  const wanted = permutations<Delivery>([...FACTS, 'activation']).flatMap((order) =>
    parts(order.slice(0, among), among),
  )
  expect(new Set(orders.flatMap((order) => parts(order, among)))).toEqual(new Set(wanted))
  expect(orders.length).toBeLessThan(among === 3 ? 12 : 48)
})

test('of two concurrent reads, the earlier does not overwrite newer data', async () => {
  const { studio, boris } = await openStudio()
  const { database } = studio.server
  const bought = await studio.createPackage({ price: '45.00', classCount: 3 })
  const metadata = { userId: boris.id, packageId: String(bought.id) }
  const now = studio.clock.now()
  await database.transaction((tx) => saveIntent(tx, 'pi_race', { userId: boris.id, bought }, now))
  const ending: Ending = { refund: 1500, verdict: 'won' }
  const slow = Promise.withResolvers<void>()
  let reads = 0
  const provider = {
    // The first response dates from the open dispute, and arrives after it was won.
    read: async () => {
      reads += 1
      if (reads > 1) return thereAt(5, 'race', metadata, ending)
      await slow.promise
      return thereAt(4, 'race', metadata, ending)
    },
  } as unknown as Provider
  const early = syncPayment(database, provider, 'pi_race', now, { full: true })
  while (reads === 0) await new Promise((resolve) => setImmediate(resolve))
  await syncPayment(database, provider, 'pi_race', now, { full: true })
  slow.resolve()
  await early
  const { rows } = await database.pool.query(STATE, ['pi_race'])
  expect(rows).toMatchObject([{ dispute: 'won', frozen_at: null }])
})
