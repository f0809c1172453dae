import pages from 'virtual:legal-pages'

/** The legal page that stands at a path: one for each file in `content/legal`. */
export function legalPageAt(pathname: string) {
  return pages.find(({ slug }) => pathname === `/${slug}`)
}
