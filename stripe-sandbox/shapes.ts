/** Objects in the shape of Stripe's API, with the fields that are used. */
import type Stripe from 'stripe'

export type PaymentIntent = Omit<Partial<Stripe.PaymentIntent>, 'last_payment_error'> & {
  id: string
  object: 'payment_intent'
  amount: number
  currency: string
  client_secret: string
  last_payment_error: ErrorBody | null
  latest_charge: string | null
  metadata: Record<string, string>
  status: Stripe.PaymentIntent.Status
}
export type Charge = Omit<Partial<Stripe.Charge>, 'billing_details' | 'payment_method_details'> & {
  id: string
  object: 'charge'
  amount: number
  amount_refunded: number
  currency: string
  billing_details: Method['payer']
  disputed: boolean
  paid: boolean
  payment_intent: string
  payment_method_details: Method['details']
}
export type Refund = Partial<Stripe.Refund> & { id: string; object: 'refund'; amount: number; payment_intent: string }
export type Dispute = Omit<Partial<Stripe.Dispute>, 'evidence' | 'evidence_details'> & {
  id: string
  object: 'dispute'
  payment_intent: string
  status: Stripe.Dispute.Status
  evidence: { uncategorized_text: string | null }
  evidence_details: { due_by: number; has_evidence: boolean }
}
export type Warning = Stripe.Radar.EarlyFraudWarning & { payment_intent: string }
export type BalanceTransaction = Partial<Stripe.BalanceTransaction> & {
  id: string
  object: 'balance_transaction'
  available_on: number
  created: number
  net: number
  source: string
  type: Stripe.BalanceTransaction.Type
}
export type StripeObject = PaymentIntent | Charge | Refund | Dispute | Warning | BalanceTransaction

/** What follows a successful payment with some test cards and accounts. */
export type Aftermath = 'dispute' | 'inquiry' | 'early_fraud_warning' | 'refund_fails' | 'debit_fails'
export type DeclineCode =
  | 'generic_decline'
  | 'insufficient_funds'
  | 'lost_card'
  | 'stolen_card'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'processing_error'
export type Decline = { code: string; decline_code: string; message: string }
export type Behaviour = {
  /** The bank requires 3-D Secure. */
  has3dSecure?: true
  declines?: DeclineCode
  aftermath?: Aftermath
}
export type Method = Behaviour & {
  id: string
  payer: { name: string | null; email: string | null }
  details:
    | { type: 'card'; card: { brand: string; exp_month: number; exp_year: number; funding: 'credit'; last4: string } }
    | { type: 'bacs_debit'; bacs_debit: { last4: string; sort_code: string } }
}

/** `error` in the body of a failed response. */
export type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  payment_intent?: Partial<PaymentIntent>
}
