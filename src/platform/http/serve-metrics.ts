import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Histogram } from 'prom-client'
import type { Metrics } from '../metrics/metrics.ts'
import { isInternal } from './internal-requests.ts'

/** Seconds, up to the time limit of a response. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 12]

/** The histogram of request durations. */
export function requestSeconds({ registry }: Metrics) {
  return new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests, until the last byte was handed over',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
}

/**
 * Records every request by method, route and status. A route is its pattern (`/api/bookings/:id`), so that no id
 * becomes a label; the built files are one route. Requests that this process makes to itself are left out.
 */
export function measureRequests(app: FastifyInstance, seconds: ReturnType<typeof requestSeconds>): void {
  app.addHook('onResponse', (request, reply, done) => {
    done()
    if (isInternal(request)) return
    const pattern = (!request.is404 && request.routeOptions.url) || 'unknown'
    const route = pattern.startsWith('/assets/') ? '/assets/*' : pattern
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
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
