import { readdirSync } from 'node:fs'
import { PAGES } from './site-map.ts'

/** Slugs of the files in a folder of `src/content`: each is a page. */
export function written(folder: 'articles' | 'legal'): string[] {
  const names = readdirSync(new URL(`content/${folder}`, import.meta.url))
  return names.flatMap((name) => (name.endsWith('.mdx') ? [name.slice(0, -'.mdx'.length)] : [])).sort()
}

/** Every page that is written at build time; articles and legal pages follow from their folders. */
export const PRERENDERED: readonly string[] = [
  ...PAGES,
  ...written('articles').map((slug) => `/blog/${slug}`),
  ...written('legal').map((slug) => `/${slug}`),
]
