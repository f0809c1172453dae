import fc from 'fast-check'
import { refundPurchase } from '#payments/contract.ts'
import { recordSale, voidSale } from '#payments/contract-desk.ts'
import type { Snapshot } from './snapshot.ts'
import { defineStep, itemIndex, memberIndex, pick, toResult } from './step.ts'
import type { World } from './world.ts'

export const deskSaleStep = defineStep('sellsAtDesk', 4, {
  who: memberIndex,
  what: fc.nat(1),
  method: fc.constantFrom('cash', 'bank_transfer'),
})(async (world, _state, { who, what, method }) => {
  const member = world.member(who)
  const sold = pick(what, world.packages)
  if (!sold) return undefined
  const body = { packageId: sold.id, method }
  const response = await world.owner.call(recordSale, { params: { id: member.id }, body })
  return toResult(`Dora sells ${sold.name} to ${member.name} (${method})`, response)
})

export const voidSaleStep = defineStep('voidsSale', 2, { which: itemIndex })(async (world, state, { which }) => {
  const sale = pick(
    which,
    state.purchases.filter(({ deskMethod, userId }) => deskMethod && userId),
  )
  if (!sale) return undefined
  const params = { id: String(sale.userId), purchaseId: sale.id }
  const response = await world.owner.call(voidSale, { params })
  return toResult(`Dora voids sale ${sale.id}`, response, (_before, after) => stillHeld(after, sale.id))
})

export const reconcileStep = defineStep(
  'reconciles',
  3,
  {},
)(async (world) => {
  world.studio.clock.advance({ minutes: 2 })
  await world.studio.server.workers['reconcile-payments']({}, 'history')
  await world.studio.runQueue('send-refund')
  return {
    line: 'the studio reconciles open payments',
    responses: [],
    check: (_before, after) =>
      after.intents
        .filter(({ id, state }) => state === 'open' && world.paidIntents.has(id))
        .map(({ id }) => `payment ${id} is open although it was paid`),
  }
})

/** The owner refunds a purchase, by policy or in part. */
export const refundStep = defineStep('refundsHere', 5, {
  which: itemIndex,
  part: fc.constantFrom(undefined, undefined, '5.00', '90.00'),
  credits: fc.nat(1),
  sends: fc.boolean(),
})(async (world, state, { which, part, credits, sends }) => {
  const refunded = pick(which, state.purchases)
  if (!refunded) return undefined
  const body = part ? { amount: part, reason: 'We agreed so', credits } : {}
  const response = await world.owner.call(refundPurchase, { params: { id: refunded.id }, body })
  if (sends && response.status < 400) await world.studio.runQueue('send-refund')
  return toResult(`Dora refunds ${part ?? 'by policy'} of purchase ${refunded.id}`, response, (_before, after) =>
    part ? [] : stillHeld(after, refunded.id),
  )
})

const stillHeld = ({ passes }: Snapshot, purchase: number) =>
  passes
    .filter(({ purchaseId, creditsRemaining }) => purchaseId === purchase && creditsRemaining > 0)
    .map(({ id }) => `pass ${id} was refunded but still has credits`)

/** A refund at the provider, in full or in part; the event arrives now or later. */
export const providerRefundStep = defineStep('refundsThere', 4, {
  which: itemIndex,
  part: fc.constantFrom(undefined, 500, 1500),
  isDelivered: fc.boolean(),
})(async (world, state, { which, part, isDelivered }) => {
  const paid = pick(which, paidIntents(state))
  if (!paid) return undefined
  const line = `the provider refunds ${part ?? 'all'} of payment ${paid.id}`
  const order = { payment_intent: paid.id, ...(part && { amount: part }) }
  const refund = await world.bank.stripe.refunds.create(order).catch((error: Error) => error)
  if (refund instanceof Error) return { line: `${line}: ${refund.message}`, responses: [] }
  if (isDelivered) await world.bank.deliverEvents(world.studio, paid.id)
  return { line: `${line} (${isDelivered ? 'delivered' : 'not delivered'})`, responses: [] }
})

/** A bank disputes a payment, or inquires; the event arrives now or later. */
export const disputeStep = defineStep('disputes', 4, {
  which: itemIndex,
  isInquiry: fc.constantFrom(false, false, true),
  isDelivered: fc.boolean(),
})(async (world, state, { which, isInquiry, isDelivered }) => {
  const paid = pick(which, paidIntents(state))
  if (!paid || state.disputes.some(({ paymentIntentId }) => paymentIntentId === paid.id)) return undefined
  await world.bank.simulate('dispute', paid.id, isInquiry ? { inquiry: 'true' } : {})
  if (isDelivered) await world.bank.deliverEvents(world.studio, paid.id)
  const what = isInquiry ? 'inquires about' : 'disputes'
  return { line: `a bank ${what} payment ${paid.id} (${isDelivered ? 'delivered' : 'not delivered'})`, responses: [] }
})

export const decideDisputeStep = defineStep('decides', 4, {
  which: itemIndex,
  isWon: fc.boolean(),
  isDelivered: fc.boolean(),
})(async (world, state, { which, isWon, isDelivered }) => {
  const open = pick(
    which,
    state.disputes.filter(({ decidedAt }) => !decidedAt),
  )
  if (!open) return undefined
  const decided = await world.bank
    .decideDispute(open.id, isWon ? 'winning_evidence' : 'losing_evidence')
    .catch((error: Error) => error)
  if (decided instanceof Error) return undefined
  if (isDelivered) await world.bank.deliverEvents(world.studio, open.paymentIntentId)
  const line = `the bank decides ${isWon ? 'for' : 'against'} the studio (${isDelivered ? 'delivered' : 'not delivered'})`
  return { line, responses: [] }
})

/** All undelivered events arrive; both sides then agree. */
export const deliverEventsStep = defineStep(
  'hears',
  3,
  {},
)(async (world, state) => {
  for (const { id } of state.intents) await world.bank.deliverEvents(world.studio, id)
  await world.studio.runQueue('send-refund')
  const refunded = await refundedAtProvider(world)
  return {
    line: 'all events are delivered',
    responses: [],
    check: (_before, after) =>
      after.intents.flatMap(({ id }) => {
        const known = after.refunds.filter(
          ({ paymentIntentId, status }) => paymentIntentId === id && status !== 'failed',
        )
        const recorded = known.reduce((sum, { amountPence }) => sum + amountPence, 0)
        return recorded === (refunded.get(id) ?? 0)
          ? []
          : [`${refunded.get(id) ?? 0} p of ${id} were refunded, but the studio recorded ${recorded}`]
      }),
  }
})

async function refundedAtProvider({ sandbox }: World): Promise<Map<string, number>> {
  const { rows } = await sandbox.pool.query<{ id: string; pence: number }>(
    `select payment_intent as id, sum((object ->> 'amount')::int)::int as pence from sandbox.objects
      where kind = 'refund' and object ->> 'status' <> 'failed' group by 1`,
  )
  return new Map(rows.map(({ id, pence }) => [id, pence]))
}

const paidIntents = ({ intents }: Snapshot) => intents.filter(({ state }) => state === 'purchased')
