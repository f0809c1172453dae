import { createHash } from 'node:crypto'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/** The policy of everything but pages: it may load nothing. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
/** Where browsers report what a page was not allowed to load. */
export const CSP_REPORTS = '/api/csp-reports'
const STRIPE_SCRIPT = 'https://js.stripe.com'
const YEAR = 31_536_000

/** How browsers reach the site: over HTTPS or not, and whether HSTS includes subdomains. */
export type Transport = { https: boolean; hstsSubdomains: boolean }

/** For responses that are sent before any hook runs. */
export function bareHeaders(transport: Transport): Record<string, string> {
  return {
    'content-security-policy': NOTHING,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cache-control': 'no-store',
    ...(transport.https && { 'strict-transport-security': hstsOf(transport) }),
  }
}

const hstsOf = ({ hstsSubdomains }: Transport) => `max-age=${YEAR}${hstsSubdomains ? '; includeSubDomains' : ''}`

/** Sets every response's security headers. Pages have a policy of their own ({@link pagePolicy}); HSTS needs HTTPS. */
export async function sendSecurityHeaders(app: FastifyInstance, transport: Transport): Promise<void> {
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: false,
    strictTransportSecurity: transport.https ? { maxAge: YEAR, includeSubDomains: transport.hstsSubdomains } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' },
    // Obsolete headers: 120 bytes of each response.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xDnsPrefetchControl: false,
  })
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('content-security-policy', NOTHING)
    // Passkeys are allowed for the page's own origin by default.
    reply.header(
      'permissions-policy',
      'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
    )
    done()
  })
}

type PolicyOptions = {
  /** The page hosts Stripe's Payment Element. */
  stripe: boolean
  /** Browsers report violations: on the checkout and other pages behind the login. */
  reports: boolean
}

/**
 * The policy of a prerendered page: its own files, and exactly its inline scripts, by hash. Radix sets inline styles,
 * so styles may be inline; scripts never.
 */
export function pagePolicy(html: string, options: PolicyOptions): string {
  const scripts = [...html.matchAll(/<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g)]
  // Structured data is never run, so the policy does not apply to it.
  const hashes = scripts
    .filter(([, attributes]) => !/\stype="application\/ld\+json"/.test(attributes ?? ''))
    .map(
      ([, , script]) =>
        `'sha256-${createHash('sha256')
          .update(script ?? '')
          .digest('base64')}'`,
    )
  return policyOf([...new Set(hashes)], options)
}

/** The policy of the service worker, which fetches only from this site. */
export const WORKER_POLICY = `${NOTHING}; connect-src 'self'`

/** The policy of a member's page rendered for one request, whose inline scripts carry `nonce`. Without Stripe. */
export function nonceOnlyPolicy(nonce: string): string {
  return policyOf([`'nonce-${nonce}'`], { stripe: false, reports: true })
}

function policyOf(ownScripts: readonly string[], options: PolicyOptions): string {
  const stripe = (...sources: string[]) => (options.stripe ? sources : [])
  const directives: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...ownScripts, ...stripe(STRIPE_SCRIPT, 'https://*.js.stripe.com')],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', ...stripe('https://*.stripe.com')],
    'connect-src': ["'self'", ...stripe('https://api.stripe.com')],
    'frame-src': stripe(STRIPE_SCRIPT, 'https://*.js.stripe.com', 'https://hooks.stripe.com'),
    'object-src': ["'none'"],
    'worker-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    // Its successor, report-to, is not in every browser.
    ...(options.reports && { 'report-uri': [CSP_REPORTS] }),
  }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.length > 0 ? sources.join(' ') : "'none'"}`)
    .join('; ')
}
