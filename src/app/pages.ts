import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defined } from '../foundation/collections.ts'
import { answerUnknown } from '../platform/http/errors.ts'
import { pagePolicy } from '../platform/http/security-headers.ts'
import { WrittenFile } from '../platform/http/written-file.ts'
import { ALIASES, DRAWN_IN_THE_BROWSER, NAMES_THE_SITE, OUTSIDE_LIVE_MODE, STAND_IN } from '../site-map.ts'

/** What Vite and React Router write: see scripts/lib/build.mjs. */
const BUILT = join(import.meta.dirname, '../../build/client')
const FALLBACK = '__spa-fallback.html'
const YEAR = 31_536_000
/** Pages load Stripe's script here and nowhere else. */
const CHECKOUT = '/checkout'

type Page = { file: WrittenFile; policy: string; noindex?: boolean }

/**
 * Serves the built site: finished HTML for public pages, the app's shell for those drawn in the browser, aliases
 * and trailing slashes by 301, hashed assets for ever, and the 404 page with status 404 for every other path.
 *
 * @param options.origin where the site lives: takes the place of the stand-in that pages were written with
 * @param options.stripe the checkout hosts Stripe's Payment Element
 * @param options.live without the pages for those who build the site
 */
export async function servePages(
  app: FastifyInstance,
  options: { origin: string; stripe: boolean; live: boolean; folder?: string },
): Promise<void> {
  const folder = options.folder ?? BUILT
  if (!existsSync(join(folder, FALLBACK))) {
    // Development: Vite serves the pages, this server only the API.
    app.setNotFoundHandler(answerUnknown)
    return
  }
  const finished = (file: string) => readFileSync(join(folder, file), 'utf8').replaceAll(STAND_IN, options.origin)
  const pageOf = (html: string, stripe = false): Page => ({
    file: new WrittenFile(html, 'text/html; charset=utf-8'),
    policy: pagePolicy(html, { stripe }),
  })
  const pages = new Map<string, Page>()
  for (const path of writtenPages(folder)) pages.set(path, pageOf(finished(join(path, 'index.html'))))
  const shell = finished(FALLBACK)
  for (const path of options.live ? DRAWN_IN_THE_BROWSER : [...DRAWN_IN_THE_BROWSER, ...OUTSIDE_LIVE_MODE])
    pages.set(path, { ...pageOf(shell, options.stripe && path === CHECKOUT), noindex: true })
  const missing = { ...defined(pages.get('/404')), noindex: true }
  pages.delete('/404')

  const named = Object.keys(NAMES_THE_SITE).filter((path) => existsSync(join(folder, path)))
  await app.register(fastifyStatic, {
    root: folder,
    serve: true,
    wildcard: false,
    index: false,
    redirect: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.html', '**/*.br', '**/*.gz', ...named.map((path) => path.slice(1))],
    setHeaders(response, file) {
      const hashed = file.replaceAll('\\', '/').includes('/assets/')
      response.header('cache-control', hashed ? `public, max-age=${YEAR}, immutable` : 'public, max-age=3600')
    },
  })

  const send = (request: FastifyRequest, reply: FastifyReply, page: Page, status: number) => {
    reply.header('content-security-policy', page.policy)
    if (page.noindex) reply.header('x-robots-tag', 'noindex')
    return page.file.send(request, reply, status)
  }
  const hidden = { schema: { hide: true } }
  for (const [path, page] of pages) app.get(path, hidden, (request, reply) => send(request, reply, page, 200))
  app.get('/404', hidden, (request, reply) => send(request, reply, missing, 404))
  for (const path of named) {
    const file = new WrittenFile(finished(path), NAMES_THE_SITE[path as keyof typeof NAMES_THE_SITE])
    app.get(path, hidden, (request, reply) => file.send(request, reply))
  }

  app.setNotFoundHandler((request: FastifyRequest, reply) => {
    const [path = '/', search] = request.url.split('?', 2)
    const query = search ? `?${search}` : ''
    if (path === '/api' || path.startsWith('/api/')) return answerUnknown(request, reply)
    if (request.method !== 'GET' && request.method !== 'HEAD') return answerUnknown(request, reply)
    const plain = path.length > 1 ? path.replace(/\/+$/, '') || '/' : path
    const target = ALIASES[plain as keyof typeof ALIASES] ?? plain
    if (target !== path && pages.has(target)) return reply.redirect(target + query, 301)
    return send(request, reply, missing, 404)
  })
}

/** Paths of the pages that were written at build time: each is a folder with its `index.html`. */
function writtenPages(folder: string): string[] {
  const files = globSync('**/index.html', { cwd: folder }).map((file) => dirname(file).replaceAll('\\', '/'))
  return files.map((path) => (path === '.' ? '/' : `/${path}`))
}
