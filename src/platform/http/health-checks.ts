import type { FastifyInstance } from 'fastify'
import { askedOnce } from '../asked-once.ts'
import type { Reader } from '../database/database.ts'
import { isMigrated } from '../database/migrate.ts'
import { RETRY_AFTER } from './errors.ts'

/** Whether a process should be sent requests, and if not, why. */
export type Readiness = 'starting' | 'ready' | 'stopping' | 'no database' | 'not migrated'

/**
 * Serves `/healthz`, which asks nothing and nobody, and `/readyz`, which answers 503 unless requests are welcome. Both
 * are asked every few seconds for ever, so a call leaves no line in the log.
 *
 * @param options.isLeaving whether whoever is answered should not keep the connection
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
  // When the answer leaves, not when the request came: those under way are told, too.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (options.isLeaving()) reply.header('connection', 'close')
    done()
  })
}

/**
 * Whether the database answers and knows every migration of this code. Nothing else is asked, and however many ask at
 * once, the database is asked once.
 */
export function databaseReadiness(db: Reader): () => Promise<Readiness> {
  return askedOnce(async () => {
    try {
      return (await isMigrated(db)) ? 'ready' : 'not migrated'
    } catch {
      return 'no database'
    }
  })
}
