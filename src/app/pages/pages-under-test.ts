import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { PublicFacts } from '#facts/contract.ts'
import { publicFacts } from '#facts/rules.ts'
import { type Clock, systemClock } from '#foundation/instants.ts'
import type { Visit } from '#pages/shell/visit.ts'
import { handleErrors } from '#platform/http/errors.ts'
import { type KnowsHost, knownHosts } from '#platform/http/guards.ts'
import { ResponseCache } from '#platform/http/response-cache.ts'
import { sendSecurityHeaders } from '#platform/http/security-headers.ts'
import type { Caller, Http } from '#platform/http/serve.ts'
import { compressResponses } from '#platform/http/written-file.ts'
import { PUBLIC_PAGES } from '#public-pages.ts'
import { initialFacts } from '#studio.ts'
import type { BuiltPages } from './bundle.ts'
import { type Pages, servePages } from './pages.ts'

/** Pages under test read nothing else about a caller. */
export const MEMBER = {
  isAdmin: false,
  isTeacher: false,
  role: 'member',
  mustProve: () => false,
} as Partial<Caller> as Caller

type Options = {
  /** Default: the machine's. */
  clock?: Clock
  origin?: string
  live?: boolean
  stripe?: boolean
  /** Renders a page in place of React. */
  render: (path: string, visit: Visit) => string | Promise<string>
  /** API responses by path. */
  api?: Record<string, (request: FastifyRequest) => unknown>
  /** Names of the built files. */
  assets?: string[]
  /** Default: the facts in `src/studio.ts`. */
  facts?: () => PublicFacts
  /** Hosts whose pages are served from the cache. Default: any. */
  knows?: KnowsHost
  /** Default: everybody is a member. */
  findCaller?: Http['findCaller']
  /** Called for every response from the cache. */
  onKept?: (path: string | undefined) => void
}

/** A site with prerendered pages from `render`. Closing it removes its files. */
export async function openPages(options: Options): Promise<{ app: FastifyInstance; pages: Pages }> {
  const { origin = 'https://www.studio.example', live = true, stripe = false, api = {}, onKept } = options
  const responseCache = new ResponseCache(options.knows ?? knownHosts('any'), ({ url }) => onKept?.(url))
  const built = builtPages(options.render, options.assets)
  const app = fastify({ serverFactory: (handle) => createServer(responseCache.before(handle)) })
  app.addHook('onClose', () => rmSync(built.folder, { recursive: true }))
  app.decorateRequest('caller', null)
  handleErrors(app)
  await sendSecurityHeaders(app, { https: true, hstsSubdomains: false })
  await compressResponses(app)
  for (const [path, response] of Object.entries(api)) app.get(path, async (request) => response(request))
  const pages = await servePages(app, {
    built,
    clock: options.clock ?? systemClock,
    facts: options.facts ?? (() => publicFacts(initialFacts, '2026-12-07')),
    responseCache,
    origin,
    stripe,
    live,
    hasSession: ({ headers }) => headers.cookie !== undefined,
    findCaller: options.findCaller ?? (async () => MEMBER),
    reads: new Map(
      Object.entries(api).map(([path, response]) => [path, async (request) => String(await response(request))]),
    ),
  })
  await app.ready()
  await pages.renderAll()
  return { app, pages }
}

/** A bundle as the build makes it, with a folder that the test must remove. */
export function builtPages(render: Options['render'], assets?: string[]): BuiltPages {
  return {
    folder: builtFolder(assets),
    bundle: {
      render: async (path, visit) => new Response(await render(path, visit)),
      publicPages: PUBLIC_PAGES,
      siteFiles: async (address) => ({
        '/robots.txt': { type: 'text/plain; charset=utf-8', text: `${address}/blog` },
      }),
      offlinePage: ({ visit }) => `<p>${visit.door}</p><script>show()</script>`,
      serviceWorker: (release) => `work("${release}")`,
    },
  }
}

function builtFolder(assets = ['entry-abc.js']): string {
  const folder = mkdtempSync(join(tmpdir(), 'studio-pages-'))
  mkdirSync(join(folder, 'assets'))
  for (const name of assets) writeFileSync(join(folder, 'assets', name), 'export {}')
  mkdirSync(join(folder, 'email-pictures'))
  writeFileSync(join(folder, 'email-pictures', 'room-noon.jpg'), 'noon')
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  return folder
}
