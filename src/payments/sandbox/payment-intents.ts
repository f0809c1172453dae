/** What one can do to payment intents and payment methods: read the request, take the step, keep what came of it. */
import type Stripe from 'stripe'
import { checkChargeable, checkedCurrency } from './amounts.ts'
import { type Answer, assertMayTouch, assertServer, type Call, equal } from './call.ts'
import { type Method, methodFromData, methodFromTestName } from './cards.ts'
import { type ErrorBody, invalidRequest, noSuch, unexpectedState } from './errors.ts'
import { recordEvents } from './events.ts'
import { expandAll } from './expand.ts'
import { newId } from './ids.ts'
import {
  type Attempt,
  assertConfirmable,
  authenticateIntent,
  cancelIntent,
  confirmIntent,
  type Step,
  updateIntent,
} from './intents.ts'
import { listOf } from './lists.ts'
import { forBrowser, newIntent } from './objects.ts'
import type { Parameters } from './parameters.ts'
import {
  findIntent,
  findIntentForUpdate,
  findMethod,
  insertCharge,
  insertIntent,
  insertMethod,
  type StoredIntent,
  saveIntent,
  type Tx,
} from './store.ts'

const words = (text: string): string[] => text.split(/\s+/)
const common =
  'allowed_payment_method_types amount_details application_fee_amount capture_method customer customer_account description excluded_payment_method_types expand hooks metadata payment_details payment_method payment_method_configuration payment_method_data payment_method_options payment_method_types receipt_email setup_future_usage shipping statement_descriptor statement_descriptor_suffix transfer_data transfer_group'
const confirming =
  'amount_to_confirm client_secret confirmation_token error_on_requires_action key mandate mandate_data off_session radar_options return_url use_stripe_sdk'
const known = {
  create: new Set(
    words(`${common} ${confirming} amount currency automatic_payment_methods confirm confirmation_method on_behalf_of`),
  ),
  update: new Set(words(`${common} amount currency`)),
  confirm: new Set(words(`${common} ${confirming}`)),
  cancel: new Set(words('cancellation_reason expand')),
  list: new Set(words('created customer customer_account ending_before expand limit starting_after')),
}
const futureUsages = ['off_session', 'on_session'] as const
/** Known to Stripe, never possible here: refused instead of ignored, so that nobody counts on them. */
const unsupported = words(
  'confirmation_token transfer_data application_fee_amount on_behalf_of customer customer_account mandate',
)

export async function createPaymentIntent(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const { params } = call
  params.allowOnly(known.create)
  refuseUnsupported(params)
  const [amount, currency] = [params.required('amount') && params.integer('amount'), params.required('currency')]
  checkChargeable(Number(amount), checkedCurrency(currency))
  const intent = newIntent(
    {
      amount: Number(amount),
      currency: checkedCurrency(currency),
      automatic: automaticMethods(params),
      confirmationMethod: params.choice('confirmation_method', ['automatic', 'manual']) ?? 'automatic',
      description: params.erasable('description') ?? null,
      metadata: params.metadata(),
      receiptEmail: params.erasable('receipt_email') ?? null,
      setupFutureUsage: params.choice('setup_future_usage', futureUsages) ?? null,
      shipping: shippingIn(params) ?? null,
      statementDescriptor: params.erasable('statement_descriptor') ?? null,
      statementDescriptorSuffix: params.erasable('statement_descriptor_suffix') ?? null,
    },
    call.now,
  )
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
  const changes: Partial<Stripe.PaymentIntent> = {}
  const amount = params.integer('amount')
  const currency = params.text('currency')
  if (amount !== undefined) changes.amount = amount
  if (currency !== undefined) changes.currency = checkedCurrency(currency)
  if (amount !== undefined || currency !== undefined) {
    checkChargeable(changes.amount ?? intent.amount, changes.currency ?? intent.currency)
  }
  if (params.has('metadata')) changes.metadata = params.metadata(intent.metadata)
  for (const field of [
    'description',
    'receipt_email',
    'statement_descriptor',
    'statement_descriptor_suffix',
  ] as const) {
    const value = params.erasable(field)
    if (value !== undefined) changes[field] = value
  }
  const setup = params.erasable('setup_future_usage')
  if (setup !== undefined) {
    changes.setup_future_usage = setup && (params.choice('setup_future_usage', futureUsages) ?? null)
  }
  const shipping = shippingIn(params)
  if (shipping !== undefined) changes.shipping = shipping
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
  const returnUrl = returnUrlIn(params) ?? stored.returnUrl
  const receiptEmail = params.erasable('receipt_email')
  const intent = receiptEmail === undefined ? stored.intent : { ...stored.intent, receipt_email: receiptEmail }
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

export async function createPaymentMethod(tx: Tx, call: Call): Promise<Answer> {
  const method = methodFromData(call.params, call.now)
  await insertMethod(tx, method)
  return { status: 200, body: method.object }
}

export async function retrievePaymentMethod(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const method = await findMethod(tx, call.id)
  if (!method) throw noSuch('PaymentMethod', call.id, 'payment_method')
  return { status: 200, body: method.object }
}

async function kept(tx: Tx, call: Call, step: Step, returnUrl: string | null): Promise<Answer> {
  if (step.charge) await insertCharge(tx, step.charge, step.intent.id)
  await saveIntent(tx, step.intent, returnUrl)
  await recordEvents(tx, step.happenings, call)
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

/** The payment method a request names or describes; a new one is stored. */
async function methodIn(tx: Tx, call: Call): Promise<Method | undefined> {
  const { params } = call
  const id = params.text('payment_method')
  const data = params.branch('payment_method_data')
  if (id !== undefined && data) {
    throw invalidRequest('You may only specify one of these parameters: payment_method, payment_method_data.')
  }
  const made = id === undefined ? data && methodFromData(data, call.now) : methodFromTestName(id, call.now)
  if (made) {
    await insertMethod(tx, made)
    return made
  }
  if (id === undefined) return undefined
  const found = await findMethod(tx, id)
  if (!found) throw noSuch('PaymentMethod', id, 'payment_method', 400)
  return found
}

async function attachedMethod(tx: Tx, intent: Stripe.PaymentIntent): Promise<Method | undefined> {
  return typeof intent.payment_method === 'string' ? findMethod(tx, intent.payment_method) : undefined
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

function returnUrlIn(params: Parameters): string | null {
  const written = params.text('return_url')
  if (written === undefined) return null
  const url = URL.canParse(written) ? new URL(written) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return written
  throw invalidRequest('Not a valid URL: return_url must begin with http:// or https://.', {
    code: 'url_invalid',
    param: 'return_url',
  })
}

/** `true`, or since Stripe also takes the reason: `one_off`, `recurring`. */
function isOffSession(params: Parameters): boolean {
  return !['false', '0', undefined].includes(
    params.choice('off_session', ['true', 'false', '1', '0', 'one_off', 'recurring']),
  )
}

function automaticMethods(params: Parameters): Stripe.PaymentIntent.AutomaticPaymentMethods | null {
  onlyCards(params)
  const wished = params.branch('automatic_payment_methods')
  const enabled = wished ? wished.flag('enabled') : !params.has('payment_method_types')
  if (!enabled) return null
  return { allow_redirects: wished?.choice('allow_redirects', ['always', 'never']) ?? 'always', enabled: true }
}

function onlyCards(params: Parameters): void {
  for (const field of ['payment_method_types', 'allowed_payment_method_types']) {
    const types = params.list(field) ?? []
    const other = types.find((type) => type !== 'card' && type !== 'link')
    if (other !== undefined) {
      throw invalidRequest(`The payment method type "${other}" is invalid. The sandbox takes cards only.`, {
        param: field,
      })
    }
  }
  params.choice('capture_method', ['automatic', 'automatic_async'])
}

function refuseUnsupported(params: Parameters): void {
  const customer = params.text('customer')
  if (customer !== undefined) throw noSuch('customer', customer, 'customer', 400)
  const first = unsupported.find((field) => params.has(field))
  if (first !== undefined) throw invalidRequest(`The sandbox does not know the parameter ${first}.`, { param: first })
}

function shippingIn(params: Parameters): Stripe.PaymentIntent.Shipping | null | undefined {
  const shipping = params.branch('shipping')
  if (!shipping) return undefined
  if (Object.keys(shipping.form).length === 0) return null
  const address = shipping.branch('address')
  return {
    address: {
      city: address?.erasable('city') ?? null,
      country: address?.erasable('country') ?? null,
      line1: address?.erasable('line1') ?? null,
      line2: address?.erasable('line2') ?? null,
      postal_code: address?.erasable('postal_code') ?? null,
      state: address?.erasable('state') ?? null,
    },
    carrier: shipping.erasable('carrier') ?? null,
    name: shipping.required('name'),
    phone: shipping.erasable('phone') ?? null,
    tracking_number: shipping.erasable('tracking_number') ?? null,
  }
}

function missing(call: Call): never {
  throw noSuch('payment_intent', call.id, 'intent')
}
