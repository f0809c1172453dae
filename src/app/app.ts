import { Readable } from 'node:stream'
import cookie from '@fastify/cookie'
import { sql } from 'drizzle-orm'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync, LogController } from 'fastify'
import type { Logger } from 'pino'
import { type PasswordCost, type SignedIn, sessionCookies, throttles } from '#accounts/server/accounts.ts'
import { accountRoutes } from '#accounts/server/routes.ts'
import { countOutcomes, type OutcomeCounter } from '#attention/server/attention.ts'
import { attentionRoutes } from '#attention/server/routes.ts'
import { bookForRegulars } from '#booking/server/booking.ts'
import { bookingRoutes } from '#booking/server/routes.ts'
import { endAddress } from '#calendar/server/calendar.ts'
import { calendarRoutes } from '#calendar/server/routes.ts'
import type { PublicFactsCache } from '#facts/server/facts.ts'
import { factsRoutes } from '#facts/server/routes.ts'
import type { Clock } from '#foundation/instants.ts'
import { healthRoutes } from '#health/server/routes.ts'
import { importRoutes } from '#imports/server/routes.ts'
import { insightRoutes } from '#insights/server/routes.ts'
import { vitalsRoutes } from '#insights/server/vitals.ts'
import { memberOfUnsubscribeLink, objectByAddress } from '#mailings/server/mailings.ts'
import { mailingRoutes } from '#mailings/server/routes.ts'
import { TEXT_RECEIPTS } from '#messages/contract-texts.ts'
import { mailboxRoutes } from '#messages/server/mailbox.ts'
import type { ShownPush } from '#messages/server/messages.ts'
import { linkTokens, sentTexts, textRoutes } from '#messages/server/messages.ts'
import { newsletterRoutes } from '#messages/server/routes.ts'
import { textReceiptRoute } from '#messages/server/send-texts.ts'
import { packageRoutes } from '#packages/server/routes.ts'
import { passRoutes } from '#passes/server/routes.ts'
import { type Provider, requestBeginForPlaces, voucherPdf } from '#payments/server/payments.ts'
import { receiptRoutes } from '#payments/server/receipts.ts'
import { paymentRoutes } from '#payments/server/routes.ts'
import { webhookRoute } from '#payments/server/webhooks.ts'
import { pictureRoutes } from '#pictures/server/routes.ts'
import { type Database, onlyRow } from '#platform/database/database.ts'
import { diskSpace } from '#platform/disk.ts'
import { openServer } from '#platform/http/connections.ts'
import { handleErrors, handleUnreadablePath } from '#platform/http/errors.ts'
import {
  knownHosts,
  readJsonBodies,
  refuseCrossSiteWrites,
  refuseForwarded,
  refuseUnknownHosts,
  unlessForwarded,
} from '#platform/http/guards.ts'
import { type Readiness, serveHealthChecks } from '#platform/http/health-checks.ts'
import { isInternal } from '#platform/http/internal-requests.ts'
import { applySchemas, describeApi, serveApiDocs } from '#platform/http/openapi.ts'
import type { Reach } from '#platform/http/public-internet.ts'
import { ResponseCache } from '#platform/http/response-cache.ts'
import { sendSecurityHeaders } from '#platform/http/security-headers.ts'
import type { Http } from '#platform/http/serve.ts'
import { measureRequests, serveMetrics } from '#platform/http/serve-metrics.ts'
import { limitResponses } from '#platform/http/time-limit.ts'
import { compressResponses } from '#platform/http/written-file.ts'
import type { Limits } from '#platform/limits.ts'
import type { Metrics } from '#platform/metrics/metrics.ts'
import { secretBox } from '#platform/vault/secret-box.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { privacyRoutes } from '#privacy/server/routes.ts'
import { pushKeys, pushRoutes } from '#push/server/push.ts'
import { scheduleRoutes } from '#schedule/server/routes.ts'
import { cspReportRoute, recordAccessRefusals } from '#security/server/security.ts'
import { setUpRoutes } from '#setup/server/routes.ts'
import { BEHIND_LOGIN } from '#site-map.ts'
import { timetableRoutes } from '#timetable/server/routes.ts'
import { voucherRoutes } from '#vouchers/server/routes.ts'
import type { BuiltPages } from './pages/bundle.ts'
import { type Pages, servePages } from './pages/pages.ts'
import type { Settings } from './settings.ts'

declare module '#platform/http/serve.ts' {
  interface Caller extends SignedIn {}
}

const MAX_BODY_BYTES = 100 * 1024

type AppParts = {
  settings: Settings
  clock: Clock
  database: Database
  /** With longer limits, for exports. */
  background: Database
  limits: Limits
  passwordCost: PasswordCost
  vault: Vault
  log: Logger
  /** Absent if card payments are not set up. */
  payments: { provider: Provider; stripe: Parameters<typeof webhookRoute>[1]['stripe'] } | undefined
  /** Demo and tests only. */
  sandbox: FastifyPluginAsync | undefined
  textSandbox: FastifyPluginAsync | undefined
  outcomes: OutcomeCounter
  /** Whether this process runs jobs; tests run them one by one. */
  workQueues: boolean
  mailboxDir: string
  /** Absent without a metrics token. */
  metrics: Metrics | undefined
  readiness: () => Promise<Readiness>
  isLeaving: () => boolean
  strict: boolean
  /** Only in tests. */
  reach: Reach | undefined
  /** The notifications that the demo has sent, newest first. */
  pushes: readonly ShownPush[]
  /** Absent: only the API is served. */
  pages: BuiltPages | undefined
  /** The studio's facts, already read once. */
  facts: PublicFactsCache
}

/** Assembles the web application: guards, then each part's routes, then pages. It neither listens nor renders yet. */
export async function buildApp(
  parts: AppParts,
): Promise<{ app: FastifyInstance; pages: Omit<Pages, 'refresh' | 'isDue'> & { look(): Promise<void> } }> {
  const { settings, clock, database, background, limits, passwordCost } = parts
  const https = settings.appUrl.startsWith('https:')
  const transport = { https, hstsSubdomains: settings.hstsSubdomains }
  const knowsHost = knownHosts(settings.knownHosts)
  const loggerInstance: FastifyBaseLogger = parts.log.child({})
  const responseCache = new ResponseCache(knowsHost, (request, response, elapsedMs) => {
    parts.log.info({ req: request, res: response, responseTime: elapsedMs }, 'request completed')
    const labels = { method: request.method, route: request.url, status: response.statusCode }
    parts.metrics?.requestSeconds.observe(labels, elapsedMs / 1000)
  })
  const app: FastifyInstance = fastify({
    loggerInstance,
    // A page's requests to the API belong to its own request, which is logged.
    logController: new LogController({ disableRequestLogging: isInternal }),
    trustProxy: trustProxy(settings.trustProxy),
    bodyLimit: MAX_BODY_BYTES,
    serverFactory: (handle) => {
      const kept = responseCache.before(handle)
      return openServer(settings.refusesForwarded ? unlessForwarded(kept, handle) : kept, limits)
    },
    frameworkErrors: handleUnreadablePath(transport),
    // A stop waits for requests in progress, not for idle connections.
    forceCloseConnections: 'idle',
    // A kept-alive connection is served to the end, with `connection: close`.
    return503OnClosing: false,
    // A slow start is not an error.
    pluginTimeout: 0,
    routerOptions: { ignoreTrailingSlash: false },
  })
  applySchemas(app)
  app.decorateRequest('caller', null)
  handleErrors(app)
  limitResponses(app, limits)
  if (parts.metrics) measureRequests(app, parts.metrics)
  await sendSecurityHeaders(app, transport)
  if (settings.refusesForwarded) refuseForwarded(app)
  refuseUnknownHosts(app, knowsHost)
  refuseCrossSiteWrites(app, https)
  readJsonBodies(app)
  await compressResponses(app)
  await app.register(cookie, { secret: settings.sessionSecret })
  const { name: studioName } = parts.facts.current
  await describeApi(app, { title: `${studioName}: the studio's API`, appUrl: settings.appUrl })
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done()
  })
  // What the owner changes is shown at once, by other processes at their next look.
  app.addHook('onResponse', async ({ method, caller }, { statusCode }) => {
    if (!caller?.isAdmin || method === 'GET' || statusCode >= 400) return
    void refresh()
    await background.db
      .execute(sql`select nextval('admin_changes')`)
      .catch((err) => app.log.warn({ err }, 'other processes show a change in a minute'))
  })

  countOutcomes(app, parts.outcomes, parts.workQueues)
  serveHealthChecks(app, parts)
  if (parts.metrics && settings.metricsToken) serveMetrics(app, parts.metrics, settings.metricsToken)

  const { adminSecondFactor: secondFactor } = settings
  const cookies = sessionCookies({ database, clock, https, mode: settings.mode, secondFactor })
  cookies.recordSessionUses(app)
  const recordRefusal = recordAccessRefusals({ database, clock })
  const http: Http = {
    app,
    reads: new Map(),
    findCaller: (request) => cookies.findCaller(request),
    strict: parts.strict,
    database,
    clock,
    // The request is refused even if this fails.
    onForbidden: (request, { id }) =>
      recordRefusal(id, request.ip).catch((err) => request.log.warn({ err }, 'a refusal could not be recorded')),
  }
  const { mode, emailVerification: verification } = settings
  const tokenOf = linkTokens(settings.sessionSecret)
  accountRoutes(http, {
    cookies,
    mode,
    verification,
    secondFactor,
    passwordCost,
    tokenOf,
    endKeys: endAddress,
    appUrl: settings.appUrl,
    secrets: secretBox(parts.vault, 'authenticator-app'),
    sendsTexts: settings.texts.kind !== 'off',
  })
  factsRoutes(http, { mode })
  pictureRoutes(http)
  timetableRoutes(http, { bookForRegulars })
  packageRoutes(http)
  passRoutes(http)
  importRoutes(http, { tokenOf })
  healthRoutes(http, { vault: parts.vault })
  const site = (path: string) => `${settings.appUrl}${path}`
  bookingRoutes(http, {
    exports: background.db,
    vault: parts.vault,
    site,
    cookies,
    mode,
    passwordCost,
    tokenOf,
    requestBeginForPlaces,
  })
  scheduleRoutes(http, { site })
  calendarRoutes(http, { site, tokenOf, secrets: secretBox(parts.vault, 'calendar-address') })
  mailingRoutes(http, { tokenOf })
  const throttle = throttles(database.limited, settings.mode)
  paymentRoutes(http, {
    vault: parts.vault,
    mode,
    throttle,
    provider: parts.payments?.provider,
    setup: paymentSetup(settings),
  })
  voucherRoutes(http, {
    vault: parts.vault,
    throttle,
    draw: async (card) => Readable.from(await voucherPdf(background.db, card, settings.appUrl)),
  })
  receiptRoutes(http, { exports: background.db })
  attentionRoutes(http, { disk: () => diskSpace(settings.dataDir), mode: settings.mode })
  setUpRoutes(http, {
    site: { mode, takesCards: parts.payments !== undefined },
  })
  insightRoutes(http, { exports: background.db })
  privacyRoutes(http, { exports: background.db, vault: parts.vault, cookies, throttle })
  await newsletterRoutes(http, {
    tokenOf,
    throttle,
    members: { memberOfUnsubscribeLink, objectByAddress },
  })
  textRoutes(http, { isOn: settings.texts.kind !== 'off' })
  if (settings.texts.kind !== 'off') {
    const receiptUrl = site(TEXT_RECEIPTS)
    await textReceiptRoute(app, { database, authToken: settings.texts.authToken, receiptUrl })
  }
  const measured = new Set<string>([...(parts.pages?.bundle.publicPages ?? []), ...BEHIND_LOGIN])
  const isPage = (path: string) => measured.has(path)
  pushRoutes(http, { keys: pushKeys(settings.sessionSecret), reach: parts.reach })
  vitalsRoutes(http, { isPage, mayReport: throttle.mayReportVitals })
  await cspReportRoute(app, { database, clock, mayReport: throttle.mayReport })
  if (parts.payments && settings.payments.kind !== 'disabled') {
    const { webhookSecret, secretKey } = settings.payments
    await webhookRoute(app, { database, clock, ...parts.payments, webhookSecret, secretKey })
  }
  if (settings.mode === 'demo') {
    mailboxRoutes(app, {
      dir: parts.mailboxDir,
      appUrl: settings.appUrl,
      texts: () => sentTexts(database.db),
      pushes: parts.pushes,
    })
    if (parts.textSandbox) await app.register(parts.textSandbox, { prefix: '/sandbox/twilio' })
    if (parts.sandbox) await app.register(parts.sandbox, { prefix: '/sandbox/stripe' })
  }
  await serveApiDocs(http, { title: `${studioName}: API`, who: mode === 'live' ? 'admin' : 'anyone' })
  const pages = await servePages(app, {
    built: parts.pages,
    clock,
    facts: () => parts.facts.current,
    responseCache,
    origin: settings.appUrl,
    stripe: settings.payments.kind === 'stripe',
    live: settings.mode === 'live',
    hasSession: (request) => cookies.tokenOf(request) !== undefined,
    findCaller: http.findCaller,
    reads: http.reads,
  })
  serveSecurityTxt(app, { clock, origin: settings.appUrl, email: () => parts.facts.current.email })
  let refreshing: Promise<void> | undefined
  async function refresh(): Promise<void> {
    // Read at the next turn.
    refreshing = parts.facts.renew().catch((err) => app.log.warn({ err }, 'the studio’s facts could not be reloaded'))
    await refreshing
    await pages.refresh()
  }
  let looks = 0
  let changesSeen: string | undefined
  /** Renders pages again after an admin's change in any process, when their time is over, and at every fourth look. */
  async function look(): Promise<void> {
    try {
      const { rows } = await background.db.execute<{ changes: string }>(
        sql`select last_value::text || is_called as changes from admin_changes`,
      )
      const { changes } = onlyRow(rows)
      const isSeen = changes === changesSeen
      changesSeen = changes
      looks++
      if (!isSeen || pages.isDue() || looks % 4 === 0) await refresh()
    } catch (err) {
      app.log.warn({ err }, 'changes in other processes could not be read')
    }
  }
  const stop = async () => {
    await pages.stop()
    await refreshing
  }
  return { app, pages: { renderAll: pages.renderAll, look, stop } }
}

/** Fastify asks for each hop whether it is trusted. */
function trustProxy(proxies: Settings['trustProxy']) {
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies
}

function paymentSetup({ payments }: Settings) {
  const publishableKey = payments.kind === 'disabled' ? null : payments.publishableKey
  return { provider: payments.kind, publishableKey }
}

/** RFC 9116: where to report a security problem. */
function serveSecurityTxt(app: FastifyInstance, site: { clock: Clock; origin: string; email: () => string }): void {
  const path = '/.well-known/security.txt'
  app.get(path, { schema: { hide: true } }, (_request, reply) => {
    const expires = site.clock
      .now()
      .add({ hours: 24 * 180 })
      .toString()
    reply.type('text/plain; charset=utf-8')
    return reply.send(
      `Contact: mailto:${site.email()}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${site.origin}${path}\n`,
    )
  })
}
