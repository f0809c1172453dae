import { setTimeout as pause } from 'node:timers/promises'
import fastify, { type FastifyBaseLogger } from 'fastify'
import type { Logger } from 'pino'
import { systemClock } from '#foundation/instants.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { handleUnreadablePath, RETRY_AFTER } from '#platform/http/errors.ts'
import { serveHealthChecks } from '#platform/http/health-checks.ts'
import { checkAddress, listen } from '#platform/http/listen.ts'
import { sendSecurityHeaders } from '#platform/http/security-headers.ts'
import { OperatorError } from '#platform/operator-error.ts'
import { studio } from '#studio.ts'
import { studioLog } from './log.ts'
import { loadBuiltPages } from './pages/bundle.ts'
import { prepareDatabase } from './prepare-database.ts'
import { type Settings, settingsOfCommand } from './settings.ts'
import { runStudio } from './studio-server.ts'

const print = (sentence: string) => console.log(sentence)
const STOP_PATIENCE_MS = 20_000

type Part = { close(): Promise<void> }

/** Runs the site as a process until a signal stops it. */
async function openSite(): Promise<void> {
  const settings = settingsOfCommand()
  // Started services, newest first. A signal during the start aborts it and stops them.
  const started: Part[] = []
  const stopping = new AbortController()
  const starting = start(settings, started, stopping.signal)
  stopOnSignals(async () => {
    stopping.abort()
    await starting.catch(() => {})
    await closeAll(started)
  })
  try {
    await starting
  } catch (error) {
    if (stopping.signal.aborted) return
    await closeAll(started)
    throw error
  }
}

async function start(settings: Settings, started: Part[], signal: AbortSignal): Promise<void> {
  const clock = systemClock
  const log = studioLog(process.env.LOG_LEVEL ?? (settings.mode === 'live' ? 'info' : 'warn'))
  // A live site responds immediately that it is starting. The demo listens when it can show something, but a port that
  // is taken is reported before it creates a database.
  const waitingServer = settings.mode === 'live' ? await serveWhileStarting(settings, log) : undefined
  if (waitingServer) started.unshift(waitingServer)
  else await checkAddress(settings)
  const demo = settings.mode === 'demo' ? await import('./demo/demo.ts') : undefined
  const { url, retryStep, stop } = await prepareDatabase(settings, print, { signal })
  started.unshift({ close: stop })
  const running = { ...settings, databaseUrl: url }
  await demo?.loadDemoData(running, { clock, log, print })
  const beforeListening = async () => await waitingServer?.close()
  // In development Vite serves the pages.
  const pages = process.env.NODE_ENV === 'development' ? undefined : await loadBuiltPages()
  const options = { clock, log, workQueues: true, strict: false, retryStep, beforeListening, pages }
  const studio = await runStudio(running, options)
  started.unshift({ close: () => studio.close({ notice: pause(settings.stopNoticeMs) }) })
  print(`\nThe studio is open at ${settings.port === 0 ? studio.origin : settings.appUrl}`)
  if (demo) {
    for (const { email, password, what } of demo.demoAccounts) print(`  ${what}: ${email} / ${password}`)
    print(`  Sent emails: ${settings.appUrl}/dev/mailbox`)
  }
}

async function closeAll(started: Part[]): Promise<void> {
  for (let part = started.shift(); part; part = started.shift()) await part.close()
}

function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) {
        print('Closing now.')
        process.exit(1)
      }
      isStopping = true
      print('Closing after the work in progress.')
      setTimeout(() => process.exit(1), STOP_PATIENCE_MS).unref()
      stop().then(
        () => process.exit(0),
        (error) => {
          console.error(error)
          process.exit(1)
        },
      )
    })
  }
}

const { code, message } = commonRefusals.unavailable
const PAGE = `<!doctype html>
<html lang="${studio.locale}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${RETRY_AFTER}">
<title>One moment, please</title>
<h1>One moment, please</h1>
<p>${message}</p>
</html>
`

/**
 * Serves the address while a live site starts: alive, not ready, and 503 for everything else. So a port that is taken
 * is found before the database is touched, and a long start is not mistaken for a dead process.
 *
 * @throws OperatorError when the address is not available
 */
async function serveWhileStarting(settings: Settings, log: Logger): Promise<{ close(): Promise<void> }> {
  const loggerInstance: FastifyBaseLogger = log.child({})
  const transport = { https: settings.appUrl.startsWith('https:'), hstsSubdomains: settings.hstsSubdomains }
  const frameworkErrors = handleUnreadablePath(transport)
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

openSite().catch((error) => {
  // Faults that the owner can fix are one sentence; other errors show their stack.
  console.error(error instanceof OperatorError ? error.message : error)
  process.exit(1)
})
