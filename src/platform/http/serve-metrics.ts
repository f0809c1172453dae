import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../metrics/metrics.ts'
import { isInternal } from './internal-requests.ts'

/**
 * Records every request by method, route and status. A route is its pattern (`/api/bookings/:id`), so that no id
 * becomes a label; the built files are one route. Requests that this process makes to itself are left out.
 */
export function measureRequests(app: FastifyInstance, { requestSeconds }: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    done()
    if (isInternal(request)) return
    const pattern = (!request.is404 && request.routeOptions.url) || 'unknown'
    const route = pattern.startsWith('/assets/') ? '/assets/*' : pattern
    requestSeconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
}

/** Serves `/metrics` to clients with the token; to others it does not exist. */
export function serveMetrics(app: FastifyInstance, metrics: Metrics, token: string): void {
  const expected = digest(`Bearer ${token}`)
  app.get(
    '/metrics',
    { schema: { hide: true }, logLevel: 'warn', config: { anyHost: true } },
    async (request, reply) => {
      if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) return reply.callNotFound()
      const text = await metrics.text()
      return reply.header('cache-control', 'no-store').type(metrics.registry.contentType).send(text)
    },
  )
}

/** A fixed length, for the constant-time comparison. */
const digest = (text: string) => createHash('sha256').update(text).digest()
