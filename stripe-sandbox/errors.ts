import type Stripe from 'stripe'

/** What stands under `error` in an answer that is not a success. */
export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  decline_code?: string
  network_decline_code?: string
  advice_code?: string
  param?: string
  charge?: string
  doc_url?: string
  request_log_url?: string
  payment_intent?: Stripe.PaymentIntent
  payment_method?: Stripe.PaymentMethod
}

/** Thrown where Stripe refuses: the transaction is rolled back and nothing has happened. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly body: ErrorBody

  constructor(status: number, body: ErrorBody) {
    super(body.message)
    this.status = status
    this.body = withDocUrl(body)
  }
}

/** Adds the page that explains `code`, as Stripe does. */
export function withDocUrl<T extends ErrorBody>(body: T): T {
  if (!body.code) return body
  return { ...body, doc_url: `https://docs.stripe.com/error-codes/${body.code.replaceAll('_', '-')}` }
}

export function invalidRequest(message: string, more: Partial<ErrorBody> & { status?: number } = {}): StripeRefusal {
  const { status = 400, ...rest } = more
  return new StripeRefusal(status, { type: 'invalid_request_error', message, ...rest })
}

export function missingParameter(param: string): StripeRefusal {
  return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
}

/**
 * `kind` in Stripe's words: `payment_intent`, `PaymentMethod`. 404 for an id in the path, 400 for one among the
 * parameters of another object.
 */
export function noSuch(kind: string, id: string, param: string, status = 404): StripeRefusal {
  return invalidRequest(`No such ${kind}: '${id}'`, { status, code: 'resource_missing', param })
}

/** Refuses because of the state the payment intent is in, and shows it. */
export function unexpectedState(message: string, intent: Stripe.PaymentIntent): StripeRefusal {
  return invalidRequest(message, { code: 'payment_intent_unexpected_state', payment_intent: intent })
}

/** The card itself is written wrong: no attempt to charge it is made. */
export function wrongCard(code: string, message: string, param?: string): StripeRefusal {
  return new StripeRefusal(402, { type: 'card_error', code, message, param })
}
