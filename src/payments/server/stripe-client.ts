import Stripe from 'stripe'

/**
 * Stripe's SDK, talking to `apiUrl` instead of Stripe when given: the sandbox
 * (`http://127.0.0.1:3000/sandbox/stripe`) or a test double. The address may have a path, which the SDK itself
 * cannot express. A call takes at most 10 s and is tried three times, with one idempotency key.
 */
export function stripeClient({ secretKey, apiUrl }: { secretKey: string; apiUrl?: string }): Stripe {
  const patience = { maxNetworkRetries: 2, timeout: 10_000 }
  if (!apiUrl) return new Stripe(secretKey, patience)
  const base = new URL(apiUrl)
  const protocol = base.protocol === 'https:' ? 'https' : 'http'
  const path = base.pathname.replace(/\/+$/, '')
  return new Stripe(secretKey, {
    ...patience,
    protocol,
    host: base.hostname,
    port: base.port || (protocol === 'https' ? 443 : 80),
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient((url: string | URL | Request, init?: RequestInit) => {
      const target = new URL(url instanceof Request ? url.url : url)
      target.pathname = path + target.pathname
      return fetch(target, init)
    }),
  })
}
