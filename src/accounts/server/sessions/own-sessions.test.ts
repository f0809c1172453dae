import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { LIVE } from '#testing/live-settings.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest, shareStudio } from '#testing/studio-under-test.ts'
import { editUser, getCurrentUser, setPassword } from '../../contract.ts'
import { endOneSession, endSessions, listSessions, sessionRefusals, type UserSession } from '../../contract-sessions.ts'
import { makeAdmin } from '../accounts.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const story = shareStudio()
const isSignedIn = async (who: Person) => (await who.call(getCurrentUser)).status === 200
const listed = (who: Person): Promise<UserSession[]> => who.read(listSessions)

/** Another browser of theirs, signed in. */
async function elsewhere(studio: StudioUnderTest, who: Person, agent = FIREFOX): Promise<Person> {
  const there = studio.visitor(who.name)
  const body = { username: who.email, password: who.password }
  expect((await there.request('POST', '/api/login', body, { 'user-agent': agent })).status).toBe(200)
  return there
}

describe('the list of sessions', () => {
  test('lists this browser first, then by last use, with names and without secrets', async () => {
    const { studio, boris } = await openStudio()
    studio.clock.advance({ minutes: 10 })
    await elsewhere(studio, boris, 'http://evil.example/now x y')
    studio.clock.advance({ minutes: 10 })
    await elsewhere(studio, boris)
    const all = await listed(boris)
    expect(all.map(({ browser, system, method, isCurrent }) => [browser, system, method, isCurrent])).toEqual([
      [null, null, 'sign_up', true],
      ['Firefox', 'Linux', 'password', false],
      [null, null, 'password', false],
    ])
    expect(all[1]).toMatchObject({
      beganAt: '2026-12-07T09:20:00Z',
      lastUsedAt: '2026-12-07T09:20:00Z',
      endsAt: '2027-01-06T09:20:00Z',
    })
    const { rows } = await studio.server.database.pool.query("select encode(token_hash, 'hex') as hash from sessions")
    const json = JSON.stringify(all)
    for (const { hash } of rows) expect(json).not.toContain(hash)
    expect(json).not.toContain(decodeURIComponent(boris.cookies.get('session') ?? '').split('.')[0])
    expect(json).not.toContain('evil')
  })

  test('names this browser even if it sent no user agent at the sign-in', async () => {
    const { studio, boris } = await openStudio()
    await elsewhere(studio, boris, 'http://evil.example/now x y')
    const asked = await boris.request('GET', '/api/user/sessions', undefined, { 'user-agent': FIREFOX })
    const words = asked.body.map(({ browser, system, isCurrent }: UserSession) => [browser, system, isCurrent])
    expect(words).toEqual([
      ['Firefox', 'Linux', true],
      [null, null, false],
    ])
  })

  test('records the use of a session after five minutes', async () => {
    const { studio, boris } = await openStudio()
    const phone = await elsewhere(studio, boris)
    const lastUse = async () => (await listed(boris)).find(({ isCurrent }) => !isCurrent)?.lastUsedAt
    const isWritten = (at: string) => expect.poll(lastUse, { timeout: 60_000 }).toBe(at)
    studio.clock.advance({ minutes: 4, seconds: 59 })
    await isSignedIn(phone)
    await isWritten('2026-12-07T09:00:00Z')
    studio.clock.advance({ seconds: 1 })
    await isSignedIn(phone)
    await isWritten('2026-12-07T09:05:00Z')
  })

  test('shows nothing to visitors, and never another user’s sessions', async () => {
    const { studio, ana, boris } = story
    expect(await studio.visitor().call(listSessions)).toBeRefused(commonRefusals.unauthorized)
    const ids = new Set((await listed(ana)).map(({ id }) => id))
    expect((await listed(boris)).filter(({ id }) => ids.has(id))).toEqual([])
  })
})

describe('ending sessions', () => {
  test('ends one session once; returns 404 to a repeat and to another user’s session', async () => {
    const { studio, ana } = story
    const carl = await studio.member('Carl')
    const phone = await elsewhere(studio, carl)
    const [, other] = await listed(carl)
    const params = { id: other?.id ?? '' }
    expect(await ana.call(endOneSession, { params })).toBeRefused(sessionRefusals.session_not_found)
    expect(await isSignedIn(phone)).toBe(true)
    expect((await carl.call(endOneSession, { params })).status).toBe(200)
    expect([await isSignedIn(phone), await isSignedIn(carl)]).toEqual([false, true])
    expect(await carl.call(endOneSession, { params })).toBeRefused(sessionRefusals.session_not_found)
  })

  test('ends this session and clears its cookies', async () => {
    const { studio } = story
    const dave = await studio.member('Dave')
    const [own] = await listed(dave)
    expect((await dave.call(endOneSession, { params: { id: own?.id } })).status).toBe(200)
    expect(dave.cookies.size).toBe(0)
  })

  test('ends all others, or all', async () => {
    const { studio, ana } = story
    const erin = await studio.member('Erin')
    const [phone, desk] = [await elsewhere(studio, erin), await elsewhere(studio, erin)]
    expect((await erin.call(endSessions)).body).toMatchObject({ ended: 2 })
    expect(await Promise.all([erin, phone, desk].map(isSignedIn))).toEqual([true, false, false])
    expect((await erin.call(endSessions)).body).toMatchObject({ ended: 0 })
    const tablet = await elsewhere(studio, erin)
    expect((await erin.call(endSessions, { query: { all: 'true' } })).body).toMatchObject({ ended: 2 })
    expect(await Promise.all([erin, tablet].map(isSignedIn))).toEqual([false, false])
    expect(erin.cookies.size).toBe(0)
    expect(await isSignedIn(ana)).toBe(true)
  })

  test('is recorded', async () => {
    const { studio } = story
    const frank = await studio.member('Frank')
    await elsewhere(studio, frank)
    await elsewhere(studio, frank)
    const [, one] = await listed(frank)
    await frank.call(endOneSession, { params: { id: one?.id } })
    await frank.call(endSessions)
    const { rows } = await studio.server.database.pool.query(
      "select kind, details from security_events where actor_id = $1 and kind like 'session%' order by id",
      [frank.id],
    )
    expect(rows).toEqual([
      { kind: 'session_ended', details: { browser: 'Firefox', system: 'Linux', cause: 'own_wish' } },
      { kind: 'sessions_ended', details: { sessions: 1, cause: 'own_wish' } },
    ])
  })
})

describe('live', () => {
  test('an admin’s session ends after twelve unused hours or seven days, a member’s does not', async () => {
    const { studio, dora, ana } = await openStudio({ env: LIVE })
    studio.clock.advance({ seconds: 12 * 3600 - 1 })
    expect(await isSignedIn(dora)).toBe(true)
    await expect.poll(() => studio.count('select count(*) from sessions where last_used_at > created_at')).toBe(1)
    studio.clock.advance({ seconds: 12 * 3600 - 1 })
    expect(await isSignedIn(dora)).toBe(true)
    studio.clock.advance({ hours: 12 })
    expect([await isSignedIn(dora), await isSignedIn(ana)]).toEqual([false, true])

    await studio.logIn(dora)
    for (let half = 1; half < 14; half++) {
      studio.clock.advance({ seconds: 12 * 3600 - 1 })
      expect(await isSignedIn(dora), `half day ${half}`).toBe(true)
      const now = studio.clock.now().toString()
      await expect
        .poll(() =>
          studio.count('select count(*) from sessions where user_id = $1 and last_used_at = $2', [dora.id, now]),
        )
        .toBe(1)
    }
    studio.clock.advance({ seconds: 13 })
    expect(await isSignedIn(dora)).toBe(true)
    studio.clock.advance({ hours: 12 })
    expect(await isSignedIn(dora)).toBe(false)
  })

  test('changed admin rights end the user’s sessions', async () => {
    const { studio, dora, boris } = await openStudio({ env: LIVE })
    const setAdmin = (isAdmin: boolean) => dora.call(editUser, { params: { id: boris.id }, body: { isAdmin } })
    const phone = await elsewhere(studio, boris)
    expect((await setAdmin(true)).status).toBe(200)
    expect(await Promise.all([boris, phone, dora].map(isSignedIn))).toEqual([false, false, true])
    await studio.logIn(boris)
    expect((await boris.request('GET', '/api/admin/users?limit=1')).status).toBe(200)
    // In the middle of an edit: the change is not saved.
    expect((await setAdmin(false)).status).toBe(200)
    const late = await boris.call(editUser, { params: { id: dora.id }, body: { isAdmin: false } })
    expect(late).toBeRefused(commonRefusals.unauthorized)

    const { rows } = await studio.server.database.pool.query(
      "select kind, actor_id, details from security_events where subject_id = $1 and kind similar to '(role|sessions)%' order by id",
      [boris.id],
    )
    const by = { actor_id: dora.id }
    expect(rows).toEqual([
      { kind: 'role_given', ...by, details: { cause: 'studio' } },
      { kind: 'sessions_ended', ...by, details: { sessions: 2, cause: 'role' } },
      { kind: 'role_taken', ...by, details: { cause: 'studio' } },
      { kind: 'sessions_ended', ...by, details: { sessions: 1, cause: 'role' } },
    ])
    const alarms =
      "select count(*) from pgboss.job where data ->> 'mail' = 'security-alarm' and data #>> '{data,to,email}' = $1"
    // Made an admin, signed in as one from a browser that was here before, and one no longer.
    expect(await studio.count(alarms, [boris.email])).toBe(2)
  })

  test('the first sign-in to a new admin’s account raises no alarm, the next one from another browser does', async () => {
    const { studio } = await openStudio({ env: LIVE })
    const jo = studio.visitor('Jo')
    const made = await studio.server.database.transaction((tx) => makeAdmin(tx, jo.email, studio.clock.now()))
    expect((await jo.call(setPassword, { body: { token: made.token, password: jo.password } })).status).toBe(200)
    const alarms = "select count(*) from pgboss.job where data ->> 'mail' = 'security-alarm'"
    expect(await studio.count(alarms)).toBe(0)
    const { body } = await jo.call(getCurrentUser)
    expect(body).toMatchObject({ firstName: '', lastName: '', isAdmin: true })
    await elsewhere(studio, jo)
    // To her, and to the studio's owner.
    expect(await studio.count(alarms)).toBe(2)
  })
})

test('a member’s download contains their sessions', async () => {
  const { studio, dora } = story
  const grete = await studio.member('Grete')
  await dora.call(editUser, { params: { id: grete.id }, body: { email: 'grete@new.example' } })
  const data = (await grete.request('GET', '/api/user/export')).body
  expect(data.sessions).toMatchObject([{ method: 'sign_up', beganAt: '2026-12-07T09:00:00Z', browser: null }])
  expect(data.addressesBefore).toMatchObject([{ email: grete.email, keptUntil: '2026-12-14T09:00:00Z' }])
})

test('demo: removed admin rights apply from the next request', async () => {
  const { dora, ana } = story
  await dora.call(editUser, { params: { id: ana.id }, body: { isAdmin: true } })
  expect((await ana.request('GET', '/api/admin/users?limit=1')).status).toBe(200)
  await dora.call(editUser, { params: { id: ana.id }, body: { isAdmin: false } })
  const late = await ana.call(editUser, { params: { id: dora.id }, body: { firstName: 'X' } })
  expect(late).toBeRefused(commonRefusals.forbidden)
})
