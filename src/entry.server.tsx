import articles from 'virtual:articles'
import legalPages from 'virtual:legal-pages'
import { renderToReadableStream } from 'react-dom/server'
import {
  createRequestHandler,
  type EntryContext,
  type HandleErrorFunction,
  RouterContextProvider,
  type ServerBuild,
  ServerRouter,
} from 'react-router'
import { type SiteFiles, siteFiles as writeSiteFiles } from './content/site-files.ts'
import type { PublicFacts } from './facts/contract.ts'
import { offlinePage as drawOfflinePage } from './pages/shell/offline/offline-page.tsx'
import { serviceWorkerText } from './pages/shell/offline/service-worker.ts'
import { Frame } from './pages/shell/page-scripts.tsx'
import { type Render, visitContext } from './pages/shell/visit.ts'
import { during } from './pages/shell/visits.server.ts'
import {
  BEHIND_LOGIN,
  OFFLINE_PAGE,
  publicPages as pathsOf,
  STYLE_SHEET,
  WITH_FIRST_DATA,
  WITHOUT_WORKER,
} from './site-map.ts'
import css from './ui/theme.css?inline'

/** Paths of the pages that are the same for everybody. */
export const publicPages = pathsOf({
  articles: articles.map(({ slug }) => slug),
  legal: legalPages.map(({ slug }) => slug),
})

/** Sitemap, feed and robots, and the style sheet. */
export const siteFiles = async (origin: string): Promise<SiteFiles> => ({
  ...(await writeSiteFiles(origin, { articles, legalPages })),
  [STYLE_SHEET]: { type: 'text/css; charset=utf-8', text: css },
})

/** The page that browsers keep for when there is no connection. */
export const offlinePage = (facts: PublicFacts) => drawOfflinePage(facts, css)

/** The network has this long to answer a member's page before the kept one is shown: the app is there in under a second. */
const SLOW_MS = 800

/** The service worker's file. @param release changes with every build of the pages */
export const serviceWorker = (release: string) =>
  serviceWorkerText({
    release,
    offlinePage: OFFLINE_PAGE,
    pages: [...publicPages, ...BEHIND_LOGIN.filter((path) => !WITHOUT_WORKER.includes(path))],
    impatient: WITH_FIRST_DATA,
    slowMs: SLOW_MS,
  })

/** What has pages of this bundle drawn. It is asked for the bundle because no module can import the one it is part of. */
export function rendererOf(bundle: ServerBuild): Render {
  const handle = createRequestHandler(bundle, 'production')
  return (path, visit, signal) => {
    const context = new RouterContextProvider()
    context.set(visitContext, visit)
    return during(visit, () => handle(new Request(visit.origin + path, { signal }), context))
  }
}

/** Called by React Router when the loaders are done. A page that is kept is whole before it is handed out, or not at all. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { nonce, scripts, onError } = loadContext.get(visitContext)
  const frame = { css: import.meta.env.DEV ? '' : css, scripts, nonce }
  const stream = await renderToReadableStream(
    <Frame value={frame}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </Frame>,
    { nonce, signal: request.signal, onError },
  )
  if (!nonce) await stream.allReady
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(stream, { status, headers })
}

/** Called by React Router with what a loader or a page threw. */
export const handleError: HandleErrorFunction = (error, { context, request }) => {
  if (!request.signal.aborted) context.get(visitContext).onError(error)
}
