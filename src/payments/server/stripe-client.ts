import Stripe from 'stripe'
import { currentAnswer } from '#platform/http/answer.ts'

/**
 * Stripe's SDK, talking to `apiUrl` instead of Stripe when given: the sandbox
 * (`http://127.0.0.1:3000/sandbox/stripe`) or a test double. The address may have a path, which the SDK itself
 * cannot express, and may be known only later (a function).
 *
 * A call is tried three times with one idempotency key, each within half of `limitMs`, so that one connection that
 * hangs leaves time for another. What an answer needs ends with that answer.
 */
export function stripeClient({
  secretKey,
  apiUrl,
  limitMs,
}: {
  secretKey: string
  apiUrl?: string | (() => string)
  limitMs: number
}): Stripe {
  return new Stripe(secretKey, {
    maxNetworkRetries: 2,
    timeout: Math.ceil(limitMs / 2),
    telemetry: !apiUrl,
    httpClient: Stripe.createFetchHttpClient((url: string | URL | Request, init?: RequestInit) => {
      const signals = [init?.signal, currentAnswer()?.signal].filter((signal) => signal != null)
      // Stripe's API never sends a caller elsewhere: what does would be given the key and the payment.
      return fetch(addressOf(url, apiUrl), { ...init, redirect: 'error', signal: AbortSignal.any(signals) })
    }),
  })
}

function addressOf(url: string | URL | Request, apiUrl: string | (() => string) | undefined): string {
  const called = new URL(url instanceof Request ? url.url : url)
  if (!apiUrl) return called.href
  const base = typeof apiUrl === 'string' ? apiUrl : apiUrl()
  return base.replace(/\/+$/, '') + called.pathname + called.search
}
