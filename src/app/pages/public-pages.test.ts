import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { hourOfRoom } from '#content/hour-of-room.ts'
import { internalHeaders } from '#platform/http/internal-requests.ts'
import { studio } from '#studio.ts'
import { frozenClock, london } from '#testing/frozen-clock.ts'
import { openEmptyStudio } from '#testing/studio-under-test.ts'
import { builtPages, openPages } from './pages-under-test.ts'

// Public pages of the whole application over a real port, where most responses come from the cache in front of Fastify.

const METRICS_TOKEN = 'the-token-of-the-tests'
const page = (path: string) => `<title>${path}</title><script>1</script>`.padEnd(3000, ' ')

type Headers = Record<string, string>
type PageResponse = { status: number | undefined; headers: Record<string, unknown>; body: string }

async function openSite() {
  const studio = await openEmptyStudio({ env: { METRICS_TOKEN } })
  const pages = builtPages(page)
  onTestFinished(() => rmSync(pages.folder, { recursive: true }))
  const { server } = await studio.startSecondProcess({ pages })
  const log = () => studio.logged.map((line) => JSON.parse(line))

  const ask = async (path: string, headers: Headers = {}, method = 'GET'): Promise<PageResponse> => {
    const asked = request(server.origin + path, { method, headers })
    asked.end()
    const [response] = await once(asked, 'response')
    const body = await buffer(response)
    return { status: response.statusCode, headers: response.headers, body: body.toString('base64') }
  }
  const fetchUncached = async (path: string, headers: Headers = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') => {
    const all = { ...internalHeaders, ...headers }
    const { statusCode, headers: answered, rawPayload } = await server.app.inject({ url: path, headers: all, method })
    return { status: statusCode, headers: answered, body: rawPayload.toString('base64') }
  }
  /** Log lines of requests that did not reach Fastify, which also logs when a request arrives. */
  const cachedRequestLines = () => log().filter(({ req, res }) => req && res)
  /** Requests the page until it comes from the cache. */
  const fetchCached = async (path: string, headers: Headers = {}): Promise<PageResponse> => {
    const before = cachedRequestLines().length
    await expect
      .poll(async () => {
        await ask(path, headers)
        return cachedRequestLines().length
      })
      .toBeGreaterThan(before)
    studio.logged.length = 0
    const page = await ask(path, headers)
    expect(log().filter(({ msg }) => msg === 'incoming request')).toEqual([])
    await expect.poll(() => cachedRequestLines().length).toBeGreaterThan(0)
    return page
  }
  return { studio, server, log, ask, fetchUncached, fetchCached, cachedRequestLines }
}

/** Without the headers that node:http writes. */
function lasting({ status, headers, body }: PageResponse) {
  const { date, connection, 'keep-alive': keepAlive, ...rest } = headers
  return { status, headers: rest, body }
}

test('a cached page equals the application’s response in every encoding', async () => {
  const { fetchUncached, fetchCached } = await openSite()
  const encodings = [
    ...['br', 'gzip', 'identity', 'gzip, deflate, br', 'gzip, deflate', '*', '', 'nonsense', 'GZIP;q=x'],
    ...['identity, br;q=0.5', 'br;q=0, gzip;q=0.1', 'identity;q=0'],
  ]
  const seen = new Set<unknown>()
  for (const headers of [{}, ...encodings.map((encoding) => ({ 'accept-encoding': encoding }))]) {
    for (const path of ['/', '/auth', '/email-verified']) {
      const kept = lasting(await fetchCached(path, headers))
      expect([headers, path, kept]).toEqual([headers, path, lasting(await fetchUncached(path, headers))])
      expect(kept).toMatchObject({ status: 200, headers: { 'x-frame-options': 'DENY' } })
      seen.add(kept.headers['content-encoding'])
    }
  }
  expect(seen).toEqual(new Set([undefined, 'br', 'gzip']))
})

test('a cached file equals the application’s response', async () => {
  const { fetchUncached, fetchCached } = await openSite()
  const path = '/assets/entry-abc.js'
  for (const encoding of ['gzip, deflate, br, zstd', 'gzip', 'identity']) {
    const kept = lasting(await fetchCached(path, { 'accept-encoding': encoding }))
    expect(kept).toEqual(lasting(await fetchUncached(path, { 'accept-encoding': encoding })))
    expect(kept.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable' })
  }
})

test('a cached page ignores cookies and has its own Connection and Date', async () => {
  const { ask, fetchCached } = await openSite()
  const { headers, ...rest } = await fetchCached('/about')
  expect(headers).toMatchObject({ date: expect.any(String), connection: 'keep-alive', 'keep-alive': 'timeout=15' })
  const other = await ask('/about', { cookie: 'session=ana', connection: 'close', 'x-forwarded-for': '192.0.2.1' })
  expect(lasting(other)).toEqual(lasting({ headers, ...rest }))
  expect(other.headers.connection).toBe('close')
})

test('other requests reach the application', async () => {
  const { log, ask, fetchUncached, fetchCached, studio } = await openSite()
  const { headers } = await fetchCached('/about')
  await fetchCached('/assets/entry-abc.js')
  const asked: [string, Headers, 'GET' | 'HEAD' | 'POST', number][] = [
    ['/about', {}, 'HEAD', 200],
    ['/about', {}, 'POST', 404],
    ['/about', { 'if-none-match': String(headers.etag) }, 'GET', 304],
    ['/about', { 'if-none-match': '"another"' }, 'GET', 200],
    ['/about', { 'if-modified-since': 'Mon, 07 Dec 2026 09:00:00 GMT' }, 'GET', 200],
    ['/about?from=mail', {}, 'GET', 200],
    ['/about/', {}, 'GET', 301],
    ['/404', {}, 'GET', 404],
    ['/booking', {}, 'GET', 200],
    ['/assets/entry-abc.js', { range: 'bytes=0-2' }, 'GET', 206],
    ['/assets/entry-abc.js', { 'if-none-match': 'W/"another"' }, 'GET', 200],
  ]
  for (const [path, sent, method, status] of asked) {
    for (let times = 0; times < 3; times++) {
      studio.logged.length = 0
      const page = lasting(await ask(path, sent, method))
      expect([path, method, page]).toEqual([path, method, lasting(await fetchUncached(path, sent, method))])
      expect([path, page.status]).toEqual([path, status])
      await expect.poll(() => log().map(({ msg }) => msg)).toEqual(['incoming request', 'request completed'])
    }
  }
})

test('a page that was rendered again is cached again', async () => {
  let price = '£65'
  const kept: unknown[] = []
  const { app, pages } = await openPages({
    render: async (path, { ask }) =>
      `${path} from ${path === '/pricing' && (await (await ask('/api/packages')).text())}`,
    api: { '/api/packages': () => price },
    onKept: (path) => kept.push(path),
  })
  onTestFinished(() => app.close())
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const pricing = async () => await (await fetch(`${origin}/pricing`)).text()
  await expect.poll(async () => [await pricing(), kept.length > 0]).toEqual(['/pricing from £65', true])
  price = '£70'
  await pages.refresh()
  expect(await pricing()).toBe('/pricing from £70')
  kept.length = 0
  await expect.poll(async () => [await pricing(), kept.length > 0]).toEqual(['/pricing from £70', true])
})

test('a change by the owner is shown at once, and soon by another process', async () => {
  const studio = await openEmptyStudio()
  const { id } = await studio.createPackage({ price: '65.00' })
  const pages = builtPages(async (path, { ask }) =>
    path === '/pricing' ? await (await ask('/api/packages')).text() : path,
  )
  onTestFinished(() => rmSync(pages.folder, { recursive: true }))
  const { server, loggedInAs } = await studio.startSecondProcess({ pages })
  const { server: other } = await studio.startSecondProcess({ pages, refreshMs: 100 })
  const prices = () => Promise.all([server, other].map(async ({ app }) => (await app.inject('/pricing')).body))
  expect(await prices()).toEqual([expect.stringContaining('65.00'), expect.stringContaining('65.00')])
  const dora = loggedInAs(await studio.admin('Dora'))
  expect((await dora.request('PUT', `/api/packages/${id}`, { price: '70.00' })).status).toBe(200)
  await expect
    .poll(prices, { timeout: 10_000 })
    .toEqual([expect.stringContaining('70.00'), expect.stringContaining('70.00')])
})

test('home shows the hour of the studio by the process’s clock', async () => {
  const clock = frozenClock(london('2026-12-07 08:29:59'))
  const { app, pages } = await openPages({
    clock,
    render: async (path, { now, ask }) => {
      if (path !== '/') return path
      await ask('/api/classes')
      return `the room, ${hourOfRoom(now, studio.timeZone)}`
    },
    api: { '/api/classes': () => [] },
  })
  onTestFinished(() => app.close())
  const seen = async (time: string) => {
    clock.set(london(`2026-12-07 ${time}`))
    await pages.refresh()
    return (await app.inject('/')).body
  }
  expect(await seen('08:29:59')).toBe('the room, early')
  expect(await seen('08:30')).toBe('the room, morning')
  expect(await seen('11:30')).toBe('the room, noon')
  expect(await seen('16:30')).toBe('the room, evening')
})

test('a cached page has one log line and is counted by its path', async () => {
  const { ask, fetchCached, cachedRequestLines } = await openSite()
  const figures = async () => {
    const { body } = await ask('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` })
    const line = /^http_request_duration_seconds_count\{method="GET",route="\/pricing",status="200"\} (\d+)$/m
    return Number(line.exec(Buffer.from(body, 'base64').toString())?.[1])
  }
  const canaries = { cookie: 'canary-cookie', 'user-agent': 'canary-agent' }
  await fetchCached('/pricing', canaries)
  await expect.poll(cachedRequestLines).toHaveLength(1)
  await ask('/pricing', canaries)
  await expect.poll(cachedRequestLines).toHaveLength(2)
  const line = cachedRequestLines()[1]
  const others = ['level', 'time', 'pid', 'hostname', 'req', 'res', 'responseTime', 'msg']
  expect(Object.keys(line)).toEqual(others)
  expect(line).toMatchObject({
    level: 30,
    req: { method: 'GET', path: '/pricing' },
    res: { status: 200 },
    responseTime: expect.any(Number),
    msg: 'request completed',
  })
  expect(JSON.stringify(line)).not.toContain('canary')

  const before = await figures()
  expect(before).toBeGreaterThan(1)
  await ask('/pricing')
  await expect.poll(figures).toBe(before + 1)
})

test('closes connections as soon as the server stops', async () => {
  const { server, fetchCached, ask } = await openSite()
  expect((await fetchCached('/about')).headers.connection).toBe('keep-alive')
  const notice = Promise.withResolvers<void>()
  const closed = server.close({ notice: notice.promise })
  const page = await ask('/about')
  expect([page.status, page.headers.connection]).toEqual([200, 'close'])
  notice.resolve()
  await closed
})
