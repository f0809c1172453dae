import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { LightMyRequestResponse } from 'fastify'
import type { KnowsHost } from './guards.ts'
import { type Encoding, encodingFor } from './written-file.ts'

/** Written by node:http, for each connection and second. */
const WRITTEN_BY_NODE = ['connection', 'date', 'keep-alive', 'transfer-encoding']

/** Requests with these headers may be answered with less than the whole body. */
const CONDITIONAL = ['if-none-match', 'if-modified-since', 'range'] as const

/** Requests the path from the application, with `inject`. */
type Ask = (encoding: Encoding) => Promise<LightMyRequestResponse>

type CachedResponse = { headers: string[]; body: Buffer }

type CachedPath = { ask: Ask; responses: Map<Encoding, CachedResponse | undefined> }

type OnResponse = (request: IncomingMessage, response: ServerResponse, elapsedMs: number) => void

/**
 * Responds to GET requests for public pages and built files in front of Fastify, with the application's own response
 * from an earlier `inject`, because Fastify's router, hooks and log lines cost more than such a response (decision 14).
 */
export class ResponseCache {
  readonly #paths = new Map<string, CachedPath>()
  readonly #knowsHost: KnowsHost
  readonly #onResponse: OnResponse

  /**
   * @param knowsHost requests for other hosts are left to the application
   * @param onResponse logs and measures a request that the application does not see
   */
  constructor(knowsHost: KnowsHost, onResponse: OnResponse) {
    this.#knowsHost = knowsHost
    this.#onResponse = onResponse
  }

  /** Caches the response at `path`, or discards the cached one when it has changed. */
  keep(path: string, ask: Ask): void {
    this.#paths.set(path, { ask, responses: new Map() })
  }

  /** Leaves every request to the application. */
  forgetAll(): void {
    this.#paths.clear()
  }

  /** A listener that sends cached responses and passes other requests to `application`. */
  before(application: RequestListener): RequestListener {
    return (request, response) => {
      const cached = this.#find(request)
      if (!cached) return application(request, response)
      const startedAt = performance.now()
      response.once('finish', () => this.#onResponse(request, response, performance.now() - startedAt))
      response.writeHead(200, cached.headers).end(cached.body)
    }
  }

  #find({ method, url = '', headers }: IncomingMessage): CachedResponse | undefined {
    const path = method === 'GET' ? this.#paths.get(url) : undefined
    if (!path || CONDITIONAL.some((name) => headers[name] !== undefined) || !this.#knowsHost(headers.host)) return
    const encoding = encodingFor(headers['accept-encoding'])
    if (!path.responses.has(encoding)) void load(path, encoding)
    return path.responses.get(encoding)
  }
}

/** If the path changes while the request runs, the response goes into a map that is no longer used. */
async function load({ ask, responses }: CachedPath, encoding: Encoding): Promise<void> {
  responses.set(encoding, undefined)
  const response = await ask(encoding).catch(() => undefined)
  // The next request tries again.
  if (!response || response.statusCode >= 500) responses.delete(encoding)
  if (!response || !isPublic(response)) return
  const headers = Object.entries(response.headers).filter(([name]) => !WRITTEN_BY_NODE.includes(name))
  responses.set(encoding, { headers: headers.flat().map(String), body: response.rawPayload })
}

const isPublic = ({ statusCode, headers }: LightMyRequestResponse) =>
  statusCode === 200 && headers.vary === 'accept-encoding' && headers['set-cookie'] === undefined
