import { z } from 'zod'
import { recordCharge } from './balance.ts'
import { type Call, paymentForUpdate, paymentOf, shown, unexpectedState } from './call.ts'
import { applyAftermath } from './disputes.ts'
import { invalidRequest } from './errors.ts'
import { recordEvent } from './events.ts'
import { Expand, Metadata, read, Text, Whole } from './forms.ts'
import { declineOf, MethodFields, methodIn } from './methods.ts'
import { forBrowser, newCharge, newPaymentIntent, STATEMENT, seconds } from './objects.ts'
import type { Charge, ErrorBody, Method, PaymentIntent } from './shapes.ts'
import { type Behind, claimSettlement, find, put, settleLater } from './store.ts'

/** Stripe's limits in pence. Source: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const LEAST = 30
const MOST = 99_999_999
const OPEN: PaymentIntent['status'][] = ['requires_payment_method', 'requires_confirmation', 'requires_action']

const Create = z.strictObject({
  amount: Whole,
  currency: Text.toLowerCase().pipe(z.enum(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))),
  automatic_payment_methods: z.strictObject({ enabled: z.literal('true') }).optional(),
  confirm: z.stringbool().optional(),
  description: Text.optional(),
  expand: Expand,
  metadata: Metadata.optional(),
  statement_descriptor_suffix: Text.optional(),
  ...MethodFields,
})
const Update = z.strictObject({ amount: Whole.optional(), metadata: Metadata.optional() })
const Cancel = z.strictObject({ cancellation_reason: z.literal('abandoned').optional() })
/** Not strict, because Stripe.js adds its own parameters. */
const Confirm = z.object({ return_url: z.url({ protocol: /^https?$/ }).optional(), ...MethodFields })
const Authenticate = z.object({ outcome: z.enum(['succeeded', 'failed']) })

export async function createPaymentIntent(call: Call): Promise<object> {
  const { tx, now } = call
  const wanted = read(Create, call.form)
  checkAmount(wanted.amount)
  checkSuffix(wanted.statement_descriptor_suffix)
  const method = methodIn(wanted, now)
  const intent = newPaymentIntent(wanted, now)
  await put(tx, intent)
  await recordEvent(tx, 'payment_intent.created', intent, now)
  if (!wanted.confirm && !method) return await shown(call, intent)
  if (!wanted.confirm) throw invalidRequest('A payment_method comes with confirm=true.', { param: 'confirm' })
  return await confirm(call, intent, { method, returnUrl: null })
}

export async function retrievePaymentIntent(call: Call): Promise<object> {
  const { intent } = await paymentOf(call)
  if (call.isServer) read(z.strictObject({ expand: Expand }), call.form)
  return await shown(call, intent)
}

/** Changing the amount during authentication cancels it. */
export async function updatePaymentIntent(call: Call): Promise<object> {
  const { intent } = await paymentForUpdate(call)
  const { amount = intent.amount, metadata = {} } = read(Update, call.form)
  const updated = { ...intent, amount, metadata: withoutEmpty({ ...intent.metadata, ...metadata }) }
  if (amount !== intent.amount) {
    checkAmount(amount)
    if (!OPEN.includes(intent.status)) throw unexpectedState(call, intent, 'change the amount of')
    if (intent.status === 'requires_action')
      Object.assign(updated, { status: 'requires_confirmation', next_action: null })
  }
  await put(call.tx, updated)
  return await shown(call, updated)
}

export async function cancelPaymentIntent(call: Call): Promise<object> {
  const { intent } = await paymentForUpdate(call)
  const { cancellation_reason = null } = read(Cancel, call.form)
  if (!OPEN.includes(intent.status)) throw unexpectedState(call, intent, 'cancel')
  const canceled = { ...intent, canceled_at: seconds(call.now), cancellation_reason, next_action: null }
  return await shown(call, await setStatus(call, canceled, 'canceled'))
}

export async function confirmPaymentIntent(call: Call): Promise<object> {
  const { intent } = await paymentForUpdate(call)
  const wanted = read(Confirm, call.form)
  if (!OPEN.includes(intent.status)) throw unexpectedState(call, intent, 'confirm')
  return await confirm(call, intent, { method: methodIn(wanted, call.now), returnUrl: wanted.return_url ?? null })
}

/** Charges the method, after 3-D Secure if its bank requires it. A decline is returned as `{ error }`. */
async function confirm(call: Call, intent: PaymentIntent, behind: Behind): Promise<object> {
  const { method } = behind
  if (!method) throw unexpectedState(call, intent, 'confirm without a payment method')
  if (method.has3dSecure) {
    const url = `${call.baseUrl}/3d-secure/${intent.id}?client_secret=${intent.client_secret}`
    const pending: PaymentIntent = {
      ...intent,
      last_payment_error: null,
      next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: behind.returnUrl, url } },
      payment_method: method.id,
      status: 'requires_action',
    }
    await put(call.tx, pending, behind)
    return await shown(call, pending)
  }
  const charged = await charge(call, intent, method, behind.returnUrl)
  const { last_payment_error: error } = charged
  if (!error) return await shown(call, charged)
  return { error: { ...error, payment_intent: call.isServer ? charged : forBrowser(charged) } }
}

export async function authenticatePaymentIntent(call: Call): Promise<object> {
  const { intent } = await authenticate(call)
  return await shown(call, intent)
}

/** Applies the outcome of 3-D Secure, once; repeating it changes nothing. */
export async function authenticate(call: Call) {
  const { intent, behind } = await paymentForUpdate(call)
  const { outcome } = read(Authenticate, call.form)
  const { method, returnUrl } = behind
  if (intent.status !== 'requires_action' || !method) return { intent, returnUrl }
  if (outcome === 'succeeded') return { intent: await charge(call, intent, method, behind.returnUrl), returnUrl }
  const error: ErrorBody = {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message: 'The provided PaymentMethod has failed authentication. You can pay with another one.',
  }
  return { intent: await fail(call, intent, error), returnUrl }
}

async function charge(
  call: Call,
  intent: PaymentIntent,
  method: Method,
  returnUrl: string | null,
): Promise<PaymentIntent> {
  const { tx, now } = call
  const decline = declineOf(method)
  const made = newCharge(intent, method, decline, now)
  await put(tx, made)
  const charged = { ...intent, latest_charge: made.id, next_action: null, payment_method: method.id }
  if (decline) return await fail(call, charged, { type: 'card_error', ...decline })
  // The method decides later whether a debit arrives or a refund fails.
  await put(tx, charged, { method, returnUrl })
  if (made.status === 'pending') {
    await settleLater(tx, intent.id)
    return await setStatus(call, { ...charged, payment_method_types: ['bacs_debit'] }, 'processing')
  }
  await recordCharge(tx, made, now)
  const paid = await setStatus(call, { ...charged, amount_received: intent.amount }, 'succeeded')
  await applyAftermath(call, made, method.aftermath)
  return paid
}

/**
 * A pending bank debit succeeds or fails, depending on its account: `POST …/settle`, or automatically after half a
 * minute.
 */
export async function settlePaymentIntent(call: Call): Promise<object> {
  const { intent, behind } = await paymentForUpdate(call)
  const row = await find(call.tx, 'charge', intent.latest_charge ?? '')
  if (!(await claimSettlement(call.tx, intent.id)) || !row) throw unexpectedState(call, intent, 'settle')
  const pending = row.object
  if (behind.method?.aftermath !== 'debit_fails') {
    const arrived: Charge = {
      ...pending,
      amount_captured: pending.amount,
      captured: true,
      paid: true,
      status: 'succeeded',
    }
    await put(call.tx, arrived)
    await recordCharge(call.tx, arrived, call.now)
    return await setStatus(call, { ...intent, amount_received: intent.amount }, 'succeeded')
  }
  const message = 'The customer has notified their bank that this payment was unauthorized.'
  const code = 'debit_not_authorized'
  await put(call.tx, { ...pending, failure_code: code, failure_message: message, status: 'failed' })
  return await fail(call, intent, { type: 'card_error', code, message })
}

function fail(call: Call, intent: PaymentIntent, error: ErrorBody): Promise<PaymentIntent> {
  const failed = { ...intent, last_payment_error: error, next_action: null, payment_method: null }
  return setStatus(call, failed, 'requires_payment_method')
}

const EVENTS = {
  processing: 'payment_intent.processing',
  succeeded: 'payment_intent.succeeded',
  requires_payment_method: 'payment_intent.payment_failed',
  canceled: 'payment_intent.canceled',
} as const

async function setStatus(
  { tx, now }: Call,
  intent: PaymentIntent,
  status: keyof typeof EVENTS,
): Promise<PaymentIntent> {
  const { last_payment_error } = intent
  const changed = { ...intent, last_payment_error: status === 'succeeded' ? null : last_payment_error, status }
  await put(tx, changed)
  await recordEvent(tx, EVENTS[status], changed, now)
  return changed
}

/** An empty value removes its key. */
const withoutEmpty = (metadata: Record<string, string>) =>
  Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== ''))

function checkAmount(amount: number): void {
  if (amount < LEAST)
    throw invalidRequest(`Amount must be at least ${LEAST}`, { code: 'amount_too_small', param: 'amount' })
  if (amount > MOST)
    throw invalidRequest(`Amount must be no more than ${MOST}`, { code: 'amount_too_large', param: 'amount' })
}

/** @throws {StripeRefusal} unless the suffix has a letter and fits on a statement */
function checkSuffix(suffix = 'none'): void {
  const param = 'statement_descriptor_suffix'
  const refuse = (why: string) => invalidRequest(`The statement descriptor suffix ${why}.`, { param })
  if (/[<>\\'"*]/.test(suffix)) throw refuse(`cannot contain <, >, \\, ', " or *`)
  if (!/[a-z]/i.test(suffix)) throw refuse('must contain at least one letter')
  if (STATEMENT.prefix.length + suffix.length > STATEMENT.length)
    throw refuse(`is at most ${STATEMENT.length} characters with its prefix`)
}
