import { z } from 'zod'
import { recordDispute } from './balance.ts'
import type { Call } from './call.ts'
import { invalidRequest, noSuch } from './errors.ts'
import { recordEvent } from './events.ts'
import { read, Text } from './forms.ts'
import { newDispute, newWarning } from './objects.ts'
import { paidCharge } from './refunds.ts'
import type { Aftermath, Charge, Dispute } from './shapes.ts'
import { find, lockPaymentOf, put, type Tx } from './store.ts'

const Open = z.strictObject({ reason: Text.default('fraudulent'), inquiry: z.stringbool().default(false) })
/** The text of the evidence decides. Source: https://docs.stripe.com/testing#disputes */
const Evidence = z.strictObject({
  evidence: z.strictObject({ uncategorized_text: z.enum(['winning_evidence', 'losing_evidence']) }),
  submit: z.literal('true').optional(),
})
const DECIDED: Dispute['status'][] = ['won', 'lost', 'warning_closed']

/** What some test cards cause after they have paid. */
export async function applyAftermath(call: Call, charge: Charge, aftermath: Aftermath | undefined): Promise<void> {
  if (aftermath === 'early_fraud_warning') await warn(call, charge)
  if (aftermath === 'dispute' || aftermath === 'inquiry') {
    await open(call, charge, { reason: 'fraudulent', isInquiry: aftermath === 'inquiry' })
  }
}

/**
 * Not in Stripe's API, where the bank does this: `POST /v1/payment_intents/:id/dispute` with `reason` and `inquiry`.
 */
export async function disputePaymentIntent(call: Call): Promise<object> {
  const { reason, inquiry } = read(Open, call.form)
  return await open(call, await chargeForUpdate(call), { reason, isInquiry: inquiry })
}

/** Not in Stripe's API, where the card network does this: `POST /v1/payment_intents/:id/warn`. */
export async function warnOfPaymentIntent(call: Call): Promise<object> {
  return await warn(call, await chargeForUpdate(call))
}

async function chargeForUpdate({ tx, id }: Call): Promise<Charge> {
  await lockPaymentOf(tx, id)
  return await paidCharge(tx, id)
}

async function warn({ tx, now }: Call, charge: Charge): Promise<object> {
  const warning = newWarning(charge, now)
  await put(tx, warning)
  await recordEvent(tx, 'radar.early_fraud_warning.created', warning, now)
  return warning
}

async function open(call: Call, charge: Charge, about: { reason: string; isInquiry: boolean }): Promise<object> {
  const dispute = newDispute(charge, about, call.now)
  await put(call.tx, { ...charge, disputed: true })
  if (!about.isInquiry) await recordDispute(call.tx, dispute, { isWon: false }, call.now)
  return await saveDispute(call, dispute, about.isInquiry ? ['created'] : ['created', 'funds_withdrawn'])
}

/** Submitting evidence decides the dispute. */
export async function updateDispute(call: Call): Promise<object> {
  const { evidence } = read(Evidence, call.form)
  await lockPaymentOf(call.tx, call.id)
  const dispute = await disputeOf(call.tx, call.id)
  if (DECIDED.includes(dispute.status)) throw invalidRequest('This dispute is already closed', { param: 'dispute' })
  const isInquiry = dispute.status.startsWith('warning_')
  const isWon = evidence.uncategorized_text === 'winning_evidence'
  const statusIfWon = isInquiry ? 'warning_closed' : 'won'
  const status = isWon ? statusIfWon : 'lost'
  const evidence_details = { ...dispute.evidence_details, has_evidence: true }
  const decided: Dispute = { ...dispute, status, evidence, evidence_details }
  if (status === 'won') await recordDispute(call.tx, decided, { isWon: true }, call.now)
  return await saveDispute(
    call,
    decided,
    status === 'won' ? ['updated', 'funds_reinstated', 'closed'] : ['updated', 'closed'],
  )
}

async function disputeOf(tx: Tx, id: string): Promise<Dispute> {
  const row = await find(tx, 'dispute', id)
  if (!row) throw noSuch('dispute', id)
  return row.object
}

type Step = 'created' | 'updated' | 'closed' | 'funds_withdrawn' | 'funds_reinstated'

async function saveDispute({ tx, now }: Call, dispute: Dispute, steps: Step[]): Promise<object> {
  await put(tx, dispute)
  for (const step of steps) await recordEvent(tx, `charge.dispute.${step}`, dispute, now)
  return dispute
}
