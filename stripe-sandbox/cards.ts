/**
 * From what a request says about a card to a payment method. Of a card only brand, last four digits and expiry
 * survive this file: neither the number nor the security code is stored or logged.
 */
import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { invalidRequest, missingParameter, noSuch, wrongCard } from './errors.ts'
import { newId } from './ids.ts'
import type { Parameters } from './parameters.ts'
import {
  type Aftermath,
  type Authentication,
  type DeclineName,
  type TestCard,
  testCardByName,
  testCardByNumber,
} from './test-cards.ts'

/** A payment method and how its bank will behave. */
export interface Method {
  object: Stripe.PaymentMethod
  authentication: Authentication
  decline: DeclineName | null
  aftermath: Aftermath | null
}

/** A new payment method for `pm_card_visa` and its like; `undefined` for every other id. */
export function methodFromTestName(id: string, now: Date): Method | undefined {
  const card = id.startsWith('pm_card_') ? testCardByName(id) : undefined
  if (!card) return undefined
  return methodOf(card, { month: now.getUTCMonth() + 1, year: now.getUTCFullYear() + 1 }, false, null, now)
}

/**
 * A new payment method for `payment_method_data` (or the body of `POST /v1/payment_methods`). Refuses with 402 a
 * card that is written wrong or that is not one of Stripe's test cards.
 */
export function methodFromData(data: Parameters, now: Date): Method {
  const type = data.required('type')
  if (type !== 'card')
    throw invalidRequest(`The payment method type "${type}" is invalid.`, { param: data.nameOf('type') })
  const card = data.branch('card')
  if (!card) throw missingParameter(data.nameOf('card'))
  const billing = billingDetails(data.branch('billing_details'))
  const token = card.text('token')
  if (token !== undefined) {
    const known = token.startsWith('tok_') ? testCardByName(token) : undefined
    if (!known) throw noSuch('token', token, card.nameOf('token'), 400)
    return methodOf(known, { month: now.getUTCMonth() + 1, year: now.getUTCFullYear() + 1 }, false, billing, now)
  }
  const digits = card.required('number').replaceAll(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(digits) || !passesLuhn(digits)) {
    throw wrongCard('incorrect_number', 'Your card number is incorrect.', 'number')
  }
  const expiry = expiryOf(card, now)
  const known = testCardByNumber(digits)
  const cvc = card.text('cvc')
  if (cvc !== undefined && !(known?.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/).test(cvc)) {
    throw wrongCard('invalid_cvc', "Your card's security code is invalid.", 'cvc')
  }
  if (!known) throw liveCard()
  return methodOf(known, expiry, cvc !== undefined, billing, now)
}

function liveCard() {
  const refusal = wrongCard(
    'card_declined',
    'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://docs.stripe.com/testing.',
  )
  refusal.body.decline_code = 'test_mode_live_card'
  return refusal
}

/** The check digit that every card number ends with. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (const [place, digit] of [...digits].reverse().entries()) {
    const doubled = Number(digit) * (place % 2 === 1 ? 2 : 1)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** A card is good until the end of the month it names, in UTC. A year may have two digits. */
function expiryOf(card: Parameters, now: Date): { month: number; year: number } {
  card.required('exp_month')
  card.required('exp_year')
  const month = card.integer('exp_month') ?? 0
  const written = card.integer('exp_year') ?? 0
  const year = written >= 0 && written < 100 ? 2000 + written : written
  const thisYear = now.getUTCFullYear()
  if (month < 1 || month > 12)
    throw wrongCard('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month')
  if (year < thisYear || year > thisYear + 50) {
    throw wrongCard('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year')
  }
  if (year === thisYear && month < now.getUTCMonth() + 1) {
    throw wrongCard('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month')
  }
  return { month, year }
}

function methodOf(
  card: TestCard,
  expiry: { month: number; year: number },
  cvcGiven: boolean,
  billing: Stripe.PaymentMethod.BillingDetails | null,
  now: Date,
): Method {
  const cvcCheck = card.names.includes('cvcCheckFail') ? 'fail' : 'pass'
  const object: Stripe.PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: billing ?? { address: noAddress(), email: null, name: null, phone: null, tax_id: null },
    card: {
      brand: card.brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: cvcGiven ? cvcCheck : null,
      },
      country: card.country,
      display_brand: card.brand,
      exp_month: expiry.month,
      exp_year: expiry.year,
      fingerprint: createHash('sha256').update(`sandbox ${card.names[0]}`).digest('hex').slice(0, 16),
      funding: card.funding,
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: card.brand !== 'amex' },
      wallet: null,
    },
    created: Math.floor(now.getTime() / 1000),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
  return { object, authentication: card.authentication, decline: card.decline, aftermath: card.aftermath }
}

function noAddress(): Stripe.Address {
  return { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }
}

/** Who pays, as far as the request says so. */
export function billingDetails(data: Parameters | undefined): Stripe.PaymentMethod.BillingDetails {
  const address = data?.branch('address')
  return {
    address: {
      city: address?.erasable('city') ?? null,
      country: address?.erasable('country') ?? null,
      line1: address?.erasable('line1') ?? null,
      line2: address?.erasable('line2') ?? null,
      postal_code: address?.erasable('postal_code') ?? null,
      state: address?.erasable('state') ?? null,
    },
    email: data?.erasable('email') ?? null,
    name: data?.erasable('name') ?? null,
    phone: data?.erasable('phone') ?? null,
    tax_id: data?.erasable('tax_id') ?? null,
  }
}
