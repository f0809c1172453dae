import type { FastifyInstance } from 'fastify'
import type { Reader } from '../database/database.ts'
import { isMigrated } from '../database/migrate.ts'
import { singleFlight } from '../single-flight.ts'
import { RETRY_AFTER } from './errors.ts'

/** Whether a process is ready for requests, and if not, why. */
export type Readiness = 'starting' | 'ready' | 'stopping' | 'no database' | 'not migrated'

/**
 * Serves `/healthz`, which checks nothing, and `/readyz`, which returns 503 unless requests are welcome. Both are
 * polled every few seconds, so calls are not logged.
 *
 * @param options.isLeaving whether clients should close their connection
 */
export function serveHealthChecks(
  app: FastifyInstance,
  options: { readiness: () => Readiness | Promise<Readiness>; isLeaving: () => boolean },
): void {
  const quiet = { schema: { hide: true }, logLevel: 'warn', config: { anyHost: true } } as const
  app.get('/healthz', quiet, (_request, reply) => {
    reply.header('cache-control', 'no-store').send({ status: 'alive' })
  })
  app.get('/readyz', quiet, async (_request, reply) => {
    const status = await options.readiness()
    reply.header('cache-control', 'no-store')
    if (status !== 'ready') reply.code(503).header('retry-after', RETRY_AFTER)
    return { status }
  })
  // At the end of each response, so requests in progress get it too.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (options.isLeaving()) reply.header('connection', 'close')
    done()
  })
}

/** Whether the database answers and has every migration of this version. Concurrent calls share one query. */
export function databaseReadiness(db: Reader): () => Promise<Readiness> {
  return singleFlight(async () => {
    try {
      return (await isMigrated(db)) ? 'ready' : 'not migrated'
    } catch {
      return 'no database'
    }
  })
}
