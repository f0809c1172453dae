import type { FastifyInstance, FastifyRequest } from 'fastify'
import { commonRefusals, refuse } from '../../foundation/refusal.ts'

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a browser sent this from another site: `Sec-Fetch-Site` says so or, failing that, a present
 * `Origin` is not the request's own host. With neither header it is a script, not somebody else's page.
 */
export function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site') return true
  if (site === 'same-origin' || site === 'none') return false
  const { origin } = request.headers
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== request.host
}

/** Refuses writes that come from another site's page. */
export function refuseCrossSiteWrites(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (!READING.has(request.method) && isCrossSite(request)) refuse(commonRefusals.cross_site)
  })
}

/**
 * Reads bodies: JSON only, prototype keys refused, an empty body is `{}` with or without a content type,
 * and text that PostgreSQL cannot keep as sent (NUL, half a surrogate pair) is refused.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, {})
    parseJson(request, body as string, done)
  })
  app.addHook('preValidation', async (request) => {
    if (READING.has(request.method)) return
    request.body ??= request.headers['content-type'] ? request.body : {}
    if (hasUnstorableText(request.body)) {
      refuse(commonRefusals.invalid, [{ path: '', message: 'Please remove characters that cannot be stored.' }])
    }
  })
}

function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  if (Array.isArray(value)) return value.some(hasUnstorableText)
  if (value !== null && typeof value === 'object' && !Buffer.isBuffer(value)) {
    return Object.values(value).some(hasUnstorableText)
  }
  return false
}
