import { bookClass, cancelBooking } from '#booking/contract.ts'
import type { CallOf, Endpoint, ResponseOf } from '#foundation/endpoint.ts'

/** Status, JSON and headers of a response. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks at what the wire really carries
export type TestResponse<Body = any> = { status: number; body: Body; headers: Headers }

const toText = (body: unknown) => (body === undefined || typeof body === 'string' ? body : JSON.stringify(body))

/** A person with a browser: keeps cookies, makes HTTP requests to the studio's real port. */
export class Person {
  readonly name: string
  readonly email: string
  readonly password: string
  /** Set on registration. */
  id = ''
  readonly #origin: string
  readonly #cookies = new Map<string, string>()

  constructor(origin: string, name: string) {
    this.#origin = origin
    this.name = name
    this.email = `${name.toLowerCase().replaceAll(' ', '.')}@people.example`
    this.password = `${name.toLowerCase()}-secret`
  }

  /** Calls an endpoint. The input is not validated here, so it can be wrong on purpose. */
  async call<E extends Endpoint>(endpoint: E, sent?: Loose<CallOf<E>>): Promise<TestResponse> {
    const { params, query, body, file }: Sent = sent ?? {}
    const path = Object.entries(params ?? {}).reduce<string>(
      (text, [key, value]) => text.replace(`:${key}`, encodeURIComponent(String(value))),
      endpoint.path,
    )
    const search = query ? `?${new URLSearchParams(Object.entries(query))}` : ''
    return await this.request(endpoint.method, path + search, file ?? body)
  }

  /** The response of a successful call. */
  async read<E extends Endpoint>(endpoint: E, sent?: Loose<CallOf<E>>): Promise<ResponseOf<E>> {
    const { status, body } = await this.call(endpoint, sent)
    if (status >= 300) throw new Error(`${endpoint.method} ${endpoint.path} answered ${status}`)
    return body
  }

  /** Books a class; `more` is added to the request. */
  book(classId: number, more: object = {}): Promise<TestResponse> {
    return this.call(bookClass, { body: { classId, ...more } })
  }

  cancel(bookingId: number): Promise<TestResponse> {
    return this.call(cancelBooking, { params: { id: bookingId } })
  }

  /** Makes a request. A string body and bytes are sent unchanged, others as JSON. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    const isFile = body instanceof Uint8Array
    const response = await fetch(this.#origin + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
        ...(this.#cookies.size > 0 && { cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; ') }),
        ...headers,
      },
      body: isFile ? Uint8Array.from(body) : toText(body),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1)
      const [key = '', value = ''] = pair.split(/=(.*)/s)
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(key)
      else this.#cookies.set(key, value)
    }
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, body: isJson && text ? JSON.parse(text) : text, headers: response.headers }
  }

  get origin(): string {
    return this.#origin
  }

  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies
  }

  /** Copies another's cookies, like a thief or a second tab. */
  copyCookiesOf(other: Person): void {
    for (const [key, value] of other.cookies) this.#cookies.set(key, value)
  }
}

type Sent = { params?: unknown; query?: unknown; body?: unknown; file?: unknown }
type Loose<T> = { [K in keyof T]?: T[K] extends undefined ? undefined : unknown }
