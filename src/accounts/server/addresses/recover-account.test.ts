import { describe, expect, test } from 'vitest'
import { runRetention } from '#privacy/server/retention-under-test.ts'
import { LIVE } from '#testing/live-settings.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { accountRefusals, editUser } from '../../contract.ts'
import { factorRefusals, getFactors, renewRecoveryCodes } from '../../contract-factors.ts'
import { changePassword, undoEmailChange } from '../../contract-sessions.ts'
import {
  addAuthenticatorApp,
  createPasskey,
  ORIGIN,
  registerPasskey,
  signInByPasskey,
} from '../factors/factors-under-test.ts'
import { logIn, mailedTokens, requestResetLink, setNewPassword } from '../links-under-test.ts'

const NEW = { email: 'thief@evil.example' }

const changeEmail = (admin: Person, who: Person, email: string) =>
  admin.call(editUser, { params: { id: who.id }, body: { email } })
const undoChange = (studio: StudioUnderTest, token: string) =>
  studio.visitor().call(undoEmailChange, { body: { token } })
/** The tokens of links that bring an address back, the oldest first. */
async function undoTokens(studio: StudioUnderTest, to: { email: string }): Promise<string[]> {
  const mails = await studio.mailTo(to)
  return mails.flatMap(({ text }) => /\/auth#undo=([\w-]+)/.exec(text)?.[1] ?? [])
}
/** A thief who knows the password, once the address is theirs. */
async function thiefOf(studio: StudioUnderTest, victim: Person): Promise<Person> {
  const thief = Object.assign(studio.visitor('Thief'), { ...NEW, password: victim.password })
  expect((await logIn(thief, thief.email, thief.password)).status).toBe(200)
  return thief
}

describe('undoing a change of address', () => {
  test('removes the password and passkeys added since, keeps older ones, and emails a link to set a password', async () => {
    const { studio, dora, ana } = await openStudio({ env: { APP_URL: ORIGIN } })
    const { device: phone } = await registerPasskey(ana)
    studio.clock.advance({ hours: 24 })
    await changeEmail(dora, ana, NEW.email)
    const thief = await thiefOf(studio, ana)
    const { device: thiefs } = await registerPasskey(thief)
    const [token = ''] = await undoTokens(studio, ana)
    expect((await undoChange(studio, token)).status).toBe(200)

    for (const name of [ana.email, NEW.email]) {
      expect(await logIn(studio.visitor(), name, ana.password)).toBeRefused(accountRefusals.invalid_credentials)
    }
    expect(await signInByPasskey(studio, thiefs)).toBeRefused(factorRefusals.passkey_rejected)
    expect((await signInByPasskey(studio, phone)).status).toBe(200)
    const mail = (await studio.mailTo(ana)).at(-1)
    expect(mail?.subject).toBe('Your email address is back')
    expect(mail?.text).toContain('“Passkey” (added on Tuesday 8 December 2026)')
    expect(mail?.text).not.toContain('7 December')
    const [link = ''] = await mailedTokens(studio, ana)
    const owner = studio.visitor('Owner')
    expect((await setNewPassword(owner, link)).body.id).toBe(ana.id)
    expect((await owner.call(getFactors)).body.passkeys).toEqual([])
    expect(await mailedTokens(studio, NEW)).toEqual([])
  })

  test('removes an admin’s app and recovery codes added since, and keeps the passkey from before', async () => {
    const { studio, dora } = await openStudio({ env: { APP_URL: ORIGIN } })
    const erin = await studio.admin('Erin')
    const { device } = await registerPasskey(erin)
    studio.clock.advance({ hours: 1 })
    await changeEmail(dora, erin, NEW.email)
    const thief = await thiefOf(studio, erin)
    await addAuthenticatorApp(studio, thief)
    await thief.call(renewRecoveryCodes)
    const [token = ''] = await undoTokens(studio, erin)
    await undoChange(studio, token)
    const of = (table: string) => studio.count(`select count(*) from ${table} where user_id = $1`, [erin.id])
    expect([await of('passkeys'), await of('authenticator_apps'), await of('recovery_codes')]).toEqual([1, 0, 0])
    expect((await signInByPasskey(studio, device)).status).toBe(200)
    const mail = (await studio.mailTo(erin)).at(-1)
    expect(mail?.text).toContain('Authenticator app')
    expect(mail?.text).toContain('10 recovery codes')
    const { rows } = await studio.server.database.pool.query(
      "select kind, details from security_events where subject_id = $1 and details ->> 'cause' = 'undone' order by id",
      [erin.id],
    )
    expect(rows).toEqual([
      { kind: 'password_removed', details: { cause: 'undone' } },
      { kind: 'second_factor_removed', details: { cause: 'undone', factor: 'totp' } },
      { kind: 'sessions_ended', details: { cause: 'undone', sessions: 2 } },
    ])
  })

  test('refuses a passkey that a thief is adding at the same time', async () => {
    const { studio, dora, ana } = await openStudio({ env: { APP_URL: ORIGIN } })
    await changeEmail(dora, ana, NEW.email)
    const thief = await thiefOf(studio, ana)
    const send = await createPasskey(thief)
    const [token = ''] = await undoTokens(studio, ana)
    const client = await studio.server.database.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from users where id = $1 for update', [ana.id])
      const waiting =
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      const restored = undoChange(studio, token)
      await expect.poll(() => studio.count(waiting)).toBe(1)
      const added = send()
      await expect.poll(() => studio.count(waiting)).toBe(2)
      await client.query('commit')
      expect([(await restored).status, (await added).status]).toEqual([200, 401])
    } finally {
      client.release()
    }
    expect(await studio.count('select count(*) from passkeys')).toBe(0)
  })

  test('works after the address was changed back and away again, and removes factors added in between', async () => {
    const { studio, dora, ana } = await openStudio({ env: { APP_URL: ORIGIN } })
    await changeEmail(dora, ana, NEW.email)
    const thief = await thiefOf(studio, ana)
    const { device } = await registerPasskey(thief)
    studio.clock.advance({ hours: 1 })
    expect((await changeEmail(dora, ana, ana.email)).status).toBe(200)
    expect(await undoTokens(studio, NEW)).toEqual([])
    expect((await studio.mailTo(NEW)).at(-1)?.subject).toMatch(/^This is no longer the email address/)
    studio.clock.advance({ hours: 1 })
    await changeEmail(dora, ana, NEW.email)
    const [first = '', second = ''] = await undoTokens(studio, ana)
    expect((await undoChange(studio, second)).status).toBe(200)
    expect(await signInByPasskey(studio, device)).toBeRefused(factorRefusals.passkey_rejected)
    expect((await undoChange(studio, first)).status).toBe(400)
  })

  test('leaves a member whom retention does not treat as unused', async () => {
    const { studio, dora } = await openStudio()
    const olga = await studio.member('Olga')
    studio.travelTo('2027-07-01 09:00')
    await studio.logIn(dora)
    await changeEmail(dora, olga, NEW.email)
    const [token = ''] = await undoTokens(studio, olga)
    await undoChange(studio, token)
    await runRetention(studio)
    expect(await studio.count('select count(*) from users where id = $1', [olga.id])).toBe(1)
  })
})

describe('live: an alarm about an account with a changed address', () => {
  const alarmsTo = async (studio: StudioUnderTest, email: string) => {
    const { rows } = await studio.server.database.pool.query<{ mail: string; data: Record<string, unknown> }>(
      `select data ->> 'mail' as mail, data -> 'data' as data from pgboss.job
        where name = 'mail' and data #>> '{data,to,email}' = $1
          and data ->> 'mail' in ('security-alarm', 'password-changed') order by created_on`,
      [email],
    )
    return rows.map(({ mail, data }) => [mail, data.kind, data.isFormerAddress])
  }

  test('is sent to the former address too while it can be restored', async () => {
    const { studio, dora, ana } = await openStudio({ env: { ...LIVE, APP_URL: ORIGIN } })
    await changeEmail(dora, ana, NEW.email)
    const thief = await thiefOf(studio, ana)
    await registerPasskey(thief)
    const body = { currentPassword: thief.password, password: 'thiefs-own-word' }
    expect((await thief.call(changePassword, { body })).status).toBe(200)
    expect(await alarmsTo(studio, NEW.email)).toEqual([
      ['security-alarm', 'factor_added', undefined],
      ['password-changed', undefined, undefined],
    ])
    const before = [
      ['security-alarm', 'factor_added', true],
      ['password-changed', undefined, true],
    ]
    expect(await alarmsTo(studio, ana.email)).toEqual(before)
    studio.clock.advance({ hours: 7 * 24 })
    await registerPasskey(await thiefOf(studio, Object.assign(ana, { password: 'thiefs-own-word' })))
    expect(await alarmsTo(studio, NEW.email)).toHaveLength(3)
    expect(await alarmsTo(studio, ana.email)).toEqual(before)
  })
})

test('reports a password reset at the new address to the old one, with how to restore it', async () => {
  const { studio, dora } = await openStudio()
  const frank = await studio.member('Frank')
  expect((await changeEmail(dora, frank, NEW.email)).status).toBe(200)
  await requestResetLink(studio.visitor(), NEW.email)
  const [token = ''] = await mailedTokens(studio, NEW)
  expect((await setNewPassword(studio.visitor('Thief'), token)).status).toBe(200)
  const mails = await studio.mailTo(frank)
  expect(mails.map(({ subject }) => subject)).toContain('Your password for Aldergate Pilates has changed')
  const mail = mails.find(({ subject }) => subject.startsWith('Your password'))
  expect(mail?.text).toContain('“The email address of your account has changed”')
  expect(mail?.text).not.toContain('/auth?forgot')
})
