/** One request to the sandbox, and who sent it. */
import { timingSafeEqual } from 'node:crypto'
import type Stripe from 'stripe'
import { invalidRequest, missingParameter, StripeRefusal } from './errors.ts'
import type { Parameters } from './parameters.ts'
import type { Tx } from './store.ts'

/** `server` holds the secret key; `browser` holds at most the publishable key and one intent's client secret. */
export type Caller = 'server' | 'browser'

export interface Call {
  caller: Caller
  params: Parameters
  /** The ids in the path. */
  id: string
  now: Date
  requestId: string
  idempotencyKey: string | null
  /** The absolute address of the sandbox as the caller reached it: `http://localhost:3000/sandbox/stripe`. */
  baseUrl: string
}

export interface Answer {
  status: number
  /** An object of Stripe's, or `{ error }`. */
  body: unknown
}

export type Operation = (tx: Tx, call: Call) => Promise<Answer>

interface Keys {
  secretKey: string
  publishableKey: string
}

const authenticate = { 'www-authenticate': 'Basic realm="Stripe"' }

/** A 401 also says how to sign in. */
export const headersOf = (refusal: StripeRefusal): Record<string, string> =>
  refusal.status === 401 ? authenticate : {}

/**
 * Who calls, from `Authorization` (Bearer, or Basic with the key as user name) or, for the publishable key, from the
 * parameter `key`. A client secret alone makes a browser. Refuses with 401.
 */
export function callerOf(authorization: string | undefined, params: Parameters, keys: Keys): Caller {
  const key = keyIn(authorization) ?? params.text('key')
  if (key === undefined) {
    if (params.has('client_secret')) return 'browser'
    throw invalidRequest(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://docs.stripe.com/api#authentication for details.",
      { status: 401 },
    )
  }
  if (equal(key, keys.secretKey) && authorization !== undefined) return 'server'
  if (equal(key, keys.publishableKey)) return 'browser'
  throw invalidRequest(`Invalid API Key provided: ${masked(key)}`, { status: 401 })
}

function keyIn(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const [scheme = '', value = ''] = authorization.trim().split(/\s+/, 2)
  if (/^bearer$/i.test(scheme)) return value
  if (/^basic$/i.test(scheme)) return Buffer.from(value, 'base64').toString('utf8').split(':', 1)[0] ?? ''
  return ''
}

/** Refuses a browser what only a server may do. */
export function assertServer(caller: Caller): void {
  if (caller === 'server') return
  throw new StripeRefusal(401, {
    type: 'invalid_request_error',
    code: 'secret_key_required',
    message:
      'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
  })
}

/** A browser must know the intent's client secret; a server may send it. */
export function assertMayTouch(call: Call, intent: Stripe.PaymentIntent): void {
  const given = call.params.text('client_secret')
  if (given === undefined) {
    if (call.caller === 'server') return
    throw missingParameter('client_secret')
  }
  if (!equal(given, intent.client_secret ?? '')) {
    throw invalidRequest(
      'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
      {
        param: 'client_secret',
      },
    )
  }
}

/** Compares without telling by its duration how much was right. */
export function equal(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function masked(key: string): string {
  return key.length > 12 ? `${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}` : '*'.repeat(key.length)
}
