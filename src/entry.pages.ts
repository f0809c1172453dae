import articles from 'virtual:articles'
import legalPages from 'virtual:legal-pages'
import * as build from 'virtual:react-router/server-build'
import { createRequestHandler, RouterContextProvider } from 'react-router'
import { type SiteFiles, siteFiles as writeSiteFiles } from './content/site-files.ts'
import type { PublicFacts } from './facts/contract.ts'
import { offlinePage as renderOfflinePage } from './pages/shell/offline/offline-page.tsx'
import workerScript from './pages/shell/offline/service-worker.ts?script'
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

// The entry of build/server, which `app/pages/bundle.ts` loads.

/** Paths of the pages that are the same for everybody. */
export const publicPages = pathsOf({
  articles: articles.map(({ slug }) => slug),
  legal: legalPages.map(({ slug }) => slug),
})

/** Sitemap, feed, robots and manifest, and the style sheet. */
export const siteFiles = async (origin: string, facts: PublicFacts): Promise<SiteFiles> => ({
  ...(await writeSiteFiles(origin, { articles, legalPages }, facts)),
  [STYLE_SHEET]: { type: 'text/css; charset=utf-8', text: css },
})

/** The HTML of the page that service workers cache. */
export const offlinePage = (facts: PublicFacts) => renderOfflinePage(facts, css)

/** Members see the offline page when the network takes longer. */
const SLOW_MS = 800

/** The service worker's file. @param release changes with every build of the pages */
export function serviceWorker(release: string): string {
  const options = {
    release,
    offlinePage: OFFLINE_PAGE,
    pages: [...publicPages, ...BEHIND_LOGIN.filter((path) => !WITHOUT_WORKER.includes(path))],
    impatient: WITH_FIRST_DATA,
    slowMs: SLOW_MS,
  }
  return `self.options=${JSON.stringify(options)}\n${workerScript}`
}

const handle = createRequestHandler(build)

export const render: Render = (path, visit, signal) => {
  const context = new RouterContextProvider()
  context.set(visitContext, visit)
  return during(visit, () => handle(new Request(visit.origin + path, { signal }), context))
}
