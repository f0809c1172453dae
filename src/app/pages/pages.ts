import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PublicFacts } from '#facts/contract.ts'
import type { Clock } from '#foundation/instants.ts'
import type { Render, Visit } from '#pages/shell/visit.ts'
import { handleUnknownPath } from '#platform/http/errors.ts'
import { internalHeaders } from '#platform/http/internal-requests.ts'
import type { ResponseCache } from '#platform/http/response-cache.ts'
import { nonceOnlyPolicy, pagePolicy, WORKER_POLICY } from '#platform/http/security-headers.ts'
import type { Http } from '#platform/http/serve.ts'
import { WrittenFile } from '#platform/http/written-file.ts'
import { within } from '#platform/within.ts'
import {
  ALIASES,
  BEHIND_LOGIN,
  NOT_FOUND_BY_SEARCH,
  OFFLINE_PAGE,
  OUTSIDE_LIVE_MODE,
  SERVICE_WORKER,
  WITH_FIRST_DATA,
} from '#site-map.ts'
import type { BuiltPages, PagesBundle } from './bundle.ts'
import { PrerenderedPages } from './prerendered-pages.ts'

const YEAR = 31_536_000
/** Built files, whose names contain a hash. */
const ASSETS = 'assets'
/** Pictures in emails. */
const LETTERS = 'email-pictures'
/** The only page that loads Stripe's script. */
const CHECKOUT = '/checkout'

/** Files that are compressed already, and not part of the API's description. */
const FILE = { schema: { hide: true }, compress: false } as const

export type Pages = {
  /** Prerenders every page that is the same for everybody. Call it before the site opens. */
  renderAll(): Promise<void>
  /** Prerenders the pages again that have changed. */
  refresh(): Promise<void>
  /** Whether a page changes by itself now: a class starts, or a half hour begins. */
  isDue(): boolean
  /** Stops prerendering; resolves when the page in progress is done. Call it before the server is closed. */
  stop(): Promise<void>
}

type Options = {
  /** Absent in development, where Vite serves the pages and this server only the API. */
  built: BuiltPages | undefined
  /** Where the site lives. */
  origin: string
  /** The checkout hosts Stripe's Payment Element. */
  stripe: boolean
  /** Live mode leaves out the pages for developers. */
  live: boolean
  clock: Clock
  /** The studio's facts now. */
  facts: () => PublicFacts
  /** Serves public pages and built files without the application. */
  responseCache: ResponseCache
  /** Whether a request has a session cookie; the session may have ended. */
  hasSession: (request: FastifyRequest) => boolean
} & Pick<Http, 'findCaller' | 'reads'>

/**
 * Serves the site's pages: public ones, and shells of those behind the login, from memory; /booking and /dashboard are
 * rendered for a member with a session. Also serves built files, redirects aliases and trailing slashes with 301, and
 * answers every other path with the 404 page.
 */
export async function servePages(app: FastifyInstance, options: Options): Promise<Pages> {
  const { built, clock, origin, live, responseCache } = options
  if (!built) {
    app.setNotFoundHandler(handleUnknownPath)
    return { renderAll: async () => {}, refresh: async () => {}, isDue: () => false, stop: async () => {} }
  }
  const { bundle, folder } = built
  const shells: readonly string[] = live ? BEHIND_LOGIN : [...BEHIND_LOGIN, ...OUTSIDE_LIVE_MODE]
  const hidden = new Set<string>([...shells, ...NOT_FOUND_BY_SEARCH])
  const cacheResponse = (path: string) =>
    responseCache.keep(path, (encoding) =>
      app.inject({ url: path, headers: { ...internalHeaders, 'accept-encoding': encoding } }),
    )
  const isPublic = (path: string) => bundle.publicPages.includes(path)
  const prerendered = new PrerenderedPages({
    render: bundle.render,
    clock,
    paths: [...bundle.publicPages, ...shells],
    origin,
    facts: options.facts,
    ask: (path) => fetchApi(app, path),
    onChange: (path) => {
      if (isPublic(path)) cacheResponse(path)
    },
    onError: (error, path) =>
      app.log.error({ err: error, path }, 'a page could not be rendered again; the previous version is served'),
    hasLateScripts: isPublic,
    hasStripe: (path) => options.stripe && path === CHECKOUT,
    reportsViolations: (path) => shells.includes(path),
  })

  await app.register(fastifyStatic, {
    root: folder,
    serve: true,
    wildcard: false,
    index: false,
    redirect: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.br', '**/*.gz'],
    setHeaders(response, file) {
      const [place] = relative(folder, file).split(sep)
      response.header('cache-control', place === ASSETS ? `public, max-age=${YEAR}, immutable` : 'public, max-age=3600')
      // Webmail shows these pictures on its own pages.
      if (place === LETTERS) response.header('cross-origin-resource-policy', 'cross-origin')
    },
  })

  const assets = (await readdir(join(folder, ASSETS))).filter((name) => !/\.(br|gz)$/.test(name))
  for (const name of assets) cacheResponse(`/${ASSETS}/${name}`)

  const sendPrerendered = (request: FastifyRequest, reply: FastifyReply, path: string, status = 200) => {
    const { file, policy } = prerendered.at(path)
    reply.header('content-security-policy', policy)
    if (hidden.has(path) || !options.facts().isConfirmed) reply.header('x-robots-tag', 'noindex')
    return file.send(request, reply, status)
  }
  const paths = new Set([...bundle.publicPages, ...shells])
  paths.delete('/404')
  for (const path of paths) {
    if (!WITH_FIRST_DATA.includes(path)) app.get(path, FILE, (request, reply) => sendPrerendered(request, reply, path))
    else
      app.get(path, { schema: { hide: true } }, async (request, reply) => {
        if (!options.hasSession(request)) return sendPrerendered(request, reply, path)
        reply.header('x-robots-tag', 'noindex')
        const page = await renderForMember(request, reply, {
          render: bundle.render,
          findCaller: options.findCaller,
          reads: options.reads,
          origin,
          facts: options.facts(),
          now: clock.now().epochMilliseconds,
        })
        return page ?? sendPrerendered(request, reply, path)
      })
  }
  await serveSiteFiles(app, { bundle, origin, facts: options.facts })

  serveOffline(app, { bundle, assets, facts: options.facts })

  app.get('/404', FILE, (request, reply) => sendPrerendered(request, reply, '/404', 404))
  app.setNotFoundHandler((request: FastifyRequest, reply) => {
    const [path = '/', search] = request.url.split('?', 2)
    const query = search ? `?${search}` : ''
    if (path === '/api' || path.startsWith('/api/')) return handleUnknownPath(request, reply)
    if (request.method !== 'GET' && request.method !== 'HEAD') return handleUnknownPath(request, reply)
    const plain = path.length > 1 ? path.replace(/\/+$/, '') || '/' : path
    const target = ALIASES[plain as keyof typeof ALIASES] ?? plain
    if (target !== path && paths.has(target)) return reply.redirect(target + query, 301)
    return sendPrerendered(request, reply, '/404', 404)
  })
  const stop = () => {
    // From now on the application closes connections after each response.
    responseCache.forgetAll()
    return prerendered.stop()
  }
  return {
    renderAll: () => prerendered.renderAll(),
    refresh: () => prerendered.refresh(),
    isDue: () => prerendered.isDue(),
    stop,
  }
}

/** Requests this application's own API for a page that is the same for everybody. */
async function fetchApi(app: FastifyInstance, path: string): Promise<Response> {
  const { statusCode, body } = await app.inject({ url: path, headers: internalHeaders })
  return new Response(body, { status: statusCode })
}

/** A slow database must not delay the page: the browser fetches the missing data. Our choice. */
const API_TIMEOUT_MS = 2000

/**
 * Renders a page for a member, with the data it shows first.
 *
 * @returns its HTML, or undefined when it could not be rendered; the shell is sent then
 */
async function renderForMember(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    render,
    findCaller,
    reads,
    ...visit
  }: Pick<Visit, 'origin' | 'facts' | 'now'> & Pick<Options, 'findCaller' | 'reads'> & { render: Render },
): Promise<Buffer | undefined> {
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort())
  const nonce = randomBytes(16).toString('base64')
  const onError = (error: unknown) => {
    if (!disconnected.signal.aborted) request.log.error({ err: error }, 'a page could not be rendered')
  }
  const read = async (address: string) => {
    const { pathname, searchParams } = new URL(address, visit.origin)
    const response = await reads.get(pathname)?.(request, reply, Object.fromEntries(searchParams))
    return new Response(response, { status: response === undefined ? 404 : 200 })
  }
  const ask = (address: string) =>
    within(API_TIMEOUT_MS, read(address)).catch((error) => {
      request.log.warn({ err: error }, 'a page is sent without some of its data')
      throw error
    })
  const renderHtml = async () => {
    request.caller = await within(API_TIMEOUT_MS, findCaller(request))
    if (!request.caller) return undefined
    const response = await render(
      request.url,
      { ...visit, ask, onError, nonce, hasLateScripts: true },
      disconnected.signal,
    )
    // Whole: a stream of small pieces costs more to compress and send, and nothing in it is awaited any more.
    return response.status === 200 ? Buffer.from(await response.arrayBuffer()) : undefined
  }
  const page = await renderHtml().catch(onError)
  if (!page) return undefined
  reply.headers({
    'content-security-policy': nonceOnlyPolicy(nonce),
    'content-type': 'text/html; charset=utf-8',
    // The page is personal, so it must not be found in this browser later.
    'cache-control': 'no-store',
    vary: 'accept-encoding, cookie',
  })
  return page
}

/** Serves the text files of the site, written again when the facts have changed. */
async function serveSiteFiles(
  app: FastifyInstance,
  { bundle, origin, facts }: { bundle: PagesBundle; origin: string; facts: () => PublicFacts },
): Promise<void> {
  const write = async (from: PublicFacts) => {
    const files = Object.entries(await bundle.siteFiles(origin, from))
    return new Map(files.map(([path, { type, text }]) => [path, new WrittenFile(text, type)]))
  }
  let written = { from: JSON.stringify(facts()), files: await write(facts()) }
  for (const path of written.files.keys()) {
    app.get(path, FILE, async (request, reply) => {
      const from = JSON.stringify(facts())
      if (written.from !== from) written = { from, files: await write(facts()) }
      return written.files.get(path)?.send(request, reply)
    })
  }
}

type OfflineOptions = {
  bundle: PagesBundle
  /** Names of the built files. They contain hashes, so together they identify the build. */
  assets: readonly string[]
  facts: () => PublicFacts
}

/** Serves the offline page and the service worker that caches it (decision 20). */
function serveOffline(app: FastifyInstance, { bundle, assets, facts }: OfflineOptions): void {
  let rendered: { from: string; file: WrittenFile; policy: string } | undefined

  app.get(OFFLINE_PAGE, FILE, (request, reply) => {
    const from = JSON.stringify(facts())
    if (rendered?.from !== from) {
      const html = bundle.offlinePage(facts())
      const policy = pagePolicy(html, { stripe: false, reports: false })
      rendered = { from, file: new WrittenFile(html, 'text/html; charset=utf-8'), policy }
    }
    reply.headers({ 'content-security-policy': rendered.policy, 'x-robots-tag': 'noindex' })
    return rendered.file.send(request, reply)
  })

  const release = createHash('sha256')
    .update([...assets].sort().join())
    .digest('base64url')
    .slice(0, 12)
  const worker = new WrittenFile(bundle.serviceWorker(release), 'text/javascript; charset=utf-8')
  app.get(SERVICE_WORKER, FILE, (request, reply) => {
    reply.header('content-security-policy', WORKER_POLICY)
    return worker.send(request, reply)
  })
}
