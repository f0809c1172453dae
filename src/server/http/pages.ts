import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ALIASES, DRAWN_IN_THE_BROWSER, OUTSIDE_LIVE_MODE, PRERENDERED } from '../../site-map.ts'
import { answerUnknown } from './errors.ts'
import { pagePolicy } from './security-headers.ts'

/** What Vite and React Router write: see scripts/lib/build.mjs. */
const BUILT = join(import.meta.dirname, '../../../build/client')
const FALLBACK = '__spa-fallback.html'
const YEAR = 31_536_000
/** Pages load Stripe's script here and nowhere else. */
const CHECKOUT = '/checkout'

type Page = { file: string; policy: string }

/**
 * Serves the built site: finished HTML for public pages, the app's shell for those drawn in the browser, aliases
 * and trailing slashes by 301, hashed assets for ever, and the 404 page with status 404 for every other path.
 *
 * @param options.stripe the checkout hosts Stripe's Payment Element
 * @param options.live without the pages for those who build the site
 */
export async function servePages(
  app: FastifyInstance,
  options: { stripe: boolean; live: boolean; folder?: string },
): Promise<void> {
  const folder = options.folder ?? BUILT
  if (!existsSync(join(folder, FALLBACK))) {
    // Development: Vite serves the pages, this server only the API.
    app.setNotFoundHandler(answerUnknown)
    return
  }
  const pageOf = (file: string, path: string): Page => {
    const html = readFileSync(join(folder, file), 'utf8')
    return { file, policy: pagePolicy(html, { stripe: options.stripe && path === CHECKOUT }) }
  }
  const pages = new Map<string, Page>()
  for (const path of PRERENDERED) pages.set(path, pageOf(join(path.slice(1), 'index.html'), path))
  const drawn = options.live ? DRAWN_IN_THE_BROWSER : [...DRAWN_IN_THE_BROWSER, ...OUTSIDE_LIVE_MODE]
  for (const path of drawn) pages.set(path, pageOf(FALLBACK, path))
  const missing = pages.get('/404') as Page
  pages.delete('/404')

  await app.register(fastifyStatic, {
    root: folder,
    serve: true,
    wildcard: false,
    index: false,
    redirect: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.html', '**/*.br', '**/*.gz'],
    setHeaders(response, file) {
      // A page names the hashed files of its build: it is asked for again each time.
      if (/\.html(\.br|\.gz)?$/.test(file)) return response.header('cache-control', 'no-cache')
      const hashed = file.replaceAll('\\', '/').includes('/assets/')
      response.header('cache-control', hashed ? `public, max-age=${YEAR}, immutable` : 'public, max-age=3600')
    },
  })

  const send = (reply: FastifyReply, page: Page, status: number) =>
    reply
      .code(status)
      .header('content-security-policy', page.policy)
      .type('text/html; charset=utf-8')
      .sendFile(page.file, { cacheControl: false })

  for (const [path, page] of pages)
    app.get(path, { schema: { hide: true } }, (_request, reply) => send(reply, page, 200))
  app.get('/404', { schema: { hide: true } }, (_request, reply) => send(reply, missing, 404))

  app.setNotFoundHandler((request: FastifyRequest, reply) => {
    const [path = '/', search] = request.url.split('?', 2)
    const query = search ? `?${search}` : ''
    if (path === '/api' || path.startsWith('/api/')) return answerUnknown(request, reply)
    if (request.method !== 'GET' && request.method !== 'HEAD') return answerUnknown(request, reply)
    const plain = path.length > 1 ? path.replace(/\/+$/, '') || '/' : path
    const target = ALIASES[plain as keyof typeof ALIASES] ?? plain
    if (target !== path && pages.has(target)) return reply.redirect(target + query, 301)
    return send(reply, missing, 404)
  })
}
