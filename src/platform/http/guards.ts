import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { commonRefusals, refuse } from '#foundation/refusal.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether browsers reach the site over HTTPS, whatever a proxy's headers claim. */
    isHttpsSite: boolean
  }
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a browser sent this from another site: by `Sec-Fetch-Site` or, without it, because `Origin` is not the
 * request's own, scheme included. A request with neither header comes from a script, not from another site's page.
 */
export function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site') return true
  if (site === 'same-origin' || site === 'none') return false
  const { origin } = request.headers
  if (origin === undefined) return false
  const scheme = request.server.isHttpsSite ? 'https' : request.protocol
  const own = `${scheme}://${request.host}`
  // Parsed, so that default ports compare equal.
  const [sender, target] = [URL.parse(origin), URL.parse(own)]
  return sender === null || target === null || sender.origin !== target.origin
}

/**
 * Refuses writes from another site's page.
 * @param https whether browsers reach the site over HTTPS
 */
export function refuseCrossSiteWrites(app: FastifyInstance, https: boolean): void {
  app.decorate('isHttpsSite', https)
  app.addHook('onRequest', (request, _reply, done) => {
    if (!READING.has(request.method) && isCrossSite(request)) refuse(commonRefusals.cross_site_request)
    done()
  })
}

/**
 * Reads bodies: JSON only, prototype keys refused, an empty body is `{}` whatever its content type. Text that
 * PostgreSQL cannot store (NUL, half a surrogate pair) gives 404 in a path and 400 in a query or body.
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

/** Without recursion: a body may be nested deeper than the stack. */
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

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'] as const
const MONITORING_PATHS = ['/healthz', '/readyz', '/metrics']

const isForwarded = (headers: IncomingHttpHeaders) => FORWARDED.some((name) => headers[name] !== undefined)

/**
 * Refuses forwarded requests where TRUST_PROXY is not set: all visitors would share the proxy's address, and with it
 * one limit on signing in; and cookies would not be bound to HTTPS.
 */
export function refuseForwarded(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isForwarded(request.headers) && !MONITORING_PATHS.includes(request.routeOptions.url ?? '')) {
      request.log.error(
        'refused: a proxy forwards requests, but TRUST_PROXY is not set. Set it to the address of the proxy, or to off if there is none (docs/operations.md)',
      )
      refuse(commonRefusals.unknown_proxy)
    }
    done()
  })
}

/** Passes forwarded requests to the application, which refuses them; `kept` answers the others. */
export function unlessForwarded(kept: RequestListener, application: RequestListener): RequestListener {
  return (request, response) => (isForwarded(request.headers) ? application : kept)(request, response)
}

/** Whether a `Host` header names this site. */
export type KnowsHost = (host: string | undefined) => boolean

/**
 * Checks `Host` against the site's own names, whatever the port. IP addresses and `localhost` are always known: another
 * site's page cannot use them, but it can point its own name at this machine (DNS rebinding).
 *
 * @param names without scheme and port; `any` accepts every host
 */
export function knownHosts(names: readonly string[] | 'any'): KnowsHost {
  if (names === 'any') return () => true
  const own = new Set(names.map((name) => name.toLowerCase()))
  return (host) => {
    if (host === undefined || /[^\w.:[\]-]/.test(host)) return false
    const url = URL.parse(`http://${host}`)
    return url !== null && (own.has(url.hostname) || isOfThisMachine(url.hostname))
  }
}

const isOfThisMachine = (name: string) =>
  isIP(name.replace(/^\[|\]$/g, '')) > 0 || name === 'localhost' || name.endsWith('.localhost')

/** Refuses other host names, but not for routes with `anyHost`. Behind a trusted proxy the forwarded host counts. */
export function refuseUnknownHosts(app: FastifyInstance, knows: KnowsHost): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.routeOptions.config.anyHost && !knows(request.host)) {
      request.log.warn(
        { host: request.host },
        'refused: this host is not in APP_URL or ALLOWED_HOSTS, or a proxy does not forward the Host header',
      )
      refuse(commonRefusals.unknown_host)
    }
    done()
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Served for any host name. */
    anyHost?: boolean
  }
}
