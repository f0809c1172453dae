import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SiteFiles } from '#content/site-files.ts'
import type { PublicFacts } from '#facts/contract.ts'
import type { Render } from '#pages/shell/visit.ts'

/** The exports of `src/entry.pages.ts`. */
export type PagesBundle = {
  render: Render
  /** Paths of the pages that are the same for everybody. */
  publicPages: readonly string[]
  /** Text files with the site's address or facts, by path. The paths are always the same. */
  siteFiles: (origin: string, facts: PublicFacts) => Promise<SiteFiles>
  offlinePage: (facts: PublicFacts) => string
  serviceWorker: (release: string) => string
}

/** The bundle, and the folder of the files for browsers. */
export type BuiltPages = { bundle: PagesBundle; folder: string }

const BUILT = join(import.meta.dirname, '../../../build')

/** Undefined if nothing is built, as in development, where Vite renders the pages. */
export async function loadBuiltPages(): Promise<BuiltPages | undefined> {
  const file = join(BUILT, 'server/index.js')
  if (!existsSync(file)) return undefined
  return { bundle: await import(pathToFileURL(file).href), folder: join(BUILT, 'client') }
}
