import { describe, expect, onTestFinished, test } from 'vitest'
import { openPages } from '#app/pages/pages-under-test.ts'
import { defined } from '#foundation/collections.ts'
import { LIVE } from '#testing/live-settings.ts'
import type { Person, TestResponse } from '#testing/person.ts'
import { openEmptyStudio, shareStudio } from '#testing/studio-under-test.ts'
import { readPolicy } from './policy-under-test.ts'

describe('every response of the application', () => {
  const story = shareStudio()
  const kinds: [string, (visitor: Person) => Promise<TestResponse>, kept?: string][] = [
    ['a response', () => story.ana.request('GET', '/api/user/bookings')],
    ['a public read', (visitor) => visitor.request('GET', '/api/packages'), 'private, no-cache'],
    ['a 401', (visitor) => visitor.request('GET', '/api/auth/user')],
    ['a 403', () => story.ana.request('GET', '/api/admin/users')],
    ['a cross-site 403', (visitor) => visitor.request('POST', '/api/login', {}, { 'sec-fetch-site': 'cross-site' })],
    ['a 404', (visitor) => visitor.request('GET', '/api/nothing')],
    ['an unreadable path', (visitor) => visitor.request('GET', '/api/%zz')],
    ['a 400', (visitor) => visitor.request('POST', '/api/login', {})],
    ['broken JSON', (visitor) => visitor.request('POST', '/api/login', '{')],
    ['a 413', (visitor) => visitor.request('POST', '/api/login', 'x'.repeat(200_000))],
    ['a redirect', (visitor) => visitor.request('GET', '/api/logout')],
    ['the description', (visitor) => visitor.request('GET', '/api/openapi.json')],
  ]

  test.each(kinds)('%s', async (_, ask, kept = 'no-store') => {
    const { headers } = await ask(story.studio.visitor())
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cache-control': kept,
    })
    const policy = readPolicy(headers.get('content-security-policy'))
    expect(policy['default-src']).toEqual(["'none'"])
    expect(policy['frame-ancestors']).toEqual(["'none'"])
    expect(headers.get('strict-transport-security')).toBeNull()
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('server')).toBeNull()
  })

  test('gives the mailbox its own policy, without scripts', async () => {
    const { status, headers } = await story.studio.visitor().request('GET', '/dev/mailbox')
    expect(status).toBe(200)
    const policy = readPolicy(headers.get('content-security-policy'))
    expect(policy['default-src']).toEqual(["'none'"])
    expect(policy['script-src']).toBeUndefined()
  })

  test('reveals nothing in a 500, and sends the same headers', async () => {
    const studio = await openEmptyStudio()
    await studio.server.database.pool.query('alter table packages rename to gone')
    const response = await studio.visitor().request('GET', '/api/packages')
    expect(response.status).toBe(500)
    expect(response.body).toEqual({
      code: 'internal_error',
      message: 'Something went wrong on our side. Please try again.',
    })
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test.each([
    ['', 'max-age=31536000'],
    ['off', 'max-age=31536000'],
    ['on', 'max-age=31536000; includeSubDomains'],
  ])(
    'sends HSTS for a year over HTTPS, whatever the response (HSTS_SUBDOMAINS=%s)',
    async (HSTS_SUBDOMAINS, expected) => {
      const live = await openEmptyStudio({ env: { ...LIVE, HSTS_SUBDOMAINS } })
      const visitor = live.visitor()
      const responses: [number, Promise<TestResponse>][] = [
        [200, visitor.request('GET', '/api/packages')],
        [200, visitor.request('GET', '/healthz')],
        [303, visitor.request('GET', '/api/logout')],
        [401, visitor.request('GET', '/api/docs')],
        [403, visitor.request('POST', '/api/login', {}, { 'sec-fetch-site': 'cross-site' })],
        [404, visitor.request('GET', '/api/nothing')],
        [404, visitor.request('GET', '/api/%zz')],
        [400, visitor.request('POST', '/api/login', '{')],
        [413, visitor.request('POST', '/api/login', 'x'.repeat(200_000))],
      ]
      for (const [status, response] of responses) {
        const { headers, ...came } = await response
        expect(came.status).toBe(status)
        expect(headers.get('strict-transport-security')).toBe(expected)
      }
    },
  )

  test('applies to files of the build too', async () => {
    const { app } = await openPages({ render: (path) => `<p>${path}</p>` })
    onTestFinished(() => app.close())
    for (const url of ['/assets/entry.js', '/assets/nothing.js', '/pricing', '/nowhere']) {
      const { headers } = await app.inject(url)
      expect([url, headers['strict-transport-security']]).toEqual([url, 'max-age=31536000'])
    }
  })

  test('has no mailbox and no sandbox in live mode', async () => {
    const live = await openEmptyStudio({ env: LIVE })
    for (const path of [
      '/dev/mailbox',
      '/dev/mailbox.json',
      '/sandbox/stripe/v1/payment_intents',
      '/api/stripe/webhook',
    ]) {
      expect([path, (await live.visitor().request('GET', path)).status]).toEqual([path, 404])
      expect([path, (await live.visitor().request('POST', path, {})).status]).toEqual([path, 404])
    }
  })

  test('allows 15 s to connect and to send headers or a body, and closes idle connections last', () => {
    const { server } = story.studio.server.app
    const { requestTimeout, headersTimeout, timeout, keepAliveTimeout } = server
    expect({ requestTimeout, headersTimeout, timeout, keepAliveTimeout }).toEqual({
      requestTimeout: 15_000,
      headersTimeout: 15_000,
      timeout: 30_000,
      keepAliveTimeout: 15_000,
    })
    // Node closes a connection immediately unless 'timeout' has a listener (connections.ts).
    expect(server.listenerCount('timeout')).toBe(1)
    // By default Node checks every 30 s.
    const interval = Object.getOwnPropertySymbols(server).find(
      ({ description }) => description === 'http.server.connectionsCheckingInterval',
    )
    expect(Reflect.get(server, defined(interval))).toMatchObject({ _repeat: 10_000 })
    expect(story.studio.server.app.initialConfig.bodyLimit).toBe(102_400)
  })
})
