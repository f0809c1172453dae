import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PublicFacts } from '#facts/contract.ts'
import type { Clock } from '#foundation/instants.ts'
import { answerUnknown } from '#platform/http/errors.ts'
import type { KeptAnswers } from '#platform/http/kept-answers.ts'
import { WrittenFile } from '#platform/http/written-file.ts'
import { ALIASES, BEHIND_LOGIN, FORMS, NOT_FOUND_BY_SEARCH, OUTSIDE_LIVE_MODE, WITH_FIRST_DATA } from '#site-map.ts'
import type { BuiltPages } from './bundle.ts'
import { sendDrawn } from './drawn-pages.ts'
import { KeptPages } from './kept-pages.ts'
import { serveOffline } from './offline.ts'

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
    answers.keep(path, (encoding) => app.inject({ url: path, headers: { 'accept-encoding': encoding } }))
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
  const headers: Record<string, string> = {}
  for (const name of ['cookie', 'host', 'x-forwarded-for', 'x-forwarded-proto', 'user-agent']) {
    const value = visitor?.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  const { statusCode, body } = await app.inject({ url: path, headers, remoteAddress: visitor?.socket.remoteAddress })
  return new Response(body, { status: statusCode })
}
