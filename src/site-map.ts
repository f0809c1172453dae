/**
 * Every page of the site by how it is served. `src/routes.ts` says which screen answers which path.
 * A path in none of these lists is the 404 page.
 */

/**
 * Where the site lives, as pages say it that are written before anybody knows. The server puts APP_URL in its place
 * (`app/pages.ts`); `.invalid` can be nobody's address.
 */
export const STAND_IN = 'https://origin.invalid'

/** The same HTML for everybody, written at build time, together with the articles and legal pages (`prerendered.ts`). */
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

/** Pages that depend on who is asking: the browser draws them inside `__spa-fallback.html`. */
export const DRAWN_IN_THE_BROWSER = ['/booking', '/dashboard', '/health', '/checkout', '/admin'] as const

/** Drawn in the browser too, and served outside live mode only: the 404 page there. */
export const OUTSIDE_LIVE_MODE = ['/dev/ui'] as const

/** Texts besides pages that say where the site lives, and their content types. The build writes them. */
export const NAMES_THE_SITE = {
  '/robots.txt': 'text/plain; charset=utf-8',
  '/sitemap.xml': 'application/xml; charset=utf-8',
  '/blog/rss.xml': 'application/rss+xml; charset=utf-8',
} as const

/** Other names of a page, answered with 301 (and followed inside the app). */
export const ALIASES = {
  '/contact': '/contact_harrogate_reformer_pilates',
  '/blog/one-on-one-vs-duo-classes': '/blog/one-on-one-vs-group-classes',
} as const
