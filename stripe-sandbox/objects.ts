/** New objects in exactly the shape of Stripe's API (checked by the compiler against the SDK's own types). */
import type Stripe from 'stripe'
import type { Method } from './cards.ts'
import { newClientSecret, newId } from './ids.ts'
import { type Decline, declines } from './test-cards.ts'

export const seconds = (now: Date): number => Math.floor(now.getTime() / 1000)

/** The account's own name on a card statement, and how much a statement holds. */
export const statementPrefix = 'SANDBOX'
export const statementLength = 22

export interface IntentWishes {
  amount: number
  currency: string
  automatic: Stripe.PaymentIntent.AutomaticPaymentMethods | null
  confirmationMethod: 'automatic' | 'manual'
  description: string | null
  metadata: Record<string, string>
  receiptEmail: string | null
  setupFutureUsage: 'off_session' | 'on_session' | null
  shipping: Stripe.PaymentIntent.Shipping | null
  statementDescriptor: string | null
  statementDescriptorSuffix: string | null
}

export function newIntent(wishes: IntentWishes, now: Date): Stripe.PaymentIntent {
  const id = newId('pi')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: wishes.automatic ? null : ['card'],
    amount: wishes.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: wishes.automatic,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: newClientSecret(id),
    confirmation_method: wishes.confirmationMethod,
    created: seconds(now),
    currency: wishes.currency,
    customer: null,
    customer_account: null,
    description: wishes.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: wishes.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: wishes.receiptEmail,
    review: null,
    setup_future_usage: wishes.setupFutureUsage,
    shipping: wishes.shipping,
    source: null,
    statement_descriptor: wishes.statementDescriptor,
    statement_descriptor_suffix: wishes.statementDescriptorSuffix,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  }
}

/** One attempt to charge the card of `method`; `decline` says why it failed, `null` that it succeeded. */
export function newCharge(
  intent: Stripe.PaymentIntent,
  method: Method,
  attempt: { id: string; now: Date; authenticated: boolean; decline: Decline | null },
): Stripe.Charge {
  const { decline } = attempt
  const { card } = method.object
  return {
    id: attempt.id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.object.billing_details,
    calculated_statement_descriptor: intent.statement_descriptor_suffix
      ? `${statementPrefix}* ${intent.statement_descriptor_suffix.toUpperCase()}`
      : statementPrefix,
    captured: !decline,
    created: seconds(attempt.now),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: decline ? 'declined_by_network' : 'approved_by_network',
      reason: decline?.decline_code ?? null,
      risk_level: 'normal',
      risk_score: 20,
      seller_message: decline ? 'The bank declined the payment.' : 'Payment complete.',
      type: decline ? 'issuer_declined' : 'authorized',
    },
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.object.id,
    payment_method_details: {
      card: {
        amount_authorized: decline ? null : intent.amount,
        authorization_code: null,
        brand: card?.brand ?? null,
        checks: card?.checks ?? null,
        country: card?.country ?? null,
        electronic_commerce_indicator: null,
        exp_month: card?.exp_month ?? 0,
        exp_year: card?.exp_year ?? 0,
        extended_authorization: { status: 'disabled' },
        fingerprint: card?.fingerprint ?? null,
        funding: card?.funding ?? null,
        incremental_authorization: { status: 'unavailable' },
        installments: null,
        last4: card?.last4 ?? null,
        mandate: null,
        multicapture: { status: 'unavailable' },
        network: card?.brand ?? null,
        network_token: { used: false },
        network_transaction_id: null,
        overcapture: { maximum_amount_capturable: intent.amount, status: 'unavailable' },
        regulated_status: 'unregulated',
        three_d_secure: attempt.authenticated ? threeDSecure() : null,
        transaction_link_id: null,
        wallet: null,
      },
      type: 'card',
    },
    radar_options: {},
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  }
}

function threeDSecure(): Stripe.Charge.PaymentMethodDetails.Card.ThreeDSecure {
  return {
    authentication_flow: 'challenge',
    electronic_commerce_indicator: '05',
    exemption_indicator: null,
    result: 'authenticated',
    result_reason: null,
    transaction_id: null,
    version: '2.2.0',
  }
}

export function newRefund(
  charge: Stripe.Charge,
  wishes: { amount: number; reason: Stripe.Refund['reason']; metadata: Record<string, string> },
  now: Date,
): Stripe.Refund {
  return {
    id: newId('re'),
    object: 'refund',
    amount: wishes.amount,
    balance_transaction: null,
    charge: charge.id,
    created: seconds(now),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: wishes.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: wishes.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
}

/** The decline a card of this behaviour meets, or `null` when its bank pays. */
export function declineOf(method: Method): Decline | null {
  return method.decline ? declines[method.decline] : null
}

/** What a browser may see of an intent: no metadata, no charge. Source: https://docs.stripe.com/api/payment_intents/object (fields 'retrievable with publishable key'). */
export function forBrowser(intent: Stripe.PaymentIntent): Partial<Stripe.PaymentIntent> {
  const seen: Record<string, unknown> = {}
  for (const field of browserFields) seen[field] = intent[field]
  return seen
}

const browserFields = [
  'id',
  'object',
  'amount',
  'amount_details',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'excluded_payment_method_types',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_configuration_details',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
] as const
