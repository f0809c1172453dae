import type { PublicFacts } from '#facts/contract.ts'
import { initialFacts } from '#studio.ts'

/** Loaded by the root and available to every page. */
export type Site = {
  /** Without a trailing slash: for canonical URLs, share pictures and structured data. */
  origin: string
  facts: PublicFacts
}

export type MetaArguments = {
  loaderData?: unknown
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[]
}

/** The site from the root's loader. */
export function siteOf({ matches }: MetaArguments): Site {
  const root = matches.find((match) => match?.id === 'root')
  return root?.loaderData as Site
}

/** The picture of a shared page. The drawn ones carry the example's name, so another studio shares its icon. */
export function sharePicture({ origin, facts }: Site, path: string): { url: string; width: number; height: number } {
  if (facts.name !== initialFacts.name) return { url: `${origin}/icon-512.png`, width: 512, height: 512 }
  return { url: origin + shareCardOf(path), width: 1200, height: 630 }
}

/** A page's share picture (1200 x 630). `build/share-cards.ts` draws all except the home page's. */
export function shareCardOf(path: string): string {
  return path === '/' ? '/share.jpg' : `/share/${path.slice(1).replaceAll('/', '-')}.jpg`
}
