import { readdirSync } from 'node:fs'
import { publicPages } from './site-map.ts'

/** Slugs of the files in a folder of `src/content`: each is a page. */
export function written(folder: 'articles' | 'legal'): string[] {
  const names = readdirSync(new URL(`content/${folder}`, import.meta.url))
  return names.flatMap((name) => (name.endsWith('.mdx') ? [name.slice(0, -'.mdx'.length)] : [])).sort()
}

/** Every public page, as the folders print: for the routes, and for tests. The server reads it from the build. */
export const PUBLIC_PAGES: readonly string[] = publicPages({ articles: written('articles'), legal: written('legal') })
