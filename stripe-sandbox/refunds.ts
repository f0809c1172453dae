import { z } from 'zod'
import { recordBalance } from './balance.ts'
import type { Call } from './call.ts'
import { invalidRequest, noSuch } from './errors.ts'
import { recordEvent } from './events.ts'
import { Metadata, read, Text, Whole } from './forms.ts'
import { newRefund } from './objects.ts'
import type { Charge, Refund } from './shapes.ts'
import { belongingTo, claimSettlement, find, lockPaymentOf, put, settleLater, type Tx } from './store.ts'

const Create = z.strictObject({
  payment_intent: Text,
  amount: Whole.optional(),
  metadata: Metadata.optional(),
  reason: z.literal('requested_by_customer').optional(),
})

/** Refunds all or part of what is left of a charge. */
export async function createRefund(call: Call): Promise<object> {
  const { tx, now } = call
  const wanted = read(Create, call.form)
  await lockPaymentOf(tx, wanted.payment_intent)
  const payment = await find(tx, 'payment_intent', wanted.payment_intent)
  if (!payment) throw noSuch('payment_intent', wanted.payment_intent)
  const charge = await paidCharge(tx, wanted.payment_intent)
  await refuseDisputed(tx, charge)
  const left = charge.amount - charge.amount_refunded
  const { amount = left } = wanted
  if (left === 0) throw invalidRequest(`Charge ${charge.id} has been refunded.`, { code: 'charge_already_refunded' })
  if (amount < 1 || amount > left) {
    throw invalidRequest(`Refund amount (${amount}) is not between 1 and what is left (${left}).`, { param: 'amount' })
  }
  const refund = newRefund(charge, { ...wanted, amount }, now)
  const after = { ...charge, amount_refunded: charge.amount_refunded + amount, refunded: amount === left }
  await put(tx, refund)
  await put(tx, after)
  await recordBalance(tx, { type: 'refund', source: refund, amount: -amount }, now)
  await recordEvent(tx, 'refund.created', refund, now)
  await recordEvent(tx, 'charge.refunded', after, now)
  if (payment.behind?.method?.aftermath === 'refund_fails') await settleLater(tx, refund.id)
  return refund
}

/** The successful charge of a payment. */
export async function paidCharge(tx: Tx, intentId: string): Promise<Charge> {
  const charge = (await belongingTo(tx, 'charge', intentId)).find(({ paid }) => paid)
  if (charge) return charge
  throw invalidRequest(`The PaymentIntent ${intentId} has no successful charge.`, { param: 'payment_intent' })
}

/** A disputed charge cannot be refunded; an inquiry does not prevent it. */
async function refuseDisputed(tx: Tx, charge: Charge): Promise<void> {
  const [dispute] = await belongingTo(tx, 'dispute', charge.payment_intent)
  if (!dispute || dispute.status === 'won' || dispute.status.startsWith('warning_')) return
  throw invalidRequest(`Charge ${charge.id} has been charged back.`, { code: 'charge_disputed' })
}

/** Some refunds fail after they succeeded: `POST …/settle`, or automatically after half a minute. */
export async function settleRefund({ tx, id, now }: Call): Promise<object> {
  await lockPaymentOf(tx, id)
  const row = await find(tx, 'refund', id)
  if (!row) throw noSuch('refund', id)
  if (!(await claimSettlement(tx, id))) return row.object
  const failed: Refund = { ...row.object, status: 'failed', failure_reason: 'lost_or_stolen_card' }
  const charge = await paidCharge(tx, failed.payment_intent)
  await put(tx, failed)
  await recordBalance(tx, { type: 'refund_failure', source: failed, amount: failed.amount }, now)
  await put(tx, { ...charge, amount_refunded: charge.amount_refunded - failed.amount, refunded: false })
  await recordEvent(tx, 'refund.updated', failed, now)
  await recordEvent(tx, 'refund.failed', failed, now)
  return failed
}
