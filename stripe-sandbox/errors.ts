import type { ErrorBody } from './shapes.ts'

/** Thrown where Stripe would refuse; the transaction is rolled back. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly body: ErrorBody

  constructor(status: number, body: ErrorBody) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

export function invalidRequest(message: string, more: Partial<ErrorBody> = {}, status = 400): StripeRefusal {
  return new StripeRefusal(status, { type: 'invalid_request_error', message, ...more })
}

export function noSuch(kind: string, id: string): StripeRefusal {
  return invalidRequest(`No such ${kind}: '${id}'`, { code: 'resource_missing' }, 404)
}

/** The card details are invalid, so no charge is attempted. */
export function cardError(code: string, message: string): StripeRefusal {
  return new StripeRefusal(402, { type: 'card_error', code, message })
}
