import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The page for unknown paths has nothing but what every page has. */
const PLAINEST = join(import.meta.dirname, '../../../build/client/404/index.html')

/** Address of the built site's stylesheet, for pages that the server draws itself; none in development, nor beside an older build. */
export function builtStylesheet(page = PLAINEST): string | undefined {
  if (!existsSync(page)) return undefined
  // `scripts/finish-pages.mjs` puts the sheet into its page and leaves the address beside it.
  return /<style data-href="([^"]+)"/.exec(readFileSync(page, 'utf8'))?.[1]
}
