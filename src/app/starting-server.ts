import fastify, { type FastifyBaseLogger } from 'fastify'
import type { Logger } from 'pino'
import { commonRefusals } from '#foundation/refusal.ts'
import { answerUnreadablePath, RETRY_AFTER } from '#platform/http/errors.ts'
import { serveHealthChecks } from '#platform/http/health-checks.ts'
import { listen } from '#platform/http/listen.ts'
import { sendSecurityHeaders } from '#platform/http/security-headers.ts'
import { studio } from '#studio.ts'
import type { Settings } from './settings.ts'

const { code, message } = commonRefusals.unavailable
const PAGE = `<!doctype html>
<html lang="${studio.locale}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${RETRY_AFTER}">
<title>${studio.name}</title>
<h1>${studio.name}</h1>
<p>${message}</p>
</html>
`

/**
 * Serves the address while a live site starts: alive, not ready, and 503 for everything else. So a port that is taken
 * is found before the database is touched, and a long start is not mistaken for a dead process.
 *
 * @throws OperatorError when the address is not available
 */
export async function serveWhileStarting(settings: Settings, log: Logger): Promise<{ close(): Promise<void> }> {
  const loggerInstance: FastifyBaseLogger = log
  const transport = { https: settings.appUrl.startsWith('https:'), hstsSubdomains: settings.hstsSubdomains }
  const frameworkErrors = answerUnreadablePath(transport)
  const app = fastify({ loggerInstance, frameworkErrors, forceCloseConnections: true })
  await sendSecurityHeaders(app, transport)
  serveHealthChecks(app, { readiness: () => 'starting', isLeaving: () => true })
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const wantsPage = request.headers.accept?.includes('text/html')
    reply.code(503).headers({ 'retry-after': RETRY_AFTER, 'cache-control': 'no-store' })
    return wantsPage ? reply.type('text/html; charset=utf-8').send(PAGE) : reply.send({ code, message })
  })
  await listen(app, settings)
  return app
}
