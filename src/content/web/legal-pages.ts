import pages from 'virtual:legal-pages'

/** The legal page that stands at a path: one for each file in `content/legal`. While pages are written, their paths end in a slash. */
export function legalPageAt(pathname: string) {
  return pages.find(({ slug }) => pathname.replace(/\/$/, '') === `/${slug}`)
}
