/**
 * `Idempotency-Key`: the first answer to a key is stored in the transaction of what it did, and repeated for a day.
 * Of several requests at once with one key the first works and the others wait for its answer. A refused request
 * did nothing, so nothing is stored and the key stays free (as at Stripe when parameters fail validation);
 * a declined card is an answer like a success.
 */
import { createHmac } from 'node:crypto'
import { invalidRequest, StripeRefusal } from './errors.ts'
import type { Form } from './form-encoding.ts'
import type { Tx } from './store.ts'

const longestKey = 255

export interface Replay {
  status: number
  body: string
  requestId: string
}

export interface KeyedRequest {
  key: string
  /** `POST /v1/refunds` */
  endpoint: string
  fingerprint: string
}

/** `undefined` when the request carries no key. `pepper` keeps the fingerprint from being computed by others. */
export function keyedRequest(
  key: string | undefined,
  endpoint: string,
  caller: string,
  form: Form,
  pepper: string,
): KeyedRequest | undefined {
  if (key === undefined) return undefined
  if (key === '' || key.length > longestKey) {
    throw invalidRequest(`Idempotency keys must have 1 to ${longestKey} characters.`)
  }
  const said = `${caller}\n${endpoint}\n${JSON.stringify(canonical(form))}`
  return { key, endpoint, fingerprint: createHmac('sha256', pepper).update(said).digest('hex') }
}

/** Sorted, and without what must not be kept of a card in any form: its security code and all but four digits. */
function canonical(form: Form, parent = ''): unknown[] {
  return Object.entries(form)
    .filter(([key]) => !(parent === 'card' && key === 'cvc'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => {
      if (typeof value !== 'string') return [key, canonical(value, key)]
      return [key, parent === 'card' && key === 'number' ? value.slice(-4) : value]
    })
}

/** The stored answer, or `undefined` when this request is the first; then the key is held until the transaction ends. */
export async function findAnswer(tx: Tx, request: KeyedRequest): Promise<Replay | undefined> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('sandbox idempotency ' || $1, 0))", [request.key])
  await tx.query(
    "delete from sandbox.idempotency_keys where key = $1 and created_at < clock_timestamp() - interval '24 hours'",
    [request.key],
  )
  const { rows } = await tx.query<{
    endpoint: string
    fingerprint: string
    request_id: string
    status: number
    body: string
  }>('select endpoint, fingerprint, request_id, status, body from sandbox.idempotency_keys where key = $1', [
    request.key,
  ])
  const [first] = rows
  if (!first) return undefined
  if (first.endpoint !== request.endpoint) {
    throw reused(
      `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${request.endpoint}' vs. '${first.endpoint}'). Try using a key other than '${request.key}' if you meant to execute a different request.`,
    )
  }
  if (first.fingerprint !== request.fingerprint) {
    throw reused(
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${request.key}' if you meant to execute a different request.`,
    )
  }
  return { status: first.status, body: first.body, requestId: first.request_id }
}

function reused(message: string): StripeRefusal {
  return new StripeRefusal(400, { type: 'idempotency_error', message })
}

export async function storeAnswer(tx: Tx, request: KeyedRequest, answer: Replay): Promise<void> {
  await tx.query(
    'insert into sandbox.idempotency_keys (key, endpoint, fingerprint, request_id, status, body) values ($1, $2, $3, $4, $5, $6)',
    [request.key, request.endpoint, request.fingerprint, answer.requestId, answer.status, answer.body],
  )
}
