/** What one can do to payment intents: read the request, take the step, keep what came of it. */
import type Stripe from 'stripe'
import { type Answer, assertMayTouch, assertServer, type Call, equal } from './call.ts'
import type { Method } from './cards.ts'
import { followCharge } from './disputes.ts'
import { type ErrorBody, invalidRequest, noSuch, unexpectedState } from './errors.ts'
import { type Cause, recordEvents } from './events.ts'
import { expandAll } from './expand.ts'
import { newId } from './ids.ts'
import {
  changesIn,
  changesOnConfirmation,
  isOffSession,
  known,
  onlyCards,
  refuseUnsupported,
  returnUrlIn,
  wishesIn,
} from './intent-parameters.ts'
import {
  type Attempt,
  assertConfirmable,
  authenticateIntent,
  cancelIntent,
  confirmIntent,
  type Step,
  settleDebit,
  updateIntent,
} from './intents.ts'
import { listOf } from './lists.ts'
import { forBrowser, newIntent } from './objects.ts'
import { attachedMethod, methodIn } from './payment-methods.ts'
import {
  findCharge,
  findIntent,
  findIntentForUpdate,
  forgetLater,
  insertCharge,
  insertIntent,
  insertLater,
  type StoredIntent,
  saveCharge,
  saveIntent,
  type Tx,
} from './store.ts'

export async function createPaymentIntent(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const { params } = call
  params.allowOnly(known.create)
  refuseUnsupported(params)
  const intent = newIntent(wishesIn(params), call.now)
  const method = await methodIn(tx, call)
  const attached = method ? updateIntent(intent, { payment_method: method.object.id }).intent : intent
  await insertIntent(tx, attached)
  await recordEvents(tx, [{ type: 'payment_intent.created', object: attached }], call)
  if (params.flag('confirm')) return confirmed(tx, call, { intent: attached, returnUrl: null }, method)
  if (params.has('return_url')) {
    throw invalidRequest(
      'The parameter `return_url` cannot be passed when creating a PaymentIntent unless `confirm` is set to true.',
      { param: 'return_url' },
    )
  }
  return shown(tx, call, attached)
}

export async function retrievePaymentIntent(tx: Tx, call: Call): Promise<Answer> {
  const { intent } = (await findIntent(tx, call.id)) ?? missing(call)
  assertMayTouch(call, intent)
  return shown(tx, call, intent)
}

export async function listPaymentIntents(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  call.params.allowOnly(known.list)
  return listOf(tx, call, 'payment_intents')
}

export async function updatePaymentIntent(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const { params } = call
  params.allowOnly(known.update)
  refuseUnsupported(params)
  const { intent, returnUrl } = (await findIntentForUpdate(tx, call.id)) ?? missing(call)
  const changes = changesIn(params, intent)
  onlyCards(params)
  const method = await methodIn(tx, call)
  if (method) changes.payment_method = method.object.id
  const step = updateIntent(intent, changes)
  await saveIntent(tx, step.intent, returnUrl)
  return shown(tx, call, step.intent)
}

export async function confirmPaymentIntent(tx: Tx, call: Call): Promise<Answer> {
  // A browser's library adds notes about itself (`guid`, `muid`, `time_on_page` …): those are let pass.
  if (call.caller === 'server') call.params.allowOnly(known.confirm)
  refuseUnsupported(call.params)
  const stored = (await findIntentForUpdate(tx, call.id)) ?? missing(call)
  assertMayTouch(call, stored.intent)
  if (call.caller === 'browser' && stored.intent.confirmation_method === 'manual') {
    throw invalidRequest(
      'This PaymentIntent cannot be confirmed using your publishable key because its `confirmation_method` is set to `manual`. Please use your secret key instead, or create a PaymentIntent with `confirmation_method` set to `automatic`.',
    )
  }
  assertConfirmable(stored.intent)
  return confirmed(tx, call, stored, await methodIn(tx, call))
}

async function confirmed(tx: Tx, call: Call, stored: StoredIntent, given: Method | undefined): Promise<Answer> {
  const { params } = call
  const method = given ?? (await attachedMethod(tx, stored.intent))
  if (!method) {
    throw unexpectedState(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      stored.intent,
    )
  }
  const returnUrl = returnUrlIn(params)
  const intent = { ...stored.intent, ...changesOnConfirmation(params, stored.intent) }
  const step = confirmIntent(intent, {
    method,
    chargeId: newId('ch'),
    now: call.now,
    offSession: isOffSession(params),
    errorOnRequiresAction: params.flag('error_on_requires_action') ?? false,
    nextAction: nextAction(call, intent, params.flag('use_stripe_sdk') ? null : returnUrl),
  })
  return kept(tx, call, step, returnUrl)
}

/**
 * Answers the bank's question without the page: `POST /v1/payment_intents/:id/authenticate` with
 * `outcome=succeeded` (if not sent) or `failed`. Not Stripe's: for tests that have no browser.
 */
export async function authenticatePaymentIntent(tx: Tx, call: Call): Promise<Answer> {
  const stored = (await findIntentForUpdate(tx, call.id)) ?? missing(call)
  assertMayTouch(call, stored.intent)
  return authenticated(tx, call, stored, call.params.choice('outcome', ['succeeded', 'failed']) ?? 'succeeded')
}

async function authenticated(
  tx: Tx,
  call: Call,
  stored: StoredIntent,
  outcome: 'succeeded' | 'failed',
): Promise<Answer> {
  const method = await attachedMethod(tx, stored.intent)
  if (!method) throw unexpectedState('This PaymentIntent has no payment method to authenticate.', stored.intent)
  const attempt: Pick<Attempt, 'method' | 'chargeId' | 'now'> = { method, chargeId: newId('ch'), now: call.now }
  const { error: _, ...step } = authenticateIntent(stored.intent, attempt, outcome)
  return kept(tx, call, step, stored.returnUrl)
}

/**
 * What becomes of a bank debit: `POST /v1/payment_intents/:id/settle` with `outcome=succeeded` or `failed` (if not sent,
 * as its account does). Not Stripe's: for tests; by itself it happens after half a minute.
 */
export async function settlePaymentIntent(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const settled = await debitSettled(tx, call, call.id, call.params.choice('outcome', ['succeeded', 'failed']))
  return shown(tx, call, settled ?? missing(call))
}

/** Ends a bank debit that is on its way. */
export async function debitSettled(
  tx: Tx,
  cause: Cause,
  id: string,
  wished?: 'succeeded' | 'failed',
): Promise<Stripe.PaymentIntent | undefined> {
  await forgetLater(tx, id)
  const stored = await findIntentForUpdate(tx, id)
  const charge = stored && (await findCharge(tx, String(stored.intent.latest_charge)))
  if (!stored || !charge) return stored?.intent
  const does = (await attachedMethod(tx, stored.intent))?.aftermath === 'debit_fails' ? 'failed' : 'succeeded'
  const step = settleDebit(stored.intent, charge, wished ?? does)
  await saveCharge(tx, step.charge)
  await saveIntent(tx, step.intent, stored.returnUrl)
  await recordEvents(tx, step.happenings, cause)
  return step.intent
}

/** Answers the question on the hosted page and tells how the intent stands; asked again it changes nothing. */
export async function authenticateOnPage(
  tx: Tx,
  call: Call,
  clientSecret: string,
  outcome: 'succeeded' | 'failed',
): Promise<StoredIntent | undefined> {
  const stored = await findIntentForUpdate(tx, call.id)
  if (!stored || !equal(clientSecret, stored.intent.client_secret ?? '')) return undefined
  if (stored.intent.status === 'requires_action') await authenticated(tx, call, stored, outcome)
  return findIntent(tx, call.id)
}

export async function cancelPaymentIntent(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  call.params.allowOnly(known.cancel)
  const reasons = ['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'] as const
  const reason = call.params.choice('cancellation_reason', reasons) ?? null
  const { intent, returnUrl } = (await findIntentForUpdate(tx, call.id)) ?? missing(call)
  return kept(tx, call, cancelIntent(intent, reason, call.now), returnUrl)
}

async function kept(tx: Tx, call: Call, step: Step, returnUrl: string | null): Promise<Answer> {
  const { charge, intent } = step
  if (charge) await insertCharge(tx, charge, intent.id)
  await saveIntent(tx, intent, returnUrl)
  await recordEvents(tx, step.happenings, call)
  if (intent.status === 'processing') await insertLater(tx, { what: 'debit', id: intent.id })
  if (charge?.paid) await followCharge(tx, call, charge, (await attachedMethod(tx, intent))?.aftermath ?? null)
  if (!step.error) return shown(tx, call, step.intent)
  return { status: 402, body: { error: errorFor(call, step.error) } }
}

/** An error shows its intent only as far as the caller may see it. */
export function errorFor(call: Pick<Call, 'caller'>, error: ErrorBody): object {
  if (!error.payment_intent || call.caller === 'server') return error
  return { ...error, payment_intent: forBrowser(error.payment_intent) }
}

async function shown(tx: Tx, call: Call, intent: Stripe.PaymentIntent): Promise<Answer> {
  const seen = call.caller === 'server' ? intent : forBrowser(intent)
  return { status: 200, body: await expandAll(tx, seen, call.params) }
}

/** With a return address the browser goes to the page and comes back; without one, the caller shows the page itself. */
function nextAction(
  call: Call,
  intent: Stripe.PaymentIntent,
  returnUrl: string | null,
): Stripe.PaymentIntent.NextAction {
  const url = `${call.baseUrl}/3d-secure/${intent.id}?client_secret=${intent.client_secret}`
  if (returnUrl !== null) return { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } }
  return {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', source: newId('src'), stripe_js: url },
  }
}

function missing(call: Call): never {
  throw noSuch('payment_intent', call.id, 'intent')
}
