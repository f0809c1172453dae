/** What the calls about payment intents can be told, and what of it the sandbox refuses. */
import type Stripe from 'stripe'
import { checkChargeable, checkedCurrency } from './amounts.ts'
import { invalidRequest, noSuch } from './errors.ts'
import { type IntentWishes, statementLength, statementPrefix } from './objects.ts'
import type { Parameters } from './parameters.ts'

const words = (text: string): string[] => text.split(/\s+/)
const common =
  'allowed_payment_method_types amount_details application_fee_amount capture_method customer customer_account description excluded_payment_method_types expand hooks metadata payment_details payment_method payment_method_configuration payment_method_data payment_method_options payment_method_types receipt_email setup_future_usage shipping statement_descriptor statement_descriptor_suffix transfer_data transfer_group'
const confirming =
  'amount_to_confirm client_secret confirmation_token error_on_requires_action key mandate mandate_data off_session radar_options return_url use_stripe_sdk'
/** The parameters each call may have. */
export const known = {
  create: new Set(
    words(`${common} ${confirming} amount currency automatic_payment_methods confirm confirmation_method on_behalf_of`),
  ),
  update: new Set(words(`${common} amount currency`)),
  confirm: new Set(words(`${common} ${confirming}`)),
  cancel: new Set(words('cancellation_reason expand')),
  list: new Set(words('created ending_before expand limit starting_after')),
}
const futureUsages = ['off_session', 'on_session'] as const
/** Known to Stripe, never possible here: refused instead of ignored, so that nobody counts on them. */
const unsupported = words(
  'confirmation_token transfer_data application_fee_amount on_behalf_of customer customer_account mandate',
)

/** What a new intent shall be. */
export function wishesIn(params: Parameters): IntentWishes {
  params.required('amount')
  const amount = params.integer('amount') ?? 0
  const currency = checkedCurrency(params.required('currency'))
  checkChargeable(amount, currency)
  return {
    amount,
    currency,
    automatic: automaticMethods(params),
    confirmationMethod: params.choice('confirmation_method', ['automatic', 'manual']) ?? 'automatic',
    description: params.erasable('description') ?? null,
    metadata: params.metadata(),
    receiptEmail: params.erasable('receipt_email') ?? null,
    setupFutureUsage: params.choice('setup_future_usage', futureUsages) ?? null,
    shipping: shippingIn(params) ?? null,
    statementDescriptor: params.erasable('statement_descriptor') ?? null,
    statementDescriptorSuffix: suffixIn(params) ?? null,
  }
}

/** The fields an update changes. */
export function changesIn(params: Parameters, intent: Stripe.PaymentIntent): Partial<Stripe.PaymentIntent> {
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
  suffixIn(params)
  const setup = futureUsageIn(params)
  if (setup !== undefined) changes.setup_future_usage = setup
  const shipping = shippingIn(params)
  if (shipping !== undefined) changes.shipping = shipping
  return changes
}

/** A confirmation may add who gets the receipt and the parcel; the amount it names must be the intent's. */
export function changesOnConfirmation(params: Parameters, intent: Stripe.PaymentIntent): Partial<Stripe.PaymentIntent> {
  const expected = params.integer('amount_to_confirm')
  if (expected !== undefined && expected !== intent.amount) {
    throw invalidRequest(
      `The amount to confirm (${expected}) is not the amount of this PaymentIntent (${intent.amount}).`,
      {
        param: 'amount_to_confirm',
      },
    )
  }
  const changes: Partial<Stripe.PaymentIntent> = {}
  const receiptEmail = params.erasable('receipt_email')
  if (receiptEmail !== undefined) changes.receipt_email = receiptEmail
  const shipping = shippingIn(params)
  if (shipping !== undefined) changes.shipping = shipping
  const setup = futureUsageIn(params)
  if (setup !== undefined) changes.setup_future_usage = setup
  return changes
}

/** Latin letters and digits, one letter at least, and no longer than a statement holds with the account's prefix. */
function suffixIn(params: Parameters): string | null | undefined {
  const suffix = params.erasable('statement_descriptor_suffix')
  if (!suffix) return suffix
  const param = 'statement_descriptor_suffix'
  if (/[<>\\'"*]/.test(suffix)) {
    throw invalidRequest(`The statement descriptor suffix cannot contain <, >, \\, ', " or *.`, { param })
  }
  if (!/[a-z]/i.test(suffix)) {
    throw invalidRequest('The statement descriptor suffix must contain at least one letter.', { param })
  }
  if (`${statementPrefix}* ${suffix}`.length > statementLength) {
    throw invalidRequest(`The statement descriptor is at most ${statementLength} characters with its prefix.`, {
      param,
    })
  }
  return suffix
}

function futureUsageIn(params: Parameters): (typeof futureUsages)[number] | null | undefined {
  if (params.erasable('setup_future_usage') === null) return null
  return params.choice('setup_future_usage', futureUsages)
}

/** Only http and https: the page sends browsers there. */
export function returnUrlIn(params: Parameters): string | null {
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
export function isOffSession(params: Parameters): boolean {
  return !['false', '0', undefined].includes(
    params.choice('off_session', ['true', 'false', '1', '0', 'one_off', 'recurring']),
  )
}

function automaticMethods(params: Parameters): Stripe.PaymentIntent.AutomaticPaymentMethods | null {
  onlyCards(params)
  const wished = params.branch('automatic_payment_methods')
  const enabled = wished
    ? wished.flag('enabled')
    : !(params.has('payment_method_types') || params.has('allowed_payment_method_types'))
  if (!enabled) return null
  return { allow_redirects: wished?.choice('allow_redirects', ['always', 'never']) ?? 'always', enabled: true }
}

/** The sandbox takes cards (Link is let pass: it is a way to enter one) and takes the money at once. */
export function onlyCards(params: Parameters): void {
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

export function refuseUnsupported(params: Parameters): void {
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
