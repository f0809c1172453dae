/**
 * Every page of the site by how it is served. `src/routes.ts` says which screen answers which path.
 * A path in none of these lists is the 404 page.
 */

/** The same HTML for everybody, written at build time: `build/client/<path>/index.html`. */
export const PRERENDERED = [
  '/',
  '/about',
  '/harrogate-reformer-pilates-classes',
  '/pricing',
  '/contact_harrogate_reformer_pilates',
  '/blog',
  '/blog/reformer-pilates-core-strength',
  '/blog/one-on-one-vs-group-classes',
  '/blog/preparing-first-reformer-pilates-session',
  '/blog/reformer-pilates-costs-uk',
  '/refund-policy',
  '/terms-and-conditions',
  '/privacy-policy',
  '/auth',
  '/email-verified',
  /** Served with status 404 for every unknown path. */
  '/404',
] as const

/** Pages that depend on who is asking: the browser draws them inside `__spa-fallback.html`. */
export const DRAWN_IN_THE_BROWSER = ['/booking', '/dashboard', '/health', '/checkout', '/admin'] as const

/** Drawn in the browser too, and served outside live mode only: the 404 page there. */
export const OUTSIDE_LIVE_MODE = ['/dev/ui'] as const

/** Other names of a page, answered with 301 (and followed inside the app). */
export const ALIASES = {
  '/contact': '/contact_harrogate_reformer_pilates',
  '/blog/one-on-one-vs-duo-classes': '/blog/one-on-one-vs-group-classes',
} as const
