import { createHash } from 'node:crypto'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/** Policy of everything that is no page: it may load nothing. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
const STRIPE_SCRIPT = 'https://js.stripe.com'
const YEAR = 31_536_000

/** How browsers reach the site: over HTTPS or not, and whether all that ends with its name is reached so, too. */
export type Transport = { https: boolean; hstsSubdomains: boolean }

/** For the few answers that are given before any hook runs. */
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

/**
 * Sends the security headers every answer carries. Pages replace the content security policy by their own
 * ({@link pagePolicy}). HSTS is sent where the site is served over HTTPS.
 */
export async function sendSecurityHeaders(app: FastifyInstance, transport: Transport): Promise<void> {
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: false,
    strictTransportSecurity: transport.https ? { maxAge: YEAR, includeSubDomains: transport.hstsSubdomains } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' },
    // For Internet Explorer, Flash and a filter that browsers have given up: 120 bytes of each answer.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xDnsPrefetchControl: false,
  })
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('content-security-policy', NOTHING)
    // Passkeys need no word: a page's own use of them is allowed where nothing is said.
    reply.header(
      'permissions-policy',
      'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
    )
    done()
  })
}

/**
 * The policy of one page that is kept for everybody: own files, and exactly the inline scripts the page came with.
 * (A nonce would have to be another one for each. Radix sets inline styles, so styles may be inline; scripts never.)
 *
 * @param options.stripe the page hosts Stripe's Payment Element
 */
export function pagePolicy(html: string, options: { stripe: boolean }): string {
  const scripts = [...html.matchAll(/<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g)]
  // Data (structured data for search engines) is never run, so no policy is asked about it.
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

/** The policy of the service worker, which asks for this site's own pages and for nothing else. */
export const WORKER_POLICY = `${NOTHING}; connect-src 'self'`

/** The policy of a page that was drawn for one request, whose own scripts carry `nonce`. It hosts nothing of Stripe's. */
export function nonceOnlyPolicy(nonce: string): string {
  return policyOf([`'nonce-${nonce}'`], { stripe: false })
}

function policyOf(ownScripts: readonly string[], options: { stripe: boolean }): string {
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
  }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.length > 0 ? sources.join(' ') : "'none'"}`)
    .join('; ')
}
