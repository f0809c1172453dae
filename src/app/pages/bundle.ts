import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SiteFiles } from '#content/site-files.ts'
import type { PublicFacts } from '#facts/contract.ts'
import type { Render } from '#pages/shell/visit.ts'

/** What the build makes of `src/entry.pages.ts` and all pages. */
export type PagesBundle = {
  render: Render
  /** Paths of the pages that are the same for everybody. */
  publicPages: readonly string[]
  /** Texts besides pages that name the site's address. */
  siteFiles: (origin: string) => Promise<SiteFiles>
  /** The page for when there is no connection, and the service worker's file for a release of the pages. */
  offlinePage: (facts: PublicFacts) => string
  serviceWorker: (release: string) => string
}

/** The bundle, and the folder of the files that browsers ask for. */
export type BuiltPages = { bundle: PagesBundle; folder: string }

const BUILT = join(import.meta.dirname, '../../../build')

/** Undefined where nothing is built: in development Vite draws the pages, in most tests nobody does. */
export async function loadBuiltPages(): Promise<BuiltPages | undefined> {
  const file = join(BUILT, 'server/index.js')
  if (!existsSync(file)) return undefined
  return { bundle: await import(pathToFileURL(file).href), folder: join(BUILT, 'client') }
}
