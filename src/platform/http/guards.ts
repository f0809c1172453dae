import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { commonRefusals, refuse } from '#foundation/refusal.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether browsers reach the site over HTTPS, whatever a proxy says of one request. */
    isHttpsSite: boolean
  }
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a browser sent this from another site: `Sec-Fetch-Site` says so or, failing that, a present
 * `Origin` is not the request's own, scheme included. With neither header it is a script, not somebody else's page.
 */
export function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site') return true
  if (site === 'same-origin' || site === 'none') return false
  const { origin } = request.headers
  if (origin === undefined) return false
  const scheme = request.server.isHttpsSite ? 'https' : request.protocol
  const own = `${scheme}://${request.host}`
  // Parsed, both name their port in the same way.
  return !URL.canParse(origin) || !URL.canParse(own) || new URL(origin).origin !== new URL(own).origin
}

/** Refuses writes that come from another site's page. @param https whether browsers reach the site over HTTPS */
export function refuseCrossSiteWrites(app: FastifyInstance, https: boolean): void {
  app.decorate('isHttpsSite', https)
  app.addHook('onRequest', (request, _reply, done) => {
    if (!READING.has(request.method) && isCrossSite(request)) refuse(commonRefusals.cross_site_request)
    done()
  })
}

/**
 * Reads bodies: JSON only, prototype keys refused, an empty body is `{}` whatever its content type. Text that
 * PostgreSQL cannot keep as sent (NUL, half a surrogate pair) is refused wherever it stands: in a path it names
 * nothing (404), in a query or body it is invalid (400).
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, {})
    parseJson(request, body as string, done)
  })
  app.addContentTypeParser('*', (request, _body, done) => {
    if (request.is404 || request.headers['content-length'] === '0') return done(null, {})
    done(Object.assign(new Error('not JSON'), { statusCode: 415 }))
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (hasUnstorableText(request.params)) refuse(commonRefusals.not_found)
    if (!READING.has(request.method)) request.body ??= request.headers['content-type'] ? request.body : {}
    if (hasUnstorableText(request.query) || hasUnstorableText(request.body)) {
      refuse(commonRefusals.validation_failed, [
        { path: '', message: 'Please remove characters that cannot be stored.' },
      ])
    }
    done()
  })
}

/** Looks without recursion: a body may be nested deeper than the stack is. */
function hasUnstorableText(sent: unknown): boolean {
  const unseen = [sent]
  while (unseen.length > 0) {
    const value = unseen.pop()
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) return true
    if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) {
      for (const part of Object.values(value)) unseen.push(part)
    }
  }
  return false
}

/** What proxies say of whom they ask for. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'] as const
/** Asked by whoever looks after the process, through whatever stands in front of it. */
const ASKED_BY_WATCHERS = ['/healthz', '/readyz', '/metrics']

const isForwarded = (headers: IncomingHttpHeaders) => FORWARDED.some((name) => headers[name] !== undefined)

/**
 * Refuses what a proxy forwards, where nothing says which proxies are believed: all visitors would share the proxy's
 * address, and with it one limit on signing in; and cookies would not be bound to HTTPS.
 */
export function refuseForwarded(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isForwarded(request.headers) && !ASKED_BY_WATCHERS.includes(request.routeOptions.url ?? '')) {
      request.log.error(
        'refused: a proxy forwards requests, and TRUST_PROXY does not say whether it is believed. Set it to the address of the proxy, or to off where there is none (docs/operations.md)',
      )
      refuse(commonRefusals.unknown_proxy)
    }
    done()
  })
}

/** Leaves to the application, which refuses it, what is forwarded; `kept` answers all else. */
export function unlessForwarded(kept: RequestListener, application: RequestListener): RequestListener {
  return (request, response) => (isForwarded(request.headers) ? application : kept)(request, response)
}

/** Says of a request's `Host` whether it is a name of this site. */
export type KnowsHost = (host: string | undefined) => boolean

/**
 * The site's own names, whatever the port. IP addresses and `localhost` are always known: another site's page cannot come
 * under them, while it can let a name of its own point to this machine (DNS rebinding).
 *
 * @param names without scheme and port; `any`: nobody is asked
 */
export function knownHosts(names: readonly string[] | 'any'): KnowsHost {
  if (names === 'any') return () => true
  const own = new Set(names.map((name) => name.toLowerCase()))
  // Nearly every request names the same few.
  let last: string | undefined
  return (host) => {
    if (host === undefined) return false
    if (host === last) return true
    const address = `http://${host}`
    // Nothing but a name and a port: no path, no user.
    if (/[^\w.:[\]-]/.test(host) || !URL.canParse(address)) return false
    const { hostname } = new URL(address)
    if (!own.has(hostname) && !isOfThisMachine(hostname)) return false
    last = host
    return true
  }
}

const isOfThisMachine = (name: string) =>
  isIP(name.replace(/^\[|\]$/g, '')) > 0 || name === 'localhost' || name.endsWith('.localhost')

/**
 * Refuses requests for a name that is not the site's, but for those of routes that are asked from inside (`anyHost`).
 * Behind a trusted proxy the name is the one that it forwards.
 */
export function refuseUnknownHosts(app: FastifyInstance, knows: KnowsHost): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.routeOptions.config.anyHost && !knows(request.host)) {
      request.log.warn(
        { host: request.host },
        'refused: this name is not in APP_URL nor ALLOWED_HOSTS, or a proxy does not pass it on as Host',
      )
      refuse(commonRefusals.unknown_host)
    }
    done()
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered whatever name was asked for. */
    anyHost?: boolean
  }
}
