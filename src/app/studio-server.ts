import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { PASSWORD_COST, type PasswordCost, rotateAppSecrets } from '#accounts/server/accounts.ts'
import { type OutcomeCounter, outcomeCounter } from '#attention/server/attention.ts'
import { rotateCalendarAddress } from '#calendar/server/calendar.ts'
import { PublicFactsCache } from '#facts/server/facts.ts'
import type { Clock } from '#foundation/instants.ts'
import { rotateHealthKeys } from '#health/server/health.ts'
import { createMailer } from '#messages/server/delivery.ts'
import type { ShownPush } from '#messages/server/messages.ts'
import { twilio } from '#messages/server/twilio.ts'
import { type Provider, stripeClient, stripeProvider } from '#payments/server/payments.ts'
import { type Database, type LogLine, openDatabase, UNTIL_NEXT_MINUTE_MS } from '#platform/database/database.ts'
import type { RetryStep } from '#platform/database/retry-while-unavailable.ts'
import { databaseReadiness } from '#platform/http/health-checks.ts'
import { listen } from '#platform/http/listen.ts'
import type { Reach } from '#platform/http/public-internet.ts'
import { type Jobs, startJobs } from '#platform/jobs/jobs.ts'
import { LIMITS, type Limits } from '#platform/limits.ts'
import { secretBox } from '#platform/vault/secret-box.ts'
import { createVault } from '#platform/vault/vault.ts'
import { studio } from '#studio.ts'
import { rotateVoucherCodes } from '#vouchers/server/vouchers.ts'
import { buildApp } from './app.ts'
import { settleRestored } from './backup/settle-restored.ts'
import type { StripeSandbox } from './demo/sandbox.ts'
import type { TwilioSandbox } from './demo/text-sandbox.ts'
import type { BuiltPages } from './pages/bundle.ts'
import type { Pages } from './pages/pages.ts'
import { queuePlans } from './queues.ts'
import type { Settings } from './settings.ts'
import { studioWorkers } from './workers.ts'

/** Prerendered pages show a change by an admin in another process after at most this, plus the time to render them. */
const LOOK_MS = 15_000
const MAX_SHOWN_PUSHES = 100
/** Where this machine reaches a server that listens on all its addresses. */
const LOOPBACK: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

export type StudioServer = {
  app: FastifyInstance
  database: Database
  /** The same database with longer limits: for jobs and exports. */
  background: Database
  jobs: Jobs
  workers: ReturnType<typeof studioWorkers>
  provider: Provider | undefined
  sandbox: StripeSandbox | undefined
  textSandbox: TwilioSandbox | undefined
  outcomes: OutcomeCounter
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  origin: string
  /**
   * Stops being ready and takes no further jobs; serves on until `notice` settles, so that a proxy notices; then
   * finishes requests and jobs in progress and closes the database.
   */
  close(options?: { notice?: Promise<unknown> }): Promise<void>
}

/**
 * Runs the whole application on a migrated database: web, jobs and, in demo mode, the sandbox.
 *
 * @param options.workQueues false in tests, which run jobs themselves
 * @param options.strict whether an undeclared refusal is an error
 * @param options.connections overrides the settings, for tests
 * @param options.limits shorter in tests
 * @param options.passwordCost lower in tests
 * @param options.reach where tests may read a calendar and send notifications
 * @param options.retryStep wraps the database work of the start
 * @param options.refreshMs the time between looks, in tests
 * @param options.beforeListening frees the address
 * @param options.pages the built pages; without them only the API is served
 */
export async function runStudio(
  settings: Settings & { databaseUrl: string },
  options: {
    clock: Clock
    log: Logger
    workQueues: boolean
    strict: boolean
    connections?: number
    limits?: Limits
    passwordCost?: PasswordCost
    reach?: Reach
    retryStep?: RetryStep
    refreshMs?: number
    beforeListening?: () => Promise<void>
    pages?: BuiltPages
  },
): Promise<StudioServer> {
  const { clock, log, limits = LIMITS, passwordCost = PASSWORD_COST, retryStep = (step) => step() } = options
  const onError = (error: unknown) => log.error({ err: error }, 'background error')
  const jobs = await retryStep(() =>
    startJobs(settings.databaseUrl, {
      plans: queuePlans,
      timeZone: studio.timeZone,
      notifies: options.workQueues,
      onError,
    }),
  )
  const { enqueue } = jobs
  const logRecord = (line: LogLine) => log.info(line, 'on record')
  const database = openDatabase(settings.databaseUrl, {
    enqueue,
    log: logRecord,
    connections: options.connections ?? settings.connections.web,
    limits: limits.web,
  })
  // Separate from the web's, so that neither keeps the other waiting.
  const background = openDatabase(settings.databaseUrl, {
    enqueue,
    log: logRecord,
    connections: settings.connections.background,
    name: 'studio background',
    idleTimeoutMillis: UNTIL_NEXT_MINUTE_MS,
    limits: limits.background,
  })
  // Health checks and metrics are answered although all other connections are busy.
  const watch = openDatabase(settings.databaseUrl, { connections: 2, name: 'studio watch', limits: limits.watch })
  const limitMs = limits.watch.connectionMs + limits.watch.statementMs
  const metrics = settings.metricsToken
    ? (await import('./studio-metrics.ts')).studioMetrics({ database, background, watch: watch.db, clock, limitMs })
    : undefined
  const isDatabaseReady = databaseReadiness(watch.db)
  let isLeaving = false
  const vault = createVault(settings.healthDataKeys, (record) =>
    log.error({ record }, 'a sealed health record cannot be read'),
  )
  await retryStep(() => rotateHealthKeys(background.transaction, vault))
  await retryStep(() => background.transaction((tx) => rotateAppSecrets(tx, secretBox(vault, 'authenticator-app'))))
  await retryStep(() => background.transaction((tx) => rotateCalendarAddress(tx, secretBox(vault, 'calendar-address'))))
  await retryStep(() => background.transaction((tx) => rotateVoucherCodes(tx, vault)))
  await retryStep(() => settleRestored(background, jobs, clock.now()))

  const pushes: ShownPush[] = []
  const showPush = (notice: Omit<ShownPush, 'at'>) => {
    pushes.unshift({ ...notice, at: clock.now().toString() })
    pushes.length = Math.min(pushes.length, MAX_SHOWN_PUSHES)
  }
  // The addresses of the provider and the sandbox, which this server may serve itself, are known once it listens.
  const address = { origin: '' }
  const { payments } = settings
  const sandbox =
    payments.kind === 'sandbox'
      ? (await import('./demo/sandbox.ts')).demoSandbox(payments, {
          pool: background.pool,
          clock,
          log,
          origin: () => address.origin,
        })
      : undefined
  const stripe =
    payments.kind === 'disabled'
      ? undefined
      : stripeClient({
          limitMs: limits.providerMs,
          secretKey: payments.secretKey,
          apiUrl: payments.apiUrl ?? (sandbox && (() => `${address.origin}/sandbox/stripe`)),
        })
  const provider = stripe && stripeProvider(stripe, { limitMs: limits.providerMs, onError })

  const { texts } = settings
  const textSandbox =
    texts.kind === 'sandbox'
      ? (await import('./demo/text-sandbox.ts')).demoTextSandbox(texts, {
          appUrl: settings.appUrl,
          log,
          origin: () => address.origin,
        })
      : undefined
  const texter =
    texts.kind === 'off'
      ? undefined
      : twilio(
          {
            ...texts,
            apiUrl: () => texts.apiUrl ?? (textSandbox ? `${address.origin}/sandbox/twilio` : 'https://api.twilio.com'),
          },
          limits.providerMs,
        )

  const outcomes = outcomeCounter(background, clock)
  const mailboxDir = join(settings.dataDir, 'mailbox')
  const mailer = createMailer(settings, { mailboxDir, clock })
  const workers = studioWorkers({
    settings,
    clock,
    database,
    background,
    vault,
    provider,
    mailer,
    texter,
    outcomes,
    reach: options.reach,
    onPush: settings.mode === 'demo' ? showPush : undefined,
    onError,
  })

  const facts = new PublicFactsCache(background.db, clock, settings.mode)
  await retryStep(() => facts.renew())

  const { app, pages } = await buildApp({
    settings,
    clock,
    database,
    background,
    limits,
    passwordCost,
    vault,
    log,
    payments: provider && stripe && { provider, stripe },
    sandbox,
    textSandbox,
    outcomes,
    workQueues: options.workQueues,
    mailboxDir,
    metrics,
    readiness: async () => (isLeaving ? 'stopping' : await isDatabaseReady()),
    isLeaving: () => isLeaving,
    strict: options.strict,
    reach: options.reach,
    pushes,
    pages: options.pages,
    facts,
  })
  let closed: Promise<void> | undefined
  let refreshing: NodeJS.Timeout | undefined
  async function close(notice: Promise<unknown> | undefined): Promise<void> {
    isLeaving = true
    clearInterval(refreshing)
    jobs.rest()
    await Promise.all([notice, pages.stop()])
    await app.close()
    await jobs.stop()
    mailer.close()
    await Promise.all([database.close(), background.close(), watch.close()])
  }
  try {
    await app.ready()
    await renderWithRetries(pages, log)
    await options.beforeListening?.()
    await listen(app, settings)
  } catch (error) {
    // Jobs and pages would fail once the database stops.
    await close(undefined)
    throw error
  }
  refreshing = setInterval(() => void pages.look(), options.refreshMs ?? LOOK_MS)
  const listening = app.server.address()
  const port = typeof listening === 'object' && listening ? listening.port : settings.port
  address.origin = `http://${LOOPBACK[settings.host] ?? settings.host}:${port}`
  log.info(`Server listening at ${address.origin}`)
  if (options.workQueues) await jobs.work(workers)

  return {
    app,
    database,
    background,
    jobs,
    workers,
    provider,
    sandbox,
    textSandbox,
    outcomes,
    origin: address.origin,
    close({ notice } = {}) {
      closed ??= close(notice)
      return closed
    },
  }
}

/** A busy database delays the first pages; it does not fail the start. */
async function renderWithRetries(pages: Pick<Pages, 'renderAll'>, log: Logger): Promise<void> {
  for (;;) {
    try {
      return await pages.renderAll()
    } catch (error) {
      if (!(error instanceof Error && 'status' in error && error.status === 503)) throw error
      log.warn({ err: error }, 'the pages wait for the database')
      await pause(1000)
    }
  }
}
