import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPages } from '#app/pages/pages-under-test.ts'
import { PUBLIC_PAGES } from '#public-pages.ts'
import { ALIASES, BEHIND_LOGIN, OUTSIDE_LIVE_MODE } from '#site-map.ts'
import { readPolicy } from './policy-under-test.ts'
import { pagePolicy } from './security-headers.ts'

const sha = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** A page as React Router renders it: inline scripts, a module, a preload, structured data, an external file. */
const CONTEXT =
  'window.__reactRouterContext = {"basename":"/"};window.__reactRouterContext.stream = new ReadableStream()'
const MODULE =
  '\nimport * as route0 from "/assets/root-abc.js";\nwindow.__reactRouterRouteModules = {route0};\nimport("/assets/entry-abc.js");'
const DATA = '{"@context":"https://schema.org","@type":"HealthClub"}'
const page = (title: string) => `<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"/><title>${title}</title>
<link rel="modulepreload" href="/assets/entry-abc.js"/><script type="application/ld+json">${DATA}</script></head>
<body><main onclick="alert(1)"><a href="javascript:alert(2)">x</a></main>
<script src="/assets/outside.js" defer=""></script><script>${CONTEXT}</script>
<script type="module" async="">${MODULE}</script><script>${CONTEXT}</script></body></html>`

describe('the policy of a page', () => {
  const policy = readPolicy(pagePolicy(page('About'), { stripe: false, reports: false }))

  test('lets its own inline scripts run, by their hashes, and no other inline script', () => {
    expect(policy['script-src']).toEqual(["'self'", sha(CONTEXT), sha(MODULE)])
    expect(policy['script-src']).not.toContain(sha(''))
    expect(policy['script-src']).not.toContain(sha('alert(1)'))
  })

  test('allows nothing from elsewhere and no framing', () => {
    expect({ ...policy, 'script-src': undefined }).toEqual({
      'default-src': ["'self'"],
      'script-src': undefined,
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:'],
      'connect-src': ["'self'"],
      'frame-src': ["'none'"],
      'object-src': ["'none'"],
      'worker-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
    })
  })

  test('never has unsafe-inline or unsafe-eval for scripts, also with Stripe', () => {
    for (const stripe of [true, false]) {
      for (const html of ['', page('x'), '<script></script>', '<SCRIPT>alert(1)</SCRIPT>']) {
        const scripts = readPolicy(pagePolicy(html, { stripe, reports: true }))['script-src']
        expect(scripts?.filter((source) => /unsafe|\*$|^https?:$|data:|blob:/.test(source))).toEqual([])
      }
    }
  })

  test('with Stripe adds Stripe’s hosts, where its Payment Element needs them', () => {
    const stripe = readPolicy(pagePolicy(page('Checkout'), { stripe: true, reports: true }))
    expect(stripe['script-src']).toEqual(expect.arrayContaining(['https://js.stripe.com']))
    expect(stripe['frame-src']).toEqual(expect.arrayContaining(['https://js.stripe.com', 'https://hooks.stripe.com']))
    expect(stripe['connect-src']).toContain('https://api.stripe.com')
    expect(stripe['frame-ancestors']).toEqual(["'none'"])
  })

  test('finds scripts however they are written', () => {
    const found = (html: string) =>
      readPolicy(pagePolicy(html, { stripe: false, reports: false }))['script-src']?.slice(1)
    expect(found('<script data-src="x">a()</script>')).toEqual([sha('a()')])
    expect(found('<script\n  type="module"\n>\nb()\n</script>')).toEqual([sha('\nb()\n')])
    expect(found('<script async src="/x.js"></script>')).toEqual([])
    expect(found("<script>const s = 'ü👩🏽'</script>")).toEqual([sha("const s = 'ü👩🏽'")])
  })
})

describe('pages as they are served', () => {
  let app: FastifyInstance
  const isShell = (path: string) => [...BEHIND_LOGIN, ...OUTSIDE_LIVE_MODE].some((shell) => shell === path)
  const render = (path: string) =>
    isShell(path) ? page('the app').replaceAll(CONTEXT, 'window.app = 1') : page(`page ${path}`)
  beforeAll(async () => {
    app = (await openPages({ render, stripe: true })).app
  })
  afterAll(() => app.close())
  const get = (url: string) => app.inject({ method: 'GET', url })
  const policyOf = (response: { headers: Record<string, unknown> }) =>
    readPolicy(String(response.headers['content-security-policy']))

  test.each([...PUBLIC_PAGES.filter((path) => path !== '/404'), ...BEHIND_LOGIN])('%s', async (path) => {
    const response = await get(path)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    const isApp = (BEHIND_LOGIN as readonly string[]).includes(path)
    expect(response.body).toContain(isApp ? 'the app' : `page ${path}<`)
    expect(policyOf(response)['script-src']).toContain(sha(isApp ? 'window.app = 1' : CONTEXT))
    expect(policyOf(response)['script-src']).not.toContain(sha(isApp ? CONTEXT : 'window.app = 1'))
    expect(policyOf(response)['script-src']?.includes('https://js.stripe.com')).toBe(path === '/checkout')
    expect(response.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
  })

  test.each(Object.entries(ALIASES))('%s leads to %s', async (path, target) => {
    const response = await get(`${path}?from=mail`)
    expect([response.statusCode, response.headers.location]).toEqual([301, `${target}?from=mail`])
  })

  test('redirects without the trailing slash, never to another host', async () => {
    expect((await get('/about/')).headers.location).toBe('/about')
    expect((await get('/about/?a=1')).headers.location).toBe('/about?a=1')
    for (const path of ['//evil.example', '//evil.example/', '//evil.example/about/']) {
      const response = await get(path)
      expect([path, response.statusCode, response.headers.location]).toEqual([path, 404, undefined])
    }
  })

  test.each(['/nothing', '/404', '/about/more', '/index.html', '/assets/gone.js', '/dev/ui'])(
    '%s is the 404 page with status 404',
    async (path) => {
      const response = await get(path)
      expect(response.statusCode).toBe(404)
      expect(response.body).toContain('page /404<')
      expect(policyOf(response)['script-src']).toContain(sha(CONTEXT))
    },
  )

  test.each(OUTSIDE_LIVE_MODE)('%s is there outside live mode', async (path) => {
    const { app: demo } = await openPages({ render, live: false })
    const response = await demo.inject(path)
    expect([response.statusCode, response.body]).toEqual([200, expect.stringContaining('the app')])
    await demo.close()
  })

  test.each(['/../package.json', '/%2e%2e/%2e%2e/etc/passwd', '/assets/..%2f..%2fpackage.json', '/assets/%00'])(
    '%s leads out of nothing',
    async (path) => {
      const response = await get(path)
      expect(response.statusCode).toBeGreaterThanOrEqual(400)
      expect(response.statusCode).toBeLessThan(500)
      expect(response.body).not.toMatch(/"dependencies"|root:/)
    },
  )

  test('an unknown API path stays JSON', async () => {
    for (const path of ['/api', '/api/', '/api/nothing?x=1']) {
      const response = await get(path)
      expect([response.statusCode, response.json()]).toEqual([404, { code: 'not_found', message: 'Not found.' }])
    }
    expect((await app.inject({ method: 'POST', url: '/about' })).json()).toEqual({
      code: 'not_found',
      message: 'Not found.',
    })
  })

  test('allows only the email pictures to be embedded by other sites, such as webmail', async () => {
    expect((await get('/email-pictures/room-noon.jpg')).headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=3600',
      'cross-origin-resource-policy': 'cross-origin',
    })
    for (const path of ['/assets/entry-abc.js', '/favicon.svg', '/about'])
      expect((await get(path)).headers['cross-origin-resource-policy'], path).toBe('same-origin')
  })

  test('caches hashed files for ever, others for an hour, and revalidates pages; files may load nothing', async () => {
    const asset = await get('/assets/entry-abc.js')
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(policyOf(asset)['default-src']).toEqual(["'none'"])
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('public, max-age=3600')
    for (const encoding of ['identity', 'br']) {
      const { headers } = await app.inject({ url: '/about', headers: { 'accept-encoding': encoding } })
      expect(headers['content-encoding']).toBe(encoding === 'br' ? 'br' : undefined)
      expect(headers['cache-control']).toBe('no-cache')
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
    }
  })
})
