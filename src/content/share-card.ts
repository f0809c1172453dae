/** The share picture of a page (1200 x 630). The build draws all but the home page's: `build/share-cards.ts`. */
export function shareCardOf(path: string): string {
  return path === '/' ? '/share.jpg' : `/share/${path.slice(1).replaceAll('/', '-')}.jpg`
}
