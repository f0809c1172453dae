import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PublicFacts } from '#facts/contract.ts'
import { publicFacts } from '#facts/rules.ts'
import type { Visit } from '#pages/shell/visit.ts'
import { BEHIND_LOGIN } from '#site-map.ts'
import { initialFacts } from '#studio.ts'
import { frozenClock, london } from '#testing/frozen-clock.ts'
import { MEMBER, openPages } from './pages-under-test.ts'

const ORIGIN = 'https://www.studio.example'
const sha = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`
const SCRIPT = (origin: string) => `window.origin = "${origin}"`
const page = (path: string, { origin }: { origin: string }) =>
  `<!DOCTYPE html><html><head><title>${path}</title><link rel="canonical" href="${origin}${path}"/>
<script type="application/ld+json">{"@id":"${origin}/#studio"}</script></head>
<body><script>${SCRIPT(origin)}</script></body></html>`.padEnd(3000, ' ')

let app: FastifyInstance
beforeAll(async () => {
  app = (await openPages({ render: page })).app
})
afterAll(() => app.close())

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })
const scriptsOf = (response: { headers: Record<string, unknown> }) =>
  String(response.headers['content-security-policy']).match(/script-src ([^;]*)/)?.[1]

test.each(['br', 'gzip', 'identity'])('serves a page with its own address, as %s', async (encoding) => {
  const response = await get('/about', { 'accept-encoding': encoding })
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }[encoding]
  expect(unpack?.(response.rawPayload).toString()).toBe(page('/about', { origin: ORIGIN }))
  expect(response.headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding)
  expect(response.headers.vary).toMatch(/accept-encoding/i)
})

test('lists the hashes of inline scripts in the policy, but not of data', async () => {
  expect(scriptsOf(await get('/about'))).toBe(`'self' ${sha(SCRIPT(ORIGIN))}`)
})

test('serves robots.txt with the site’s address', async () => {
  const response = await get('/robots.txt')
  expect([response.body, response.headers['content-type']]).toEqual([`${ORIGIN}/blog`, 'text/plain; charset=utf-8'])
  expect(response.headers['cache-control']).toBe('no-cache')
})

test.each(['br', 'identity'])('returns 304 when the browser has the page (%s)', async (encoding) => {
  const first = await get('/about', { 'accept-encoding': encoding })
  const { etag } = first.headers
  const again = await get('/about', { 'accept-encoding': encoding, 'if-none-match': String(etag) })
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
  // Browsers apply a 304's headers: the default policy would block the page's scripts.
  expect(again.headers['content-security-policy']).toBe(first.headers['content-security-policy'])
  expect((await get('/about', { 'accept-encoding': encoding, 'if-none-match': '"another"' })).statusCode).toBe(200)
})

test('gives each content, address and encoding its own version', async () => {
  const tagOf = async (from: FastifyInstance, url: string, encoding: string) =>
    (await from.inject({ url, headers: { 'accept-encoding': encoding } })).headers.etag
  const { app: elsewhere } = await openPages({ origin: 'https://other.example', render: page })
  const tags = [
    await tagOf(app, '/about', 'br'),
    await tagOf(app, '/about', 'identity'),
    await tagOf(app, '/', 'br'),
    await tagOf(elsewhere, '/about', 'br'),
  ]
  await elsewhere.close()
  expect(new Set(tags).size).toBe(tags.length)
})

test('never returns 304 with the 404 page', async () => {
  const { headers } = await get('/nothing')
  expect((await get('/nothing', { 'if-none-match': String(headers.etag) })).statusCode).toBe(404)
})

test.each([...BEHIND_LOGIN, '/404', '/nothing', '/email-verified'])('%s is not indexed', async (path) => {
  expect((await get(path)).headers['x-robots-tag']).toBe('noindex')
})

test.each(['/', '/about', '/robots.txt'])('%s may be indexed', async (path) => {
  expect((await get(path)).headers['x-robots-tag']).toBeUndefined()
})

describe('the offline page', () => {
  test('is the same for everybody, allows its one script and is revalidated', async () => {
    const page = await get('/offline.html', { cookie: 'session=ana' })
    expect(page.body).toBe(`<p>${initialFacts.visit.door}</p><script>show()</script>`)
    expect(scriptsOf(page)).toBe(`'self' ${sha('show()')}`)
    expect(page.headers).toMatchObject({ 'cache-control': 'no-cache', 'x-robots-tag': 'noindex' })
    const again = await get('/offline.html', { 'if-none-match': String(page.headers.etag) })
    expect(again.statusCode).toBe(304)
  })

  test('shows the current facts', async () => {
    let facts: PublicFacts = publicFacts(initialFacts, '2026-12-07')
    const { app: site } = await openPages({ render: page, facts: () => facts })
    expect((await site.inject('/offline.html')).body).toContain(initialFacts.visit.door)
    facts = { ...facts, visit: { ...facts.visit, door: 'The green door' } }
    expect((await site.inject('/offline.html')).body).toContain('The green door')
    await site.close()
  })

  test('has a worker that is revalidated, may connect to this site only and differs for each build', async () => {
    const worker = await get('/service-worker.js')
    expect(worker.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    })
    expect(worker.headers['content-security-policy']).toContain("default-src 'none'")
    expect(worker.headers['content-security-policy']).toContain("connect-src 'self'")
    const { app: next } = await openPages({ render: page, assets: ['entry-def.js'] })
    expect((await next.inject('/service-worker.js')).body).not.toBe(worker.body)
    const { app: same } = await openPages({ render: page })
    expect((await same.inject('/service-worker.js')).body).toBe(worker.body)
    await Promise.all([next.close(), same.close()])
  })
})

describe('a page for a member', () => {
  const greet = async (path: string, { nonce, ask, hasLateScripts }: Visit) => {
    if (!nonce) return `shell of ${path}, scripts ${hasLateScripts ? 'late' : 'at once'}`
    return `<script nonce="${nonce}"></script>${path} for ${await (await ask('/api/name')).text()}`
  }
  const open = (api: () => unknown) => openPages({ render: greet, api: { '/api/name': api } })

  test('is rendered with the session of the request and not stored', async () => {
    const { app: site } = await open(() => 'Ana')
    const [first, second] = await Promise.all([
      site.inject({ url: '/booking?date=2026-12-07', headers: { cookie: 'session=ana' } }),
      site.inject({ url: '/booking', headers: { cookie: 'session=ana' } }),
    ])
    expect(first.body).toContain('/booking?date=2026-12-07 for Ana')
    expect(first.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    expect(first.headers.etag).toBeUndefined()
    const [nonce] = /nonce-[^']+/.exec(String(scriptsOf(first))) ?? []
    expect(first.body).toContain(`nonce="${nonce?.slice('nonce-'.length)}"`)
    expect(scriptsOf(second)).not.toBe(scriptsOf(first))
    await site.close()
  })

  test('finds its member once, and reads as that member', async () => {
    const found: unknown[] = []
    const greetTwice = async (path: string, visit: Visit) => {
      if (!visit.nonce) return path
      const responseCache = await Promise.all(['/api/name', '/api/name?again'].map(visit.ask))
      return (await Promise.all(responseCache.map((response) => response.text()))).join(' ')
    }
    const { app: site } = await openPages({
      render: greetTwice,
      api: { '/api/name': ({ caller }) => caller?.role },
      findCaller: async ({ headers }) => {
        found.push(headers.cookie)
        return headers.cookie === 'session=ended' ? null : MEMBER
      },
    })
    const get = async (cookie: string) => (await site.inject({ url: '/booking', headers: { cookie } })).body
    expect(await Promise.all([get('session=ana'), get('session=ended')])).toEqual(['member member', '/booking'])
    expect(found).toEqual(['session=ana', 'session=ended'])
    await site.close()
  })

  test('is a shell without a session, and when rendering fails', async () => {
    const { app: site } = await open(() => 'Ana')
    const shell = await site.inject('/booking')
    expect(shell.body).toBe('shell of /booking, scripts at once')
    expect(shell.headers['cache-control']).toBe('no-cache')
    await site.close()

    const { app: broken } = await openPages({
      render: (path, visit) => {
        if (visit.nonce) throw new Error('broken')
        return greet(path, visit)
      },
    })
    const response = await broken.inject({ url: '/booking', headers: { cookie: 'session=ana' } })
    expect([response.statusCode, response.body]).toEqual([200, 'shell of /booking, scripts at once'])
    await broken.close()
  })

  test('is a shell for members if it has no first data', async () => {
    const { app: site } = await open(() => 'Ana')
    expect((await site.inject({ url: '/admin', headers: { cookie: 'session=ana' } })).body).toContain('shell of /admin')
    await site.close()
  })

  test('starts scripts after the first paint on public pages, and immediately on shells', async () => {
    const { app: site } = await open(() => 'Ana')
    const scripts = async (path: string) => (await site.inject(path)).body.replace(/.*scripts /, '')
    expect([await scripts('/'), await scripts('/admin')]).toEqual(['late', 'at once'])
    await site.close()
  })
})

describe('a page with data from the API', () => {
  const priced = async (path: string, { ask }: Visit) => {
    if (path !== '/pricing') return `${path} ${Math.random()}`
    const response = await ask('/api/packages')
    if (!response.ok) throw new Error('no prices')
    return `from ${await response.text()}`
  }

  test('is rendered again; other pages are not', async () => {
    let price = '£65'
    const { app: site, pages } = await openPages({ render: priced, api: { '/api/packages': () => price } })
    const [pricing, about] = [await site.inject('/pricing'), await site.inject('/about')]
    await pages.refresh()
    expect((await site.inject('/pricing')).headers.etag).toBe(pricing.headers.etag)
    price = '£70'
    await Promise.all([pages.refresh(), pages.refresh()])
    expect((await site.inject('/pricing')).body).toBe('from £70')
    expect((await site.inject('/about')).body).toBe(about.body)
    await site.close()
  })

  test('is rendered again only if a response has changed, a class starts or a half hour begins', async () => {
    const clock = frozenClock(london('2026-12-07 08:31'))
    const rendered: string[] = []
    const starts = ['08:50', '08:10'].map((time) => ({ startsAt: london(`2026-12-07 ${time}`).toString() }))
    const { app: site, pages } = await openPages({
      clock,
      render: async (path, { ask }) => {
        if (path !== '/pricing') return path
        rendered.push(clock.now().toString().slice(11, 16))
        return await (await ask('/api/classes')).text()
      },
      api: { '/api/classes': () => starts },
    })
    for (const time of ['08:32', '08:49', '08:50', '08:51', '09:00', '09:29', '09:30']) {
      clock.set(london(`2026-12-07 ${time}`))
      expect(pages.isDue()).toBe(time.endsWith('0'))
      await pages.refresh()
    }
    expect(rendered).toEqual(['08:31', '08:50', '09:00', '09:30'])
    starts.pop()
    await pages.refresh()
    expect(rendered).toEqual(['08:31', '08:50', '09:00', '09:30', '09:30'])
    // The clock is put back.
    clock.set(london('2026-12-07 08:30'))
    expect(pages.isDue()).toBe(true)
    await site.close()
  })

  test('shows a change that came while it was rendered again', async () => {
    let price = '£65'
    let held = Promise.resolve()
    const rendered: string[] = []
    const { app: site, pages } = await openPages({
      render: async (path, visit) => {
        const text = await priced(path, visit)
        rendered.push(text)
        await held
        return text
      },
      api: { '/api/packages': () => price },
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    price = '£70'
    const first = pages.refresh()
    await expect.poll(() => rendered.at(-1)).toBe('from £70')
    price = '£75'
    const second = pages.refresh()
    resolve()
    await Promise.all([first, second])
    expect((await site.inject('/pricing')).body).toBe('from £75')
    await site.close()
  })

  test('is finished when the server stops, and no other page after it', async () => {
    const started: string[] = []
    let price = '£65'
    let held = Promise.resolve()
    const render = async (path: string, { ask }: Visit) => {
      started.push(path)
      const prices = await ask('/api/packages')
      await held
      return `from ${await prices.text()}`
    }
    const { app: site, pages } = await openPages({ render, api: { '/api/packages': () => price } })
    const { promise, resolve } = Promise.withResolvers<void>()
    started.length = 0
    price = '£70'
    held = promise
    const refreshed = pages.refresh()
    await expect.poll(() => started).toHaveLength(1)
    let hasStopped = false
    const stopped = pages.stop().then(() => {
      hasStopped = true
    })
    await pages.refresh()
    expect(hasStopped).toBe(false)
    resolve()
    await Promise.all([refreshed, stopped])
    expect(started).toHaveLength(1)
    expect((await site.inject(String(started[0]))).body).toBe('from £70')
    await site.close()
  })

  test('keeps its previous version when the API fails', async () => {
    let response = () => '£65'
    const { app: site, pages } = await openPages({ render: priced, api: { '/api/packages': () => response() } })
    response = () => {
      throw new Error('out of order')
    }
    await pages.refresh()
    expect((await site.inject('/pricing')).body).toBe('from £65')
    response = () => '£70'
    await pages.refresh()
    expect((await site.inject('/pricing')).body).toBe('from £70')
    await site.close()
  })
})
