import Stripe from 'stripe'

/**
 * Stripe's SDK, talking to `apiUrl` instead of Stripe when given: the sandbox
 * (`http://127.0.0.1:3000/sandbox/stripe`) or a test double. The address may have a path, which the SDK itself
 * cannot express, and may be known only later (a function). A call takes at most 10 s and is tried three times, with one idempotency key.
 */
export function stripeClient({ secretKey, apiUrl }: { secretKey: string; apiUrl?: string | (() => string) }): Stripe {
  const patience = { maxNetworkRetries: 2, timeout: 10_000 }
  if (!apiUrl) return new Stripe(secretKey, patience)
  return new Stripe(secretKey, {
    ...patience,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient((url: string | URL | Request, init?: RequestInit) => {
      const { pathname, search } = new URL(url instanceof Request ? url.url : url)
      const base = typeof apiUrl === 'string' ? apiUrl : apiUrl()
      return fetch(base.replace(/\/+$/, '') + pathname + search, init)
    }),
  })
}
