import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { LIVE } from '#testing/live-settings.ts'
import { openEmptyStudio, type StudioUnderTest, shareStudio } from '#testing/studio-under-test.ts'
import { accountRefusals } from '../../contract.ts'
import { sourceOf } from './throttle.ts'

const HOME = '203.0.113.5'
const story = shareStudio({ env: { ...LIVE, TRUST_PROXY: 'loopback' } })
let members = 0
/** A live studio with empty counters, and a new member. */
async function openLive() {
  const { studio } = story
  await studio.server.database.pool.query('truncate throttles')
  return { studio, ana: await studio.member(`Ana${++members}`) }
}

const tryLogin = (studio: StudioUnderTest, username: string, password: string, from: string) =>
  studio.visitor().request('POST', '/api/login', { username, password }, { 'x-forwarded-for': from })
const isWrong = (response: Awaited<ReturnType<typeof tryLogin>>) =>
  expect(response).toBeRefused(accountRefusals.invalid_credentials)
/** The counters use the system clock, so this moves their expiry back instead. */
const ageCounters = (studio: StudioUnderTest, { seconds }: { seconds: number }) =>
  studio.server.database.pool.query('update throttles set expire = expire - $1', [seconds * 1000])
const alarms = (studio: StudioUnderTest, email: string) =>
  studio.count(
    "select count(*) from pgboss.job where data ->> 'mail' = 'security-alarm' and data #>> '{data,to,email}' = $1",
    [email],
  )

test.each([
  ['203.0.113.5', '203.0.113.5'],
  ['::ffff:203.0.113.5', '203.0.113.5'],
  ['::ffff:cb00:7105', '203.0.113.5'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
])('%s is limited as %s', (address, source) => {
  expect(sourceOf(address)).toBe(source)
})

describe('an account, from all addresses', () => {
  test('has to wait from the thirtieth failure in an hour, at most a minute', async () => {
    const { studio, ana } = await openLive()
    for (let time = 1; time <= 30; time++)
      isWrong(await tryLogin(studio, ana.email, 'wrong-password', `198.51.100.${time}`))
    const kept = await tryLogin(studio, ana.email, ana.password, HOME)
    expect(kept).toBeRefused(commonRefusals.too_many_requests)
    expect(kept.headers.get('retry-after')).toBe('10')
    for (const wait of [10, 20, 40, 60, 60]) {
      await ageCounters(studio, { seconds: wait - 1 })
      expect((await tryLogin(studio, ana.email, ana.password, HOME)).status).toBe(429)
      await ageCounters(studio, { seconds: 1 })
      isWrong(await tryLogin(studio, ana.email, 'wrong-password', `198.51.100.${100 + wait + members}`))
    }
    await ageCounters(studio, { seconds: 60 })
    expect((await tryLogin(studio, ana.email, ana.password, HOME)).status).toBe(200)
  })

  test('does not block a caller who is signed in to it', async () => {
    const { studio, ana } = await openLive()
    const boris = await studio.member(`Boris${members}`)
    for (let time = 1; time <= 30; time++) await tryLogin(studio, ana.email, 'wrong-password', `198.51.100.${time}`)
    const body = { username: ana.email, password: ana.password }
    const from = { 'x-forwarded-for': HOME }
    expect((await boris.request('POST', '/api/login', body, from)).status).toBe(429)
    expect((await ana.request('POST', '/api/login', body, from)).status).toBe(200)
  })

  test('is emailed about the tenth failure, once in six hours', async () => {
    const { studio, ana } = await openLive()
    for (let time = 1; time <= 9; time++) await tryLogin(studio, ana.email, 'wrong-password', `198.51.100.${time}`)
    expect(await alarms(studio, ana.email)).toBe(0)
    for (let time = 10; time <= 15; time++) await tryLogin(studio, ana.email, 'wrong-password', `198.51.100.${time}`)
    expect(await alarms(studio, ana.email)).toBe(1)
    await ageCounters(studio, { seconds: 6 * 3600 })
    for (let time = 1; time <= 10; time++) await tryLogin(studio, ana.email, 'wrong-password', `198.51.100.${time}`)
    expect(await alarms(studio, ana.email)).toBe(2)
  })
})

describe('an address, for all accounts', () => {
  test('has to wait for the rest of the hour after sixty failures; a success does not reset it', async () => {
    const { studio, ana } = await openLive()
    for (let time = 1; time <= 59; time++) isWrong(await tryLogin(studio, `nobody${time}`, 'wrong-password', HOME))
    expect((await tryLogin(studio, ana.email, ana.password, HOME)).status).toBe(200)
    isWrong(await tryLogin(studio, 'nobody60', 'wrong-password', HOME))
    const kept = await tryLogin(studio, ana.email, ana.password, HOME)
    expect(kept).toBeRefused(commonRefusals.too_many_requests)
    expect(Number(kept.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect((await tryLogin(studio, ana.email, ana.password, '203.0.113.6')).status).toBe(200)
    await ageCounters(studio, { seconds: 3600 })
    expect((await tryLogin(studio, ana.email, ana.password, HOME)).status).toBe(200)
  })

  test('counts an IPv6 /64 as one address', async () => {
    const { studio, ana } = await openLive()
    for (let time = 1; time <= 60; time++) {
      isWrong(await tryLogin(studio, `nobody${time}`, 'wrong-password', `2001:db8:1:2::${time}`))
    }
    expect((await tryLogin(studio, ana.email, ana.password, '2001:db8:1:2:ffff::1')).status).toBe(429)
    expect((await tryLogin(studio, ana.email, ana.password, '2001:db8:1:3::1')).status).toBe(200)
  })
})

test('emails the owner once about two hundred failures in an hour across the site, without slowing anyone down', async () => {
  const { studio, ana } = await openLive()
  const warned = () => studio.count("select count(*) from pgboss.job where data ->> 'mail' = 'many-failures'")
  const lines = () => studio.count("select count(*) from security_events where kind = 'many_failures'")
  const spray = async (from: number, to: number) => {
    for (let i = from; i <= to; i++) {
      const response = await tryLogin(studio, `nobody${i}`, 'reformer-2026!', `198.51.${100 + (i >> 8)}.${i & 255}`)
      isWrong(response)
    }
  }
  await spray(1, 199)
  expect([await warned(), await lines()]).toEqual([0, 0])
  await spray(200, 203)
  expect([await warned(), await lines()]).toEqual([1, 1])
  expect((await tryLogin(studio, ana.email, ana.password, HOME)).status).toBe(200)
  // After an hour the count starts again, but the next mail is sent after six hours.
  await ageCounters(studio, { seconds: 3600 })
  await spray(301, 400)
  expect(await warned()).toBe(1)
})

test('records failures and waits without typed text', async () => {
  const { studio, ana } = await openLive()
  for (let time = 0; time < 5; time++) await tryLogin(studio, ana.email, 'wrong-password', HOME)
  await tryLogin(studio, ana.email, 'wrong-password', HOME)
  await tryLogin(studio, 'a-secret-typed-here', 'wrong-password', HOME)
  const { rows } = await studio.server.database.pool.query(
    "select kind, subject_id, details from security_events where kind in ('sign_in_failed', 'throttled') order by id desc limit 7",
  )
  const failed = { kind: 'sign_in_failed', subject_id: ana.id, details: { method: 'password', why: 'wrong_password' } }
  expect(rows.reverse()).toEqual([
    ...Array(5).fill(failed),
    { kind: 'throttled', subject_id: ana.id, details: { scope: 'pair', waitSeconds: 60 } },
    { kind: 'sign_in_failed', subject_id: null, details: { method: 'password', why: 'unknown_account' } },
  ])
})

test('the demo has neither limit', async () => {
  const studio = await openEmptyStudio({ env: { TRUST_PROXY: 'loopback' } })
  const ana = await studio.member('Ana')
  for (let time = 1; time <= 62; time++)
    isWrong(await tryLogin(studio, ana.email, 'wrong-password', `198.51.100.${time}`))
  for (let time = 1; time <= 62; time++) isWrong(await tryLogin(studio, `nobody${time}`, 'wrong-password', HOME))
  expect((await tryLogin(studio, ana.email, ana.password, HOME)).status).toBe(200)
})

test('responds immediately to more concurrent wrong logins than there are connections', async () => {
  const { studio, ana } = await openLive()
  // Waiting for a second connection while holding one would end in a 503.
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, i) => tryLogin(studio, ana.email, 'wrong-password', `198.51.100.${i}`)),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array(30).fill(401))
})
