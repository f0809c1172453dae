import { createServer, type IncomingMessage, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { stripeClient } from './provider.ts'

let server: Server | undefined

afterEach(async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
  server = undefined
})

/** Responds with these statuses in turn, then 200, and records requests. */
async function provider(...statuses: number[]) {
  const asked: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = []
  server = createServer((request, response) => {
    asked.push({ method: request.method, url: request.url, headers: request.headers })
    request.resume()
    const status = statuses.shift() ?? 200
    const more = status === 307 && { location: '/elsewhere' }
    response.writeHead(status, { 'content-type': 'application/json', ...more })
    response.end(JSON.stringify(status === 200 ? { id: 'pi_1' } : { error: { type: 'api_error', message: 'no' } }))
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { asked, origin: `http://127.0.0.1:${typeof address === 'object' && address?.port}` }
}

test.each([
  ['', '/v1/payment_intents/pi_1?expand[0]=latest_charge'],
  ['/', '/v1/payment_intents/pi_1?expand[0]=latest_charge'],
  ['/sandbox/stripe', '/sandbox/stripe/v1/payment_intents/pi_1?expand[0]=latest_charge'],
  ['/sandbox/stripe/', '/sandbox/stripe/v1/payment_intents/pi_1?expand[0]=latest_charge'],
])('calls an API URL ending in %s at %s', async (path, url) => {
  const { asked, origin } = await provider()
  const stripe = stripeClient({ secretKey: 'sk_test_x', apiUrl: origin + path, limitMs: 10_000 })
  await stripe.paymentIntents.retrieve('pi_1', { expand: ['latest_charge'] })
  expect(asked.map((request) => decodeURI(request.url ?? ''))).toEqual([url])
  expect(asked[0]?.headers.authorization).toBe('Bearer sk_test_x')
})

test('retries a failed call twice with one idempotency key', async () => {
  const { asked, origin } = await provider(500, 503)
  const stripe = stripeClient({ secretKey: 'sk_test_x', apiUrl: `${origin}/sandbox/stripe`, limitMs: 10_000 })
  await stripe.paymentIntents.create({ amount: 4500, currency: 'gbp' })
  expect(asked).toHaveLength(3)
  expect(new Set(asked.map((request) => request.headers['idempotency-key'])).size).toBe(1)
})

test('does not follow redirects', async () => {
  const { asked, origin } = await provider(307, 307, 307)
  const stripe = stripeClient({ secretKey: 'sk_test_x', apiUrl: origin, limitMs: 10_000 })
  await expect(stripe.paymentIntents.retrieve('pi_1')).rejects.toThrow()
  expect(asked.map(({ url }) => url)).not.toContain('/elsewhere')
})

test('calls Stripe itself without an API URL', () => {
  const stripe = stripeClient({ secretKey: 'sk_test_x', limitMs: 10_000 })
  expect(stripe.getMaxNetworkRetries()).toBe(2)
  expect(stripe.getApiField('timeout')).toBe(5000)
  expect(stripe.resolveBaseAddress('api')).toBe('api.stripe.com')
})
