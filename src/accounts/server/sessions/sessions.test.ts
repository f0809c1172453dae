import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { LIVE } from '#testing/live-settings.ts'
import type { Person, TestResponse } from '#testing/person.ts'
import { openEmptyStudio, openStudio, shareStudio } from '#testing/studio-under-test.ts'

const story = shareStudio()
const whoAmI = (who: Person, headers: Record<string, string> = {}) =>
  who.request('GET', '/api/auth/user', undefined, headers)
const logIn = (who: Person, headers: Record<string, string> = {}) =>
  who.request('POST', '/api/login', { username: who.email, password: who.password }, headers)
const tokenOf = (who: Person) => decodeURIComponent(who.cookies.get('session') ?? '').replace(/\.[^.]*$/, '')

/** The session's cookie as a response sets it: its name, its attributes in lower case; and what else is set. */
function cookieOf(response: TestResponse) {
  const [line = '', ...more] = response.headers.getSetCookie()
  const [pair = '', ...attributes] = line.split(/;\s*/)
  return { name: pair.split('=', 1)[0], attributes: attributes.map((text) => text.toLowerCase()).sort(), more }
}

test('returns 401 to a visitor, even with the signed-in cookie', async () => {
  expect(await whoAmI(story.studio.visitor())).toBeRefused(commonRefusals.unauthorized)
  expect(await whoAmI(story.studio.visitor(), { cookie: 'signed-in=yes' })).toBeRefused(commonRefusals.unauthorized)
  expect(commonRefusals.unauthorized).toMatchObject({ status: 401, message: 'Unauthorized' })
})

describe('the cookie', () => {
  test('over http: lasts thirty days, HttpOnly and SameSite, with a signed-in cookie', async () => {
    expect(cookieOf(await logIn(story.ana))).toEqual({
      name: 'session',
      attributes: ['httponly', 'max-age=2592000', 'path=/', 'samesite=lax'],
      more: ['signed-in=yes; Max-Age=2592000; Path=/; SameSite=Lax'],
    })
  })

  test('served over https: Secure and __Host-', async () => {
    const studio = await openEmptyStudio({ env: LIVE })
    const ana = await studio.member('Ana')
    expect(cookieOf(await logIn(ana))).toEqual({
      name: '__Host-session',
      attributes: ['httponly', 'max-age=2592000', 'path=/', 'samesite=lax', 'secure'],
      more: ['__Host-signed-in=yes; Max-Age=2592000; Path=/; Secure; SameSite=Lax'],
    })
    expect((await whoAmI(ana)).status).toBe(200)
    const left = await ana.request('GET', '/api/logout')
    expect(cookieOf(left)).toMatchObject({ name: '__Host-session', attributes: expect.arrayContaining(['secure']) })
    expect((await whoAmI(ana)).status).toBe(401)
  })

  test('behind a trusted proxy with https: Secure; other clients’ headers are ignored', async () => {
    const https = { 'x-forwarded-proto': 'https' }
    const { ana } = await openStudio({ env: { TRUST_PROXY: 'loopback' } })
    expect(cookieOf(await logIn(ana, https)).name).toBe('__Host-session')
    expect(cookieOf(await logIn(ana)).name).toBe('session')
    expect(cookieOf(await logIn(story.ana, https)).name).toBe('session')
    const elsewhere = await openStudio({ env: { TRUST_PROXY: '10.0.0.1' } })
    expect(cookieOf(await logIn(elsewhere.ana, https)).name).toBe('session')
  })

  test('counts proxies from our side', async () => {
    const { ana } = await openStudio({ env: { TRUST_PROXY: '1' } })
    expect(cookieOf(await logIn(ana, { 'x-forwarded-proto': 'https' })).name).toBe('__Host-session')
  })

  test('ignores a __Host- cookie over http', async () => {
    const { studio } = story
    const carl = await studio.member('Carl')
    const value = carl.cookies.get('session') ?? ''
    const visitor = studio.visitor()
    expect((await whoAmI(visitor, { cookie: `__Host-session=${value}` })).status).toBe(401)
    expect((await whoAmI(visitor, { cookie: `session=${value}` })).status).toBe(200)
  })

  test('with a changed value is not a session', async () => {
    const { studio } = story
    const dave = await studio.member('Dave')
    const token = tokenOf(dave)
    const cookie = decodeURIComponent(dave.cookies.get('session') ?? '')
    const signature = cookie.slice(token.length + 1)
    const signedElsewhere = createHmac('sha256', 'another secret').update(token).digest('base64').replace(/=+$/, '')
    const swap = (text: string) => (text[0] === 'A' ? 'B' : 'A') + text.slice(1)
    const sent = (value: string) => whoAmI(studio.visitor(), { cookie: `session=${encodeURIComponent(value)}` })
    expect((await sent(cookie)).status).toBe(200)
    const forged = [token, `${token}.`, `${swap(token)}.${signature}`, `${token}.${swap(signature)}`]
    const worse = ['', '.', 's:', `${token}.${signedElsewhere}`, `.${signature}`, 'x'.repeat(4000)]
    for (const value of [...forged, ...worse]) {
      expect(await sent(value), value).toBeRefused(commonRefusals.unauthorized)
    }
    expect((await whoAmI(studio.visitor(), { cookie: 'session=%zz; __proto__=x; =; ;' })).status).toBe(401)
  })
})

test('the database stores only the token’s hash', async () => {
  const { studio } = story
  const erin = await studio.member('Erin')
  const token = tokenOf(erin)
  expect(token).toMatch(/^[\w-]{43}$/)
  const { rows } = await studio.server.database.pool.query('select * from sessions where user_id = $1', [erin.id])
  expect(rows).toHaveLength(1)
  expect(rows[0].token_hash).toEqual(createHash('sha256').update(token).digest())
  const { rows: all } = await studio.server.database.pool.query('select s::text from sessions s')
  const written = JSON.stringify(all)
  expect(written).not.toContain(token)
  expect(written).not.toContain(Buffer.from(token).toString('hex'))
})

test('a session lasts thirty days; expired ones are deleted', async () => {
  const { studio, ana } = await openStudio()
  studio.clock.advance({ seconds: 30 * 86_400 - 1 })
  expect((await whoAmI(ana)).status).toBe(200)
  const fresh = studio.visitor('Ana')
  await logIn(fresh)
  studio.clock.advance({ seconds: 1 })
  expect((await whoAmI(ana)).status).toBe(401)
  expect((await whoAmI(fresh)).status).toBe(200)
  await studio.server.workers['tidy-up']({}, 'a job')
  expect(await studio.count('select count(*) from sessions')).toBe(1)
  expect((await whoAmI(fresh)).status).toBe(200)
})

describe('logging out', () => {
  test('ends only this session, clears the cookies and redirects home', async () => {
    const { studio } = story
    const frank = await studio.member('Frank')
    const phone = studio.visitor('Frank')
    await logIn(phone)
    const thief = studio.visitor()
    thief.copyCookiesOf(frank)
    const response = await frank.request('GET', '/api/logout')
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    expect(frank.cookies.size).toBe(0)
    expect((await whoAmI(thief)).status).toBe(401)
    expect((await whoAmI(phone)).status).toBe(200)
  })

  test('redirects a visitor home too', async () => {
    const response = await story.studio.visitor().request('GET', '/api/logout')
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
  })

  test.each([
    ['an address bar', { 'sec-fetch-site': 'none' }, 401],
    ['a link of ours', { 'sec-fetch-site': 'same-origin' }, 401],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 200],
    ['another site’s origin', { origin: 'https://evil.example' }, 200],
  ])('by %s', async (_, headers, afterwards) => {
    const { studio } = story
    const grete = await studio.member(`Grete, ${_}`.replace(/\W/g, ''))
    const response = await grete.request('GET', '/api/logout', undefined, headers)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    expect((await whoAmI(grete)).status).toBe(afterwards)
    if (afterwards === 200) expect(response.headers.getSetCookie()).toEqual([])
    // What the browser keeps of the visit goes with the session, and only then.
    expect(response.headers.get('clear-site-data')).toBe(afterwards === 401 ? '"storage"' : null)
  })
})

test('deleting a user ends all of their sessions and no others', async () => {
  const { studio, dora, ana } = story
  const heidi = await studio.member('Heidi')
  const phone = studio.visitor('Heidi')
  await logIn(phone)
  expect((await dora.request('DELETE', `/api/admin/users/${heidi.id}`)).status).toBe(200)
  for (const who of [heidi, phone]) expect((await whoAmI(who)).status).toBe(401)
  expect((await whoAmI(ana)).status).toBe(200)
})
