import type { PublicFacts } from '#facts/contract.ts'

/** What every page is told of the site. It comes with the document, and stays for as long as the tab does. */
export type Site = {
  /**
   * Where the site lives, without a slash at the end: for what must name it in full (canonical addresses, share pictures,
   * structured data).
   */
  origin: string
  /** What the studio says of itself. */
  facts: PublicFacts
}

/** What `meta` functions are given. */
export type MetaArguments = {
  /** What the page's own loader answered. */
  loaderData?: unknown
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[]
}

/** The site as the root's loader told it. */
export function siteOf({ matches }: MetaArguments): Site {
  const root = matches.find((match) => match?.id === 'root')
  return root?.loaderData as Site
}

/** The share picture of a page (1200 x 630). The build draws all but the home page's: `build/share-cards.ts`. */
export function shareCardOf(path: string): string {
  return path === '/' ? '/share.jpg' : `/share/${path.slice(1).replaceAll('/', '-')}.jpg`
}
