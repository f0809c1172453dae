import fc from 'fast-check'
import { refundPurchase } from '#payments/contract.ts'
import { recordSale, voidSale } from '#payments/contract-desk.ts'
import { begins, registers } from '#payments/server/bank-under-test.ts'
import type { Snapshot } from './snapshot.ts'
import { deed, pick, someone, something, stepKind } from './step.ts'
import type { World } from './world.ts'

/** Who tells the studio that a payment was made: the browser, the provider, both, or nobody until it asks. */
const HERALDS = ['browser', 'browser', 'provider', 'both', 'nobody'] as const

/** Buys a pass by card. */
export const buys = stepKind(
  'buys',
  7,
  { who: someone, what: fc.nat(1), herald: fc.constantFrom(...HERALDS) },
  async (world, _state, { who, what, herald }) => {
    const member = world.who(who)
    const bought = pick(world.packages, what)
    if (!bought) return undefined
    const line = `${member.name} buys ${bought.name} (told by ${herald})`
    const begun = await begins(member, bought)
    // A refusal may have settled an earlier payment that nobody had told of: then that is what changed.
    if (begun.status >= 400) return { line: `${line}: ${begun.status} ${begun.body?.message}`, answers: [] }
    const paid = await world.bank.pay(begun)
    if (paid.status !== 'succeeded') return { line: `${line}: not paid`, answers: [] }
    const intentId = String(begun.body.paymentIntentId)
    const answers = await Promise.all([
      ...(herald === 'browser' || herald === 'both' ? [registers(member, bought, begun)] : []),
      ...(herald === 'provider' || herald === 'both' ? [tells(world, intentId)] : []),
    ])
    return {
      line: `${line}: ${answers.map(({ status }) => status).join(', ')}`,
      answers: answers.filter(({ status }) => status < 400 || status >= 500),
      check: (_before, after) => {
        const bookedAs = after.intents.find(({ id }) => id === intentId)?.state
        return answers.length > 0 && bookedAs === 'open' ? [`a payment that was told of is still ${bookedAs}`] : []
      },
    }
  },
)

/** The owner records what somebody paid at the desk. */
export const sellsAtDesk = stepKind(
  'sellsAtDesk',
  4,
  { who: someone, what: fc.nat(1), method: fc.constantFrom('cash', 'bank_transfer') },
  async (world, _state, { who, what, method }) => {
    const member = world.who(who)
    const sold = pick(world.packages, what)
    if (!sold) return undefined
    const body = { packageId: sold.id, method }
    const answer = await world.owner.call(recordSale, { params: { id: member.id }, body })
    return deed(`Dora sells ${sold.name} to ${member.name} (${method})`, answer)
  },
)

/** The owner voids a sale that was recorded by mistake. */
export const voidsSale = stepKind('voidsSale', 2, { which: something }, async (world, state, { which }) => {
  const sale = pick(
    state.purchases.filter(({ deskMethod, userId }) => deskMethod && userId),
    which,
  )
  if (!sale) return undefined
  const params = { id: String(sale.userId), purchaseId: sale.id }
  const answer = await world.owner.call(voidSale, { params })
  return deed(`Dora voids sale ${sale.id}`, answer, (_before, after) => stillHeld(after, sale.id))
})

const tells = (world: World, intentId: string) => world.bank.tells(world.studio, 'payment_intent.succeeded', intentId)

/** The studio asks the provider about what it does not know yet, and sends what it owes. */
export const reconciles = stepKind('reconciles', 3, {}, async (world) => {
  world.studio.clock.advance({ minutes: 2 })
  await world.studio.server.workers['reconcile-payments']({}, 'history')
  await world.studio.works('send-refund')
  return {
    line: 'the studio asks the provider about open payments',
    answers: [],
    check: (_before, after) =>
      after.intents
        .filter(({ state }) => state === 'open')
        .map(({ id }) => `payment ${id} is open although it was made`),
  }
})

/** The owner refunds a purchase here: by the rule, or a part beside it. */
export const refundsHere = stepKind(
  'refundsHere',
  5,
  {
    which: something,
    part: fc.constantFrom(undefined, undefined, '5.00', '90.00'),
    credits: fc.nat(1),
    sends: fc.boolean(),
  },
  async (world, state, { which, part, credits, sends }) => {
    const refunded = pick(state.purchases, which)
    if (!refunded) return undefined
    const body = part ? { amount: part, reason: 'We agreed so', credits } : {}
    const answer = await world.owner.call(refundPurchase, { params: { id: refunded.id }, body })
    if (sends && answer.status < 400) await world.studio.works('send-refund')
    return deed(`Dora refunds ${part ?? 'by the rule'} of purchase ${refunded.id}`, answer, (_before, after) =>
      part ? [] : stillHeld(after, refunded.id),
    )
  },
)

const stillHeld = ({ passes }: Snapshot, purchase: number) =>
  passes
    .filter(({ purchaseId, creditsRemaining }) => purchaseId === purchase && creditsRemaining > 0)
    .map(({ id }) => `pass ${id} was refunded and still holds credits`)

/** Somebody refunds at the provider, all or a part; the studio hears it now, or later. */
export const refundsThere = stepKind(
  'refundsThere',
  4,
  { which: something, part: fc.constantFrom(undefined, 500, 1500), isTold: fc.boolean() },
  async (world, state, { which, part, isTold }) => {
    const paid = pick(paidOnes(state), which)
    if (!paid) return undefined
    const line = `the provider refunds ${part ?? 'all'} of payment ${paid.id}`
    const order = { payment_intent: paid.id, ...(part && { amount: part }) }
    const refund = await world.bank.stripe.refunds.create(order).catch((error: Error) => error)
    if (refund instanceof Error) return { line: `${line}: ${refund.message}`, answers: [] }
    if (isTold) await world.bank.tellsAll(world.studio, paid.id)
    return { line: `${line} (${isTold ? 'told' : 'not told'})`, answers: [] }
  },
)

/** A member's bank disputes a payment, or only asks; the studio hears it now, or later. */
export const disputes = stepKind(
  'disputes',
  4,
  { which: something, isInquiry: fc.constantFrom(false, false, true), isTold: fc.boolean() },
  async (world, state, { which, isInquiry, isTold }) => {
    const paid = pick(paidOnes(state), which)
    if (!paid || state.disputes.some(({ paymentIntentId }) => paymentIntentId === paid.id)) return undefined
    await world.bank.does('dispute', paid.id, isInquiry ? { inquiry: 'true' } : {})
    if (isTold) await world.bank.tellsAll(world.studio, paid.id)
    const what = isInquiry ? 'asks about' : 'disputes'
    return { line: `a bank ${what} payment ${paid.id} (${isTold ? 'told' : 'not told'})`, answers: [] }
  },
)

/** A bank decides about a dispute. */
export const decides = stepKind(
  'decides',
  4,
  { which: something, isWon: fc.boolean(), isTold: fc.boolean() },
  async (world, state, { which, isWon, isTold }) => {
    const open = pick(
      state.disputes.filter(({ decidedAt }) => !decidedAt),
      which,
    )
    if (!open) return undefined
    const decided = await world.bank
      .decides(open.id, isWon ? 'winning_evidence' : 'losing_evidence')
      .catch((error: Error) => error)
    if (decided instanceof Error) return undefined
    if (isTold) await world.bank.tellsAll(world.studio, open.paymentIntentId)
    const line = `the bank decides ${isWon ? 'for the studio' : 'against it'} (${isTold ? 'told' : 'not told'})`
    return { line, answers: [] }
  },
)

/** The provider tells everything that it has not told yet; then both know the same. */
export const hears = stepKind('hears', 3, {}, async (world, state) => {
  for (const { id } of state.intents) await world.bank.tellsAll(world.studio, id)
  await world.studio.works('send-refund')
  const there = await returnedThere(world)
  return {
    line: 'the provider tells everything',
    answers: [],
    check: (_before, after) =>
      after.intents.flatMap(({ id }) => {
        const known = after.refunds.filter(
          ({ paymentIntentId, status }) => paymentIntentId === id && status !== 'failed',
        )
        const here = known.reduce((sum, { amountPence }) => sum + amountPence, 0)
        return here === (there.get(id) ?? 0)
          ? []
          : [`${there.get(id) ?? 0} p of ${id} went back, the studio knows of ${here}`]
      }),
  }
})

async function returnedThere({ sandbox }: World): Promise<Map<string, number>> {
  const { rows } = await sandbox.pool.query<{ id: string; pence: number }>(
    `select payment_intent as id, sum((object ->> 'amount')::int)::int as pence from sandbox.objects
      where kind = 'refund' and object ->> 'status' <> 'failed' group by 1`,
  )
  return new Map(rows.map(({ id, pence }) => [id, pence]))
}

const paidOnes = ({ intents }: Snapshot) => intents.filter(({ state }) => state === 'purchased')
