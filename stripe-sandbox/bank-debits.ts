/**
 * Bacs Direct Debit, the method that takes days: test accounts at https://docs.stripe.com/payments/bacs-debit, as
 * `payment_method_data[type]=bacs_debit`. Of an account only its last four digits survive. Kinder than Stripe: no mandate.
 */
import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { billingDetails, type Method } from './cards.ts'
import { invalidRequest, missingParameter } from './errors.ts'
import { newId } from './ids.ts'
import { newCharge, seconds } from './objects.ts'
import type { Parameters } from './parameters.ts'
import type { Aftermath } from './test-cards.ts'

const sortCode = '108800'
const accounts: Record<string, Aftermath> = {
  '00012345': 'debit_arrives',
  '90012345': 'debit_arrives',
  '33333335': 'debit_fails',
  '22222227': 'debit_fails',
}

/** A new payment method for `payment_method_data[type]=bacs_debit`; only test accounts are taken. */
export function debitFromData(data: Parameters, now: Date): Method {
  const debit = data.branch('bacs_debit')
  if (!debit) throw missingParameter(data.nameOf('bacs_debit'))
  const account = debit.required('account_number').replaceAll(/\D/g, '')
  const code = debit.required('sort_code').replaceAll(/\D/g, '')
  const aftermath = accounts[account]
  if (code !== sortCode || !aftermath) {
    throw invalidRequest('This is not one of the test bank accounts.', {
      code: 'account_number_invalid',
      param: debit.nameOf('account_number'),
    })
  }
  const fingerprint = createHash('sha256').update(`sandbox ${account}`).digest('hex').slice(0, 16)
  const object: Stripe.PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    bacs_debit: { fingerprint, last4: account.slice(-4), sort_code: code },
    billing_details: billingDetails(data.branch('billing_details')),
    created: seconds(now),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'bacs_debit',
  }
  return { object, authentication: 'never', decline: null, aftermath }
}

/** The charge of a debit that is on its way. */
export function newDebit(intent: Stripe.PaymentIntent, method: Method, id: string, now: Date): Stripe.Charge {
  const charge = newCharge(intent, method, { id, now, authenticated: false, decline: null })
  const { fingerprint = null, last4 = null, sort_code = null } = method.object.bacs_debit ?? {}
  return {
    ...charge,
    amount_captured: 0,
    captured: false,
    paid: false,
    payment_method_details: { bacs_debit: { fingerprint, last4, mandate: null, sort_code }, type: 'bacs_debit' },
    status: 'pending',
  }
}

/** The same charge once the bank has paid, or has not. */
export function debited(charge: Stripe.Charge, outcome: 'succeeded' | 'failed'): Stripe.Charge {
  if (outcome === 'succeeded') {
    return { ...charge, amount_captured: charge.amount, captured: true, paid: true, status: 'succeeded' }
  }
  return {
    ...charge,
    failure_code: 'debit_not_authorized',
    failure_message: notAuthorized,
    status: 'failed',
  }
}

export const notAuthorized = 'The customer has notified their bank that this payment was unauthorized.'
