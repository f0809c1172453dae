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
