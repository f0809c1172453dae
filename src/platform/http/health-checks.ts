import type { FastifyInstance } from 'fastify'
import { RETRY_AFTER } from './errors.ts'

/** Whether a process should be sent requests, and if not, why. */
export type Readiness = 'starting' | 'ready' | 'stopping' | 'no database' | 'not migrated'

/**
 * Serves `/healthz`, which asks nothing and nobody, and `/readyz`, which answers 503 unless requests are welcome. Both
 * are asked every few seconds for ever, so a call leaves no line in the log.
 */
export function serveHealthChecks(app: FastifyInstance, readiness: () => Readiness | Promise<Readiness>): void {
  const quiet = { schema: { hide: true }, logLevel: 'warn' } as const
  app.get('/healthz', quiet, (_request, reply) => {
    reply.header('cache-control', 'no-store').send({ status: 'alive' })
  })
  app.get('/readyz', quiet, async (_request, reply) => {
    const status = await readiness()
    reply.header('cache-control', 'no-store')
    if (status !== 'ready') reply.code(503).header('retry-after', RETRY_AFTER)
    return { status }
  })
}
