import { describe, expect, test } from 'vitest'
import { createCalendar } from '#calendar/contract.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { LIVE } from '#testing/live-settings.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, shareStudio } from '#testing/studio-under-test.ts'
import { accountRefusals, getCurrentUser, register } from '../../contract.ts'
import { renamePasskey } from '../../contract-factors.ts'
import { changePassword, sessionRefusals } from '../../contract-sessions.ts'
import { ORIGIN, registerPasskey, signInByPasskey } from '../factors/factors-under-test.ts'
import { logIn, setNewPassword } from '../links-under-test.ts'
import { refuseCommonPassword } from './passwords.ts'

const story = shareStudio()
const change = (who: Person, currentPassword: string, password: string) =>
  who.call(changePassword, { body: { currentPassword, password } })
const isSignedIn = async (who: Person) => (await who.call(getCurrentUser)).status === 200

test('with the current password: renews this session, ends the others and emails the user', async () => {
  const { studio } = story
  const carl = await studio.member('Carl')
  const phone = studio.visitor('Carl')
  await logIn(phone, carl.email, carl.password)
  const thief = studio.visitor()
  thief.copyCookiesOf(carl)
  const feed = new URL((await carl.call(createCalendar)).body.url).pathname
  expect((await change(carl, carl.password, 'another-secret')).status).toBe(200)
  expect(await Promise.all([carl, phone, thief].map(isSignedIn))).toEqual([true, false, false])
  expect((await studio.visitor().request('GET', feed)).status).toBe(404)
  expect(await logIn(studio.visitor(), carl.email, carl.password)).toBeRefused(accountRefusals.invalid_credentials)
  expect((await logIn(studio.visitor(), carl.email, 'another-secret')).status).toBe(200)
  const mail = (await studio.mailTo(carl)).at(-1)
  expect(mail?.subject).toMatch(/^Your password .* has changed$/)
  expect(mail?.text).not.toContain('another-secret')
  const { rows } = await studio.server.database.pool.query(
    "select kind, details from security_events where actor_id = $1 and kind in ('password_changed', 'sessions_ended') order by id",
    [carl.id],
  )
  expect(rows).toEqual([
    { kind: 'password_changed', details: { cause: 'own_wish' } },
    { kind: 'sessions_ended', details: { sessions: 2, cause: 'password' } },
  ])
})

test('keeps passkeys; the email names them, except names with links', async () => {
  const { studio, ana } = await openStudio({ env: { APP_URL: ORIGIN } })
  const { device } = await registerPasskey(ana)
  const { added } = await registerPasskey(ana)
  const { id } = added.body.passkey
  await ana.call(renamePasskey, { params: { id }, body: { label: 'Win at www.evil.example' } })
  expect((await change(ana, ana.password, 'another-secret')).status).toBe(200)
  expect((await signInByPasskey(studio, device)).status).toBe(200)
  const mail = (await studio.mailTo(ana)).at(-1)
  expect(mail?.text).toMatch(/Passkeys that still work\s+“Passkey” \(added on Monday 7 December 2026\)/)
  expect(mail?.text).not.toContain('evil')
})

test('refuses a wrong current password, and throttles guesses like sign-ins', async () => {
  const { studio, ana } = await openStudio({ env: LIVE })
  const wrong = await change(ana, 'not-the-one', 'another-secret')
  expect(wrong).toBeRefused(sessionRefusals.current_password_incorrect)
  expect(wrong.body.errors).toEqual([{ path: 'currentPassword', message: wrong.body.message }])
  for (let time = 0; time < 4; time++) await change(ana, 'not-the-one', 'another-secret')
  const waits = await change(ana, ana.password, 'another-secret')
  expect(waits).toBeRefused(commonRefusals.too_many_requests)
  expect(waits.headers.get('retry-after')).toBe('60')
  expect(await isSignedIn(ana)).toBe(true)
  expect(await studio.count("select count(*) from pgboss.job where data ->> 'mail' = 'password-changed'")).toBe(0)
})

test('of two concurrent changes, one succeeds', async () => {
  const { studio } = story
  const dave = await studio.member('Dave')
  const responses = await Promise.all([
    change(dave, dave.password, 'first-one'),
    change(dave, dave.password, 'second-one'),
  ])
  expect(responses.map(({ status }) => status).sort()).toContain(200)
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('accepts six characters and refuses fewer with the specified message', async () => {
  const { studio, boris } = story
  const short = await change(boris, boris.password, '12345')
  expect([short.status, short.body.message]).toEqual([400, 'Password must be at least 6 characters'])
  expect((await change(boris, boris.password, '123456')).status).toBe(200)
  expect(
    await studio.visitor().call(changePassword, { body: { currentPassword: 'a', password: 'abcdef' } }),
  ).toBeRefused(commonRefusals.unauthorized)
})

describe('the most common passwords', () => {
  test.each(['123456', 'password', 'PassWord', 'qwerty', 'football', 'liverpool'])(
    'live: %s is refused',
    async (password) => {
      await expect(refuseCommonPassword(story.studio.db, password, 'live')).rejects.toThrow(
        accountRefusals.common_password.message,
      )
    },
  )

  test.each(['Pilates', 'reformer2026!', 'aldergate-pilates', 'Eleanor1'])(
    'live: %s is refused, here',
    async (word) => {
      await expect(refuseCommonPassword(story.studio.db, word, 'live')).rejects.toThrow(
        accountRefusals.common_password.message,
      )
    },
  )

  test.each(['studio-member', 'ana-secret', 'three odd words'])('live: accepts %s', async (password) => {
    await refuseCommonPassword(story.studio.db, password, 'live')
  })

  test('live: are refused wherever a password is set, with a field error; the demo accepts them', async () => {
    const { studio, ana } = await openStudio({ env: LIVE })
    const form = { email: 'zoe@people.example', firstName: 'Zoe', lastName: 'C', password: 'password' }
    for (const response of [
      await studio.visitor().call(register, { body: form }),
      await setNewPassword(studio.visitor(), 'unknown', 'password'),
      await change(ana, ana.password, 'password'),
    ]) {
      expect(response).toBeRefused(accountRefusals.common_password)
      expect(response.body.errors).toEqual([{ path: 'password', message: response.body.message }])
    }
    expect((await story.studio.visitor().call(register, { body: form })).status).toBe(201)
  })
})
