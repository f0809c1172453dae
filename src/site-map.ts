/** Every page by how it is served; any other path is the 404 page. `src/routes.ts` maps paths to screens. */

/** The same for everybody, drawn by the server and kept, as are the articles and legal pages ({@link publicPages}). */
export const PAGES = [
  '/',
  '/about',
  '/harrogate-reformer-pilates-classes',
  '/pricing',
  '/contact_harrogate_reformer_pilates',
  '/blog',
  '/auth',
  '/email-verified',
  /** Served with status 404 for every unknown path. */
  '/404',
] as const

/** Every public page. @param slugs of the files in `src/content/articles` and `src/content/legal` */
export function publicPages(slugs: { articles: readonly string[]; legal: readonly string[] }): string[] {
  return [...PAGES, ...slugs.articles.map((slug) => `/blog/${slug}`), ...slugs.legal.map((slug) => `/${slug}`)]
}

/** Pages that search engines must not index, because they have no content. */
export const NOT_FOUND_BY_SEARCH: readonly string[] = ['/email-verified', '/404']

/** Pages that depend on the user: the server sends everyone the same shell, which the browser fills. */
export const BEHIND_LOGIN = ['/booking', '/dashboard', '/health', '/checkout', '/admin'] as const

/** Pages behind the login that the server renders for the user, with their first data. */
export const WITH_FIRST_DATA: readonly string[] = ['/booking', '/dashboard']

/** Also shells. In live mode these paths are the 404 page. */
export const OUTSIDE_LIVE_MODE = ['/dev/ui'] as const

/** The style sheet of all pages, for those that the server writes without React. */
export const STYLE_SHEET = '/theme.css'

/** Pages behind the login that the service worker ignores: the card provider's forms and the admin area. */
export const WITHOUT_WORKER: readonly string[] = ['/checkout', '/admin']

/** Other names of a page, answered with 301 (and followed inside the app). */
export const ALIASES = {
  '/contact': '/contact_harrogate_reformer_pilates',
  '/blog/one-on-one-vs-duo-classes': '/blog/one-on-one-vs-group-classes',
} as const

/** The page that a member's browser caches for use offline. A file, not a page of the site. */
export const OFFLINE_PAGE = '/offline.html'
/** The service worker that caches it: at the root, because a worker controls only its own folder. */
export const SERVICE_WORKER = '/service-worker.js'
