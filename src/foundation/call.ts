import type { AnswerOf, CallOf, Endpoint } from './endpoint.ts'
import { many } from './many.ts'
import type { FieldError } from './refusal.ts'

/**
 * Where an endpoint lives. Contracts load zod, which public pages must not: a caller imports the contract as a
 * type and writes these two out; the compiler refuses them when they differ from the contract.
 */
export type Address<E extends Endpoint> = Pick<E, 'method' | 'path'>

/** A call that was not answered with success. `message` is `{status}: {body text, or status text}`. */
export class CallError extends Error {
  readonly status: number
  /** The refusal's code; undefined where something other than the site answered, such as a proxy. */
  readonly code: string | undefined
  /** The server's sentence for a person, if it sent one. */
  readonly said: string | undefined
  /** What to say beside which field. */
  readonly errors: readonly FieldError[]
  /** `Retry-After`, in seconds, if the server sent one. */
  readonly retryAfter: number | undefined

  constructor(status: number, body: string, statusText: string, retryAfter?: string | null) {
    super(`${status}: ${body || statusText}`)
    this.name = 'CallError'
    this.status = status
    this.retryAfter = Number(retryAfter) || undefined
    const parsed = parseRefusal(body)
    this.code = parsed?.code
    this.said = parsed?.message
    this.errors = parsed?.errors ?? []
  }
}

/** The server could not be reached at all, or the answer broke off. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The studio could not be reached. Please check your connection and try again.', { cause })
    this.name = 'Unreachable'
  }
}

export type Arguments<E extends Endpoint> = object extends CallOf<E> ? [sent?: CallOf<E>] : [sent: CallOf<E>]

/**
 * Calls an endpoint: `call<typeof bookClass>({ method: 'POST', path: '/api/bookings' }, { body })`.
 * Nothing is retried.
 *
 * @throws {CallError} for every answer that is not a success
 * @throws {Unreachable} when there is no answer
 */
export async function call<E extends Endpoint>(address: Address<E>, ...args: Arguments<E>): Promise<AnswerOf<E>> {
  return (await callWithHead(address, ...args)).answer
}

export type Page<E extends Endpoint> = { rows: AnswerOf<E>; total: number; isMore: boolean }

/**
 * Calls a list's endpoint for one page of it: its rows, and how many there are in all (`X-Total-Count`) or at least
 * (`X-Total-Is-More`: the server counts no further than it is useful).
 */
export async function callPage<E extends Endpoint>(address: Address<E>, ...args: Arguments<E>): Promise<Page<E>> {
  const { answer, headers } = await callWithHead(address, ...args)
  const counted = headers.get('x-total-count')
  const total = counted === null && Array.isArray(answer) ? answer.length : Number(counted)
  return { rows: answer, total, isMore: headers.has('x-total-is-more') }
}

async function callWithHead<E extends Endpoint>(
  address: Address<E>,
  ...[sent]: Arguments<E>
): Promise<{ answer: AnswerOf<E>; headers: Headers }> {
  const { params, query, body, key }: Sent = sent ?? {}
  const parts: Record<string, unknown> = Object(params)
  const path = address.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(parts[name])))
  const response = await reach(path + queryString(query), {
    method: address.method,
    credentials: 'include',
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text().catch((error) => {
    throw new Unreachable(error)
  })
  if (!response.ok) {
    throw new CallError(response.status, text, response.statusText, response.headers.get('retry-after'))
  }
  return { answer: text ? JSON.parse(text) : undefined, headers: response.headers }
}

/** What a person is told about a failed call: the server's sentence, or `fallback`; after too many tries also when to come again. */
export function sentenceOf(error: unknown, fallback: string): string {
  if (error instanceof CallError) {
    const said = error.said ?? fallback
    if (error.status !== 429 || !error.retryAfter) return said
    return `${said.replace(' Please wait a little and try again.', '')} ${comeAgain(error.retryAfter)}`
  }
  if (error instanceof Unreachable) return error.message
  return fallback
}

/** In whole minutes: nobody comes back to the second. */
const comeAgain = (seconds: number) => `Please try again in ${many(Math.ceil(seconds / 60), 'minute')}.`

type Sent = { params?: unknown; query?: unknown; body?: unknown; key?: string }

type Transport = (path: string, init: RequestInit) => Promise<Response>
// Module state, because calls are made outside React too. Each process sets it once, when it starts.
let transport: Transport = (path, init) => fetch(path, init)

/** Replaces `fetch`: server rendering calls the API in process, and the browser repeats calls after a step-up. */
export function setTransport(next: Transport): void {
  transport = next
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await transport(path, init)
  } catch (error) {
    throw new Unreachable(error)
  }
}

function queryString(query: unknown): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : ''
}

function parseRefusal(body: string): { code?: string; message?: string; errors?: FieldError[] } | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch {
    return undefined
  }
}
