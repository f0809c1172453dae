import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SiteFiles } from '../../content/site-files.ts'
import type { Render } from '../../pages/shell/visit.ts'

/** What the build makes of `src/entry.server.tsx` and all pages. */
export type PagesBundle = {
  render: Render
  /** Paths of the pages that are the same for everybody. */
  publicPages: readonly string[]
  /** Texts besides pages that name the site's address. */
  siteFiles: (origin: string) => Promise<SiteFiles>
}

/** The bundle, and the folder of the files that browsers ask for. */
export type BuiltPages = { bundle: PagesBundle; folder: string }

const BUILT = join(import.meta.dirname, '../../../build')

/** Undefined where nothing is built: in development Vite draws the pages, in most tests nobody does. */
export async function loadBuiltPages(): Promise<BuiltPages | undefined> {
  const file = join(BUILT, 'server/index.js')
  if (!existsSync(file)) return undefined
  const bundle = await import(pathToFileURL(file).href)
  const { rendererOf, publicPages, siteFiles } = bundle.entry.module
  return { bundle: { render: rendererOf(bundle), publicPages, siteFiles }, folder: join(BUILT, 'client') }
}
