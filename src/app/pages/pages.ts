import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { createBrotliCompress, createGzip, constants as zlib } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PublicFacts } from '#facts/contract.ts'
import type { Clock } from '#foundation/instants.ts'
import type { Render, Visit } from '#pages/shell/visit.ts'
import { answerUnknown } from '#platform/http/errors.ts'
import { internalHeaders } from '#platform/http/internal-requests.ts'
import type { KeptAnswers } from '#platform/http/kept-answers.ts'
import { nonceOnlyPolicy, pagePolicy, WORKER_POLICY } from '#platform/http/security-headers.ts'
import { encodingFor, WrittenFile } from '#platform/http/written-file.ts'
import {
  ALIASES,
  BEHIND_LOGIN,
  FORMS,
  NOT_FOUND_BY_SEARCH,
  OFFLINE_PAGE,
  OUTSIDE_LIVE_MODE,
  SERVICE_WORKER,
  WITH_FIRST_DATA,
} from '#site-map.ts'
import type { BuiltPages, PagesBundle } from './bundle.ts'
import { FirstStyles } from './first-styles.ts'
import { KeptPages } from './kept-pages.ts'

const YEAR = 31_536_000
/** The built files whose names say what is in them. */
const ASSETS = 'assets'
/** Pictures that mails name, for as long as mails are read. */
const LETTERS = 'letters'
/** Pages load Stripe's script here and nowhere else. */
const CHECKOUT = '/checkout'

export type Pages = {
  /** Draws every page that is kept, from what the API answers now. Before anybody may ask for one. */
  draw(): Promise<void>
  /** Draws those again that depend on what the API answers. */
  renew(): Promise<void>
  /** Draws none again from now on; resolves when the one under way is drawn. Before the server is closed. */
  rest(): Promise<void>
}

type Options = {
  /** The bundle and the folder of its files. Absent in development, where Vite serves the pages, and this server only the API. */
  built: BuiltPages | undefined
  /** Where the site lives. */
  origin: string
  /** The checkout hosts Stripe's Payment Element. */
  stripe: boolean
  /** Without the pages for those who build the site. */
  live: boolean
  clock: Clock
  /** What the studio says of itself now. */
  facts: () => PublicFacts
  /** Gives the public pages from before the application, until they rest. */
  answers: KeptAnswers
  /** Whether a request comes with a session, which may have ended. */
  hasSession: (request: FastifyRequest) => boolean
}

/**
 * Serves the site's pages, drawn by React: public ones, and shells of those behind the login, from memory; what a member
 * sees first for whoever is signed in. Besides them aliases and trailing slashes by 301, hashed assets for ever, and the
 * 404 page with status 404 for every other path.
 */
export async function servePages(app: FastifyInstance, options: Options): Promise<Pages> {
  const { built, clock, origin, live, answers } = options
  if (!built) {
    app.setNotFoundHandler(answerUnknown)
    return { draw: async () => {}, renew: async () => {}, rest: async () => {} }
  }
  const { bundle, folder } = built
  const shells = live ? BEHIND_LOGIN : [...BEHIND_LOGIN, ...OUTSIDE_LIVE_MODE]
  const hidden = new Set<string>([...shells, ...NOT_FOUND_BY_SEARCH])
  const keepAnswer = (path: string) =>
    answers.keep(path, (encoding) =>
      app.inject({ url: path, headers: { ...internalHeaders, 'accept-encoding': encoding } }),
    )
  const kept = new KeptPages({
    render: bundle.render,
    clock,
    paths: [...bundle.publicPages, ...shells],
    origin,
    facts: options.facts,
    ask: (path) => ask(app, path),
    onChange: (path) => {
      if (!bundle.publicPages.includes(path)) return
      keepAnswer(path)
    },
    onError: (error, path) =>
      app.log.error({ err: error, path }, 'a page could not be drawn again; the one before stays'),
    laterScripts: (path) => bundle.publicPages.includes(path) && !FORMS.includes(path),
    stripe: (path) => options.stripe && path === CHECKOUT,
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
      // Mail programs on the web show a letter's picture on pages of their own.
      if (place === LETTERS) response.header('cross-origin-resource-policy', 'cross-origin')
    },
  })

  // Every page asks for a dozen of them, and no file of that name is ever another.
  const assets = (await readdir(join(folder, ASSETS))).filter((name) => !/\.(br|gz)$/.test(name))
  for (const name of assets) keepAnswer(`/${ASSETS}/${name}`)

  const sendKept = (request: FastifyRequest, reply: FastifyReply, path: string, status = 200) => {
    const { file, policy } = kept.at(path)
    reply.header('content-security-policy', policy)
    if (hidden.has(path)) reply.header('x-robots-tag', 'noindex')
    return file.send(request, reply, status)
  }
  // They choose their encoding themselves.
  const served = { schema: { hide: true }, compress: false } as const
  const paths = new Set([...bundle.publicPages, ...shells])
  paths.delete('/404')
  for (const path of paths) {
    app.get(path, served, async (request, reply) => {
      if (WITH_FIRST_DATA.includes(path) && options.hasSession(request)) {
        reply.header('x-robots-tag', 'noindex')
        if (
          await sendDrawn(request, reply, {
            render: bundle.render,
            clock,
            origin,
            facts: options.facts(),
            ask: (asked) => ask(app, asked, request),
          })
        )
          return reply
      }
      return sendKept(request, reply, path)
    })
  }
  for (const [path, { type, text }] of Object.entries(await bundle.siteFiles(origin))) {
    const file = new WrittenFile(text, type)
    app.get(path, served, (request, reply) => file.send(request, reply))
  }

  serveOffline(app, { bundle, assets, facts: options.facts })

  app.get('/404', served, (request, reply) => sendKept(request, reply, '/404', 404))
  app.setNotFoundHandler((request: FastifyRequest, reply) => {
    const [path = '/', search] = request.url.split('?', 2)
    const query = search ? `?${search}` : ''
    if (path === '/api' || path.startsWith('/api/')) return answerUnknown(request, reply)
    if (request.method !== 'GET' && request.method !== 'HEAD') return answerUnknown(request, reply)
    const plain = path.length > 1 ? path.replace(/\/+$/, '') || '/' : path
    const target = ALIASES[plain as keyof typeof ALIASES] ?? plain
    if (target !== path && paths.has(target)) return reply.redirect(target + query, 301)
    return sendKept(request, reply, '/404', 404)
  })
  const rest = () => {
    // From now on the application tells everybody to come over another connection.
    answers.forgetAll()
    return kept.rest()
  }
  return { draw: () => kept.drawAll(), renew: () => kept.renew(), rest }
}

/** Asks the API without the network: as `visitor`, over the same guards and contracts, or as nobody. */
async function ask(app: FastifyInstance, path: string, visitor?: FastifyRequest): Promise<Response> {
  const headers: Record<string, string> = { ...internalHeaders }
  for (const name of ['cookie', 'host', 'x-forwarded-for', 'x-forwarded-proto', 'user-agent']) {
    const value = visitor?.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  const { statusCode, body } = await app.inject({ url: path, headers, remoteAddress: visitor?.socket.remoteAddress })
  return new Response(body, { status: statusCode })
}

/** A database that is slow must not keep the page from coming: the browser asks for what is missing. Ours. */
const ASK_MS = 2000
/** Half of what brotli's best saves over its quickest, for a tenth of the time. */
const QUALITY = 4

/**
 * Draws a page for whoever asks for it, with what it shows first, and sends it as it comes.
 *
 * @param options.ask asks the site's own API as whoever asks for the page
 * @returns false when it could not be drawn: nothing has been sent then
 */
async function sendDrawn(
  request: FastifyRequest,
  reply: FastifyReply,
  options: { render: Render; clock: Clock; origin: string; facts: PublicFacts; ask: Visit['ask'] },
): Promise<boolean> {
  const { render, clock, origin, facts, ask } = options
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const nonce = randomBytes(16).toString('base64')
  const visit: Visit = {
    origin,
    facts,
    now: clock.now().epochMilliseconds,
    nonce,
    scripts: 'soon',
    ask: (path) => within(ASK_MS, ask(path)),
    onError: (error) => {
      // Whoever has left is missed by nobody.
      if (!gone.signal.aborted) request.log.error({ err: error }, 'a page could not be drawn')
    },
  }
  const response = await render(request.url, visit, gone.signal).catch(visit.onError)
  if (response?.status !== 200 || !response.body) return false
  reply.headers({
    'content-security-policy': nonceOnlyPolicy(nonce),
    'content-type': 'text/html; charset=utf-8',
    // It is one person's: nobody who comes back to this browser later may find it.
    'cache-control': 'no-store',
    vary: 'accept-encoding, cookie',
  })
  const html = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding !== 'identity') {
    reply.header('content-encoding', encoding)
    const params = { [zlib.BROTLI_PARAM_QUALITY]: QUALITY }
    const packed = encoding === 'br' ? createBrotliCompress({ params }) : createGzip({ level: QUALITY })
    html.once('error', (error) => packed.destroy(error))
    await reply.send(html.pipe(packed))
  } else {
    await reply.send(html)
  }
  return true
}

function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer))
}

type OfflineOptions = {
  bundle: PagesBundle
  /** Names of the built files, which say what is in them: together they say which release this is. */
  assets: readonly string[]
  /** What the studio says of itself now. */
  facts: () => PublicFacts
}

/** Serves the page that browsers keep for when there is no connection, and the service worker that keeps it (decision 20). */
function serveOffline(app: FastifyInstance, { bundle, assets, facts }: OfflineOptions): void {
  const served = { schema: { hide: true }, compress: false } as const
  const styles = new FirstStyles()
  let drawn: { from: string; page: Promise<{ file: WrittenFile; policy: string }> } | undefined

  async function draw(now: PublicFacts) {
    const html = await styles.leaveUsed(bundle.offlinePage(now))
    return { file: new WrittenFile(html, 'text/html; charset=utf-8'), policy: pagePolicy(html, { stripe: false }) }
  }

  app.get(OFFLINE_PAGE, served, async (request, reply) => {
    const from = JSON.stringify(facts())
    if (drawn?.from !== from) drawn = { from, page: draw(facts()) }
    const { file, policy } = await drawn.page
    reply.headers({ 'content-security-policy': policy, 'x-robots-tag': 'noindex' })
    return file.send(request, reply)
  })

  const release = createHash('sha256')
    .update([...assets].sort().join())
    .digest('base64url')
    .slice(0, 12)
  const worker = new WrittenFile(bundle.serviceWorker(release), 'text/javascript; charset=utf-8')
  app.get(SERVICE_WORKER, served, (request, reply) => {
    reply.header('content-security-policy', WORKER_POLICY)
    return worker.send(request, reply)
  })
}
