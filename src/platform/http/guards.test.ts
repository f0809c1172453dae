import { request } from 'node:http'
import { expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { LIVE } from '#testing/live-settings.ts'
import { openEmptyStudio, openStudio, shareStudio } from '#testing/studio-under-test.ts'

const story = shareStudio()
const host = () => new URL(story.studio.server.origin).host
const port = () => new URL(story.studio.server.origin).port

/** A write's headers, and whether it is carried out. */
test.each([
  ['nothing: a script, a test', () => ({}), true],
  ['Sec-Fetch-Site: same-origin', () => ({ 'sec-fetch-site': 'same-origin' }), true],
  ['Sec-Fetch-Site: none, typed by the user', () => ({ 'sec-fetch-site': 'none' }), true],
  ['Sec-Fetch-Site: cross-site', () => ({ 'sec-fetch-site': 'cross-site' }), false],
  [
    'Sec-Fetch-Site: cross-site, whatever the Origin',
    () => ({ 'sec-fetch-site': 'cross-site', origin: `http://${host()}` }),
    false,
  ],
  [
    'Sec-Fetch-Site: same-site from a neighbour',
    () => ({ 'sec-fetch-site': 'same-site', origin: `http://x.${host()}` }),
    false,
  ],
  ['the own Origin', () => ({ origin: `http://${host()}` }), true],
  ['the own host over another scheme', () => ({ origin: `https://${host()}` }), false],
  ['another Origin', () => ({ origin: 'https://evil.example' }), false],
  ['Origin: null, of a sandboxed frame', () => ({ origin: 'null' }), false],
  ['an empty Origin', () => ({ origin: '' }), false],
  ['an Origin that is no address', () => ({ origin: 'nonsense' }), false],
  ['another port', () => ({ origin: `http://127.0.0.1:${Number(port()) + 1}` }), false],
  ['no port', () => ({ origin: 'http://127.0.0.1' }), false],
  ['a host that begins like ours', () => ({ origin: `http://127.0.0.1:${port()}.evil.example` }), false],
  ['a host that ends like ours', () => ({ origin: `http://evil-127.0.0.1:${port()}` }), false],
  ['our host as a user name', () => ({ origin: `http://${host()}@evil.example` }), false],
  ['another name of this machine', () => ({ origin: `http://localhost:${port()}` }), false],
])('a write with %s', async (_, headers, isCarriedOut) => {
  const { studio, dora } = story
  const count = () => studio.count('select count(*) from packages')
  const before = await count()
  const body = { name: 'Eight', price: '424.00', classCount: 8, validityMonths: 4 }
  const response = await dora.request('POST', '/api/packages', body, headers())
  if (isCarriedOut) expect(response.status).toBe(201)
  else expect(response).toBeRefused(commonRefusals.cross_site_request)
  expect(await count()).toBe(before + (isCarriedOut ? 1 : 0))
})

test('allows reads from another site’s page', async () => {
  const { ana } = story
  const elsewhere: Record<string, string>[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]
  for (const headers of elsewhere) {
    const response = await ana.request('GET', '/api/user/bookings', undefined, headers)
    expect(response.status).toBe(200)
    // … but its script cannot read the response.
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('does not allow another site’s preflight', async () => {
  const { status, headers } = await story.ana.request('OPTIONS', '/api/bookings', undefined, {
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  })
  expect(status).toBe(404)
  expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('refuses sign-in from another site’s form', async () => {
  const { studio, ana } = story
  const thief = studio.visitor()
  const form = { username: ana.email, password: ana.password }
  const response = await thief.request('POST', '/api/login', form, { origin: 'https://evil.example' })
  expect(response).toBeRefused(commonRefusals.cross_site_request)
  expect(thief.cookies.size).toBe(0)
})

test('uses the forwarded host and scheme behind a trusted proxy', async () => {
  const { dora } = await openStudio({ env: { TRUST_PROXY: 'loopback', ALLOWED_HOSTS: 'studio.example' } })
  const body = { name: 'Eight', price: '424.00', classCount: 8, validityMonths: 4 }
  const create = (headers: Record<string, string>) => dora.request('POST', '/api/packages', body, headers)
  const forwarded = { 'x-forwarded-host': 'studio.example', 'x-forwarded-proto': 'https' }
  await dora.request('POST', '/api/login', { username: dora.email, password: dora.password }, forwarded)
  expect((await create({ ...forwarded, origin: 'https://studio.example' })).status).toBe(201)
  expect((await create({ ...forwarded, origin: 'https://studio.example:443' })).status).toBe(201)
  for (const origin of ['https://evil.example', 'http://studio.example', 'https://studio.example:8443'])
    expect(await create({ ...forwarded, origin })).toBeRefused(commonRefusals.cross_site_request)
  // Only the proxy knows our host.
  const headers = { 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' }
  expect(await story.dora.request('POST', '/api/packages', body, headers)).toBeRefused(
    commonRefusals.cross_site_request,
  )
})

test('refuses writes from a page without HTTPS of the same host, whatever scheme a proxy forwards', async () => {
  const live = await openEmptyStudio({ env: { ...LIVE, TRUST_PROXY: 'loopback' } })
  const form = { username: 'somebody', password: 'a-secret' }
  const host = 'studio.example'
  const signIn = (origin: string, proto: string) =>
    live.visitor().request('POST', '/api/login', form, {
      'x-forwarded-host': host,
      'x-forwarded-proto': proto,
      'sec-fetch-site': 'same-site',
      origin,
    })
  for (const proto of ['https', 'http']) {
    expect(await signIn(`http://${host}`, proto)).toBeRefused(commonRefusals.cross_site_request)
    expect((await signIn(`https://${host}`, proto)).status).toBe(401)
  }
})

test('does not serve TRACE, which would repeat cookies that scripts may not read', async () => {
  const { hostname } = new URL(story.studio.server.origin)
  for (const path of ['/', '/about', '/api/auth/user', '/robots.txt']) {
    const status = await new Promise((resolve, reject) => {
      const headers = { cookie: 'session=canary' }
      const traced = request({ hostname, port: port(), path, method: 'TRACE', headers }, (response) => {
        response.setEncoding('utf8').on('data', (text: string) => expect(text).not.toContain('canary'))
        response.on('end', () => resolve(response.statusCode))
      })
      traced.on('error', reject).end()
    })
    expect([404, 405], path).toContain(status)
  }
})
