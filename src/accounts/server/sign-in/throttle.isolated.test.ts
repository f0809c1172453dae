import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { LIVE } from '#testing/live-settings.ts'
import { openEmptyStudio, type StudioUnderTest, shareStudio } from '#testing/studio-under-test.ts'
import { accountRefusals } from '../../contract.ts'

/** Wraps password checks, so that a test can delay one. */
const argon2 = vi.hoisted(() => ({ verify: vi.fn() }))
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const original = await importOriginal<typeof import('@node-rs/argon2')>()
  argon2.verify.mockImplementation(original.verify)
  return { ...original, verify: argon2.verify }
})
/** Checks all guesses concurrently, as many cores or processes would. */
vi.mock('p-limit', () => ({ default: () => Object.assign((work: () => unknown) => work(), { pendingCount: 0 }) }))

const HOME = '203.0.113.5'
const ELSEWHERE = '203.0.113.77'

/** Tries to log in from an address. */
const tryLogin = (studio: StudioUnderTest, username: string, password: string, from = HOME) =>
  studio.visitor().request('POST', '/api/login', { username, password }, { 'x-forwarded-for': from })

async function failLogins(studio: StudioUnderTest, username: string, times: number, from = HOME) {
  for (let time = 0; time < times; time++) {
    expect(await tryLogin(studio, username, 'wrong-password', from)).toBeRefused(accountRefusals.invalid_credentials)
  }
}

/** The counters use the system clock, so this moves their expiry back instead. */
const ageCounters = (studio: StudioUnderTest, { seconds }: { seconds: number }) =>
  studio.server.database.pool.query('update throttles set expire = expire - $1', [seconds * 1000])

const story = shareStudio({ env: { ...LIVE, TRUST_PROXY: 'loopback' } })
let members = 0
/** A live studio with empty counters, and a new member. */
async function openLive() {
  const { studio } = story
  await studio.server.database.pool.query('truncate throttles')
  const ana = await studio.member(`Ana${++members}`)
  return { studio, ana }
}

describe('live', () => {
  test('a pair of account and address has to wait after five failures, even with the correct password', async () => {
    const { studio, ana } = await openLive()
    await failLogins(studio, ana.email, 5)
    expect(await tryLogin(studio, ana.email, ana.password)).toBeRefused(commonRefusals.too_many_requests)
    expect(commonRefusals.too_many_requests.status).toBe(429)

    // Another address, another account: unaffected.
    expect((await tryLogin(studio, ana.email, ana.password, ELSEWHERE)).status).toBe(200)
    await failLogins(studio, 'boris', 1)
    expect(await tryLogin(studio, ana.email, ana.password)).toBeRefused(commonRefusals.too_many_requests)
  })

  test('allows four failures, and a success resets them', async () => {
    const { studio, ana } = await openLive()
    for (let round = 0; round < 3; round++) {
      await failLogins(studio, ana.email, 4)
      expect((await tryLogin(studio, ana.email, ana.password)).status).toBe(200)
    }
    expect(await studio.count("select count(*) from throttles where key similar to '(login|delay):%'")).toBe(0)
  })

  test('ignores failures older than 15 minutes', async () => {
    const { studio, ana } = await openLive()
    await failLogins(studio, ana.email, 4)
    await ageCounters(studio, { seconds: 15 * 60 })
    await failLogins(studio, ana.email, 4)
    expect((await tryLogin(studio, ana.email, ana.password)).status).toBe(200)
  })

  test('doubles the wait with every further failure, up to an hour', async () => {
    const { studio, ana } = await openLive()
    await failLogins(studio, ana.email, 5)
    const waits = [60, 120, 240, 480, 960, 1920, 3600, 3600]
    for (const wait of waits) {
      await ageCounters(studio, { seconds: wait - 5 })
      expect(await tryLogin(studio, ana.email, ana.password)).toBeRefused(commonRefusals.too_many_requests)
      await ageCounters(studio, { seconds: 5 })
      await failLogins(studio, ana.email, 1)
    }
    await ageCounters(studio, { seconds: 3600 })
    expect((await tryLogin(studio, ana.email, ana.password)).status).toBe(200)
    await failLogins(studio, ana.email, 4)
    expect((await tryLogin(studio, ana.email, ana.password)).status).toBe(200)
  })

  test('a member can try ten voucher codes an hour', async () => {
    const { ana } = await openLive()
    const guess = () => ana.request('POST', '/api/vouchers/redeem', { code: 'AAAA-BBBB-CCCC' })
    for (let tries = 1; tries <= 10; tries++) expect((await guess()).status).toBe(404)
    expect(await guess()).toBeRefused(commonRefusals.too_many_requests)
  })

  test('does not extend the wait for tries during it', async () => {
    const { studio, ana } = await openLive()
    await failLogins(studio, ana.email, 5)
    for (let time = 0; time < 10; time++) await tryLogin(studio, ana.email, 'wrong-password')
    await ageCounters(studio, { seconds: 60 })
    expect((await tryLogin(studio, ana.email, ana.password)).status).toBe(200)
  })

  test('counts username and email as one account', async () => {
    const { studio, ana } = await openLive()
    await studio.server.database.pool.query("update users set username = 'nana' where id = $1", [ana.id])
    for (const name of ['nana', 'NANA', ana.email, ana.email.toUpperCase(), 'Nana']) await failLogins(studio, name, 1)
    for (const name of ['nana', ana.email]) {
      expect(await tryLogin(studio, name, ana.password)).toBeRefused(commonRefusals.too_many_requests)
    }
  })

  test('throttles an unknown name like a known one', async () => {
    const { studio } = await openLive()
    await failLogins(studio, 'nobody', 5)
    expect(await tryLogin(studio, 'Nobody', 'wrong-password')).toBeRefused(commonRefusals.too_many_requests)
  })

  test('refuses concurrent guesses after the fifth failure', async () => {
    const { studio, ana } = await openLive()
    const { verify } = await vi.importActual<typeof import('@node-rs/argon2')>('@node-rs/argon2')
    // Every password is checked, but the results are returned one after the other.
    const doors: (() => void)[] = []
    argon2.verify.mockImplementation(async (hash: string, password: string) => {
      const fits = await verify(hash, password)
      await new Promise<void>((open) => doors.push(open))
      return fits
    })
    onTestFinished(() => void argon2.verify.mockImplementation(verify))
    const statuses: number[] = []
    const guess = async (password: string) => void statuses.push((await tryLogin(studio, ana.email, password)).status)
    const guesses = Array.from({ length: 9 }, () => guess('wrong-password'))
    await vi.waitFor(() => expect(doors).toHaveLength(9), 60_000)
    guesses.push(guess(ana.password))
    await vi.waitFor(() => expect(doors).toHaveLength(10), 60_000)
    for (const [answered, open] of doors.entries()) {
      open()
      await vi.waitFor(() => expect(statuses).toHaveLength(answered + 1), 60_000)
    }
    await Promise.all(guesses)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429, 429])
    // The wait started once, with the first and shortest period.
    argon2.verify.mockImplementation(verify)
    await ageCounters(studio, { seconds: 60 })
    expect((await tryLogin(studio, ana.email, ana.password)).status).toBe(200)
  })

  test('ignores a forwarded address without a proxy', async () => {
    const studio = await openEmptyStudio({ env: { ...LIVE, TRUST_PROXY: 'off' } })
    const ana = await studio.member('Ana')
    for (let time = 0; time < 5; time++) await failLogins(studio, ana.email, 1, `203.0.113.${time}`)
    expect(await tryLogin(studio, ana.email, ana.password, ELSEWHERE)).toBeRefused(commonRefusals.too_many_requests)
  })

  test('limits mails to 300 an hour per address', async () => {
    const { studio } = await openLive()
    const requestReset = (from: string) =>
      studio
        .visitor()
        .request('POST', '/api/password-reset', { email: 'no@people.example' }, { 'x-forwarded-for': from })
    expect((await requestReset(HOME)).status).toBe(200)
    await studio.server.database.pool.query('update throttles set points = 299 where key = $1', [`mail:${HOME}`])
    expect((await requestReset(HOME)).status).toBe(200)
    expect(await requestReset(HOME)).toBeRefused(commonRefusals.too_many_requests)
    const form = { email: 'zoe@people.example', firstName: 'Z', lastName: 'C', password: 'six-or-more' }
    const signUp = (from: string) =>
      studio.visitor().request('POST', '/api/register', form, { 'x-forwarded-for': from })
    expect(await signUp(HOME)).toBeRefused(commonRefusals.too_many_requests)
    expect((await signUp(ELSEWHERE)).status).toBe(201)
    await ageCounters(studio, { seconds: 3600 })
    expect((await requestReset(HOME)).status).toBe(200)
  })
})

test('deletes expired counters only', async () => {
  const { studio, ana } = await openLive()
  await failLogins(studio, ana.email, 5)
  await ageCounters(studio, { seconds: 3600 })
  await failLogins(studio, 'nobody', 1)
  await studio.server.workers['tidy-up']({}, 'a job')
  const { rows } = await studio.server.database.pool.query('select key from throttles order by key')
  // The wait is over, but the failures are remembered for a day.
  expect(rows.map(({ key }) => key.split(':', 1)[0])).toEqual(['account', 'address', 'delay', 'login', 'site'])
  await ageCounters(studio, { seconds: 86_400 })
  await studio.server.workers['tidy-up']({}, 'a job')
  expect(await studio.count('select count(*) from throttles')).toBe(0)
})

describe('demo', () => {
  test('throttles from the fiftieth failure, without other limits', async () => {
    const studio = await openEmptyStudio()
    const ana = await studio.member('Ana')
    for (let time = 0; time < 49; time++) await tryLogin(studio, ana.email, 'wrong-password')
    expect((await tryLogin(studio, ana.email, ana.password)).status).toBe(200)
    await failLogins(studio, ana.email, 50)
    expect(await tryLogin(studio, ana.email, ana.password)).toBeRefused(commonRefusals.too_many_requests)
    expect((await tryLogin(studio, 'boris', 'wrong-password')).status).toBe(401)
    await studio.visitor().request('POST', '/api/password-reset', { email: 'no@people.example' })
    expect(await studio.count("select count(*) from throttles where key like 'mail%'")).toBe(0)
  })

  test('accepts fifty concurrent correct passwords', async () => {
    const studio = await openEmptyStudio()
    const ana = await studio.member('Ana')
    const responses = await Promise.all(Array.from({ length: 50 }, () => tryLogin(studio, ana.email, ana.password)))
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200))
  })
})
