import { many } from './collections.ts'
import type { CallOf, Endpoint, ResponseOf } from './endpoint.ts'
import type { FieldError } from './refusal.ts'

/**
 * An endpoint's address. Public pages must not load zod, so callers import the contract as a type only; the compiler
 * compares the two.
 */
export type Address<E extends Endpoint> = Pick<E, 'method' | 'path'>

/** A response that is not a success. `message` is `{status}: {body or status text}`. */
export class CallError extends Error {
  readonly status: number
  /** The refusal's code; undefined if something other than the site responded, such as a proxy. */
  readonly code: string | undefined
  /** The server's message, if it sent one. */
  readonly serverMessage: string | undefined
  readonly errors: readonly FieldError[]
  /** `Retry-After` in seconds. */
  readonly retryAfter: number | undefined

  constructor(status: number, body: string, statusText: string, retryAfter?: string | null) {
    super(`${status}: ${body || statusText}`)
    this.name = 'CallError'
    this.status = status
    this.retryAfter = Number(retryAfter) || undefined
    const parsed = parseRefusal(body)
    this.code = parsed?.code
    this.serverMessage = parsed?.message
    this.errors = parsed?.errors ?? []
  }
}

/** The server could not be reached, or the connection broke. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The studio could not be reached. Please check your connection and try again.', { cause })
    this.name = 'Unreachable'
  }
}

export type Arguments<E extends Endpoint> = object extends CallOf<E> ? [sent?: CallOf<E>] : [sent: CallOf<E>]

/**
 * Calls an endpoint: `call<typeof bookClass>({ method: 'POST', path: '/api/bookings' }, { body })`. A write without a
 * response is repeated once with the same `Idempotency-Key`; nothing else is retried.
 *
 * @throws {CallError} if the response is not a success
 * @throws {Unreachable} if there is no response
 */
export async function call<E extends Endpoint>(address: Address<E>, ...args: Arguments<E>): Promise<ResponseOf<E>> {
  return (await callWithHead(address, args, { isRead: address.method === 'GET' })).response
}

/** Calls an endpoint that only reads, with any method. It is not repeated. */
export async function callRead<E extends Endpoint>(address: Address<E>, ...args: Arguments<E>): Promise<ResponseOf<E>> {
  return (await callWithHead(address, args, { isRead: true })).response
}

/** What a read returns, null if it is refused with a 401 or whatever else `isEmpty` accepts; by default that throws. */
export async function emptyIfRefused<Data>(
  read: Promise<Data>,
  isEmpty = ({ status }: CallError) => status === 401,
): Promise<Data | null> {
  try {
    return await read
  } catch (error) {
    if (error instanceof CallError && isEmpty(error)) return null
    throw error
  }
}

export type Page<E extends Endpoint> = { rows: ResponseOf<E>; total: number; isMore: boolean }

/** Calls a paged endpoint. `total` is `X-Total-Count`; with `X-Total-Is-More` the server stopped counting there. */
export async function callPage<E extends Endpoint>(address: Address<E>, ...args: Arguments<E>): Promise<Page<E>> {
  const { response, headers } = await callWithHead(address, args, { isRead: true })
  const counted = headers.get('x-total-count')
  const total = counted === null && Array.isArray(response) ? response.length : Number(counted)
  return { rows: response, total, isMore: headers.has('x-total-is-more') }
}

async function callWithHead<E extends Endpoint>(
  address: Address<E>,
  [sent]: Arguments<E>,
  { isRead }: { isRead: boolean },
): Promise<{ response: ResponseOf<E>; headers: Headers }> {
  const { params, query, body, file }: Sent = sent ?? {}
  const parts: Record<string, unknown> = Object(params)
  const path = address.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(parts[name])))
  const url = path + queryString(query)
  const init = {
    method: address.method,
    headers: {
      ...(file && { 'Content-Type': 'application/octet-stream' }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: file ?? (body === undefined ? undefined : JSON.stringify(body)),
  }
  const { response, text } = await (isRead ? receive(url, init) : sendOnce(url, init))
  if (!response.ok) {
    throw new CallError(response.status, text, response.statusText, response.headers.get('retry-after'))
  }
  return { response: text ? JSON.parse(text) : undefined, headers: response.headers }
}

/** Fetches a file. Its endpoint may ask for a step-up, which a link to the file could not. */
export async function callFile(path: string): Promise<Blob> {
  const response = await reach(path, { method: 'GET', credentials: 'include' })
  const content = await response.blob().catch((error) => {
    throw new Unreachable(error)
  })
  if (!response.ok) {
    throw new CallError(response.status, await content.text(), response.statusText, response.headers.get('retry-after'))
  }
  return content
}

/** The message for a failed call: the server's, or `fallback`. After too many attempts it says when to try again. */
export function errorMessage(error: unknown, fallback: string): string {
  if (error instanceof CallError) {
    const message = error.serverMessage ?? fallback
    if (error.status !== 429 || !error.retryAfter) return message
    return `${message.replace(' Please wait a little and try again.', '')} ${comeAgain(error.retryAfter)}`
  }
  if (error instanceof Unreachable) return error.message
  return fallback
}

/** A failed form's message (see `errorMessage`); undefined if the server refused fields, which show their own. */
export function formRefusal(error: unknown, fallback: string): string | undefined {
  if (!error || (error instanceof CallError && error.errors.length > 0)) return undefined
  return errorMessage(error, fallback)
}

const comeAgain = (seconds: number) => `Please try again in ${many(Math.ceil(seconds / 60), 'minute')}.`

type Sent = { params?: unknown; query?: unknown; body?: unknown; file?: Blob | undefined }

/** The server may still be working on the first request, and a lost connection needs a moment to come back. */
const REPEAT_AFTER_MS = 1000

/** The last write, if it never got a response. Sent again by hand, it has the same key, so it happens once. */
let unanswered: { request: string; key: string } | undefined

async function sendOnce(url: string, init: RequestInit) {
  const request = JSON.stringify([init.method, url, typeof init.body === 'string' ? init.body : null])
  const key = unanswered?.request === request ? unanswered.key : newKey()
  unanswered = { request, key }
  const send = () => receive(url, { ...init, headers: { ...init.headers, 'Idempotency-Key': key } })
  const received = await send().catch(async (error) => {
    if (!(error instanceof Unreachable)) throw error
    await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS))
    return await send()
  })
  unanswered = undefined
  return received
}

async function receive(url: string, init: RequestInit) {
  const response = await reach(url, { credentials: 'include', ...init })
  const text = await response.text().catch((error) => {
    throw new Unreachable(error)
  })
  return { response, text }
}

/** A random key. `randomUUID` is missing on plain http. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

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
