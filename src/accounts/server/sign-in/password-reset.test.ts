import { describe, expect, test } from 'vitest'
import { createCalendar, getCalendar } from '#calendar/contract.ts'
import { LIVE } from '#testing/live-settings.ts'
import type { Person } from '#testing/person.ts'
import { openEmptyStudio, openStudio, type StudioUnderTest, shareStudio } from '#testing/studio-under-test.ts'
import { accountRefusals } from '../../contract.ts'
import { factorRefusals, getFactors } from '../../contract-factors.ts'
import { addAuthenticatorApp, ORIGIN, registerPasskey, signInByPasskey } from '../factors/factors-under-test.ts'
import { logIn, mailedTokens, requestResetLink, requestResetLinks, setNewPassword } from '../links-under-test.ts'

const story = shareStudio()
const isSignedIn = async (who: Person) => (await who.request('GET', '/api/auth/user')).status === 200

test('responds the same way for unknown addresses and mails only existing accounts', async () => {
  const { studio } = story
  const carl = await studio.member('Carl')
  const jobs = (name: string) => studio.count('select count(*) from pgboss.job where name = $1', [name])
  const before = await jobs('mail')
  const unknown = await requestResetLink(studio.visitor(), 'nobody@people.example')
  await studio.runQueue('mail-link')
  expect(await jobs('mail')).toBe(before)
  const known = await requestResetLink(studio.visitor(), 'CARL@people.example')
  expect(known.status).toBe(200)
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
  expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()])
  expect(await mailedTokens(studio, carl)).toHaveLength(1)
})

test('an emailed link sets a password once, ends every session and starts one', async () => {
  const { studio } = story
  const dave = await studio.member('Dave')
  const phone = studio.visitor('Dave')
  await logIn(phone, dave.email, dave.password)
  await requestResetLink(studio.visitor(), dave.email)
  const [token = ''] = await mailedTokens(studio, dave)

  const desk = studio.visitor('Dave')
  const response = await setNewPassword(desk, token)
  expect(response.status).toBe(200)
  expect(response.body.id).toBe(dave.id)
  expect([await isSignedIn(desk), await isSignedIn(dave), await isSignedIn(phone)]).toEqual([true, false, false])
  expect(await logIn(studio.visitor(), dave.email, dave.password)).toBeRefused(accountRefusals.invalid_credentials)
  expect((await logIn(studio.visitor(), dave.email, 'changed')).status).toBe(200)

  const thief = studio.visitor()
  expect(await setNewPassword(thief, token, 'stolen')).toBeRefused(accountRefusals.link_expired)
  expect(thief.cookies.size).toBe(0)
  expect((await logIn(studio.visitor(), dave.email, 'changed')).status).toBe(200)
})

test('a new password ends the calendar feed’s address', async () => {
  const { studio } = story
  const first = await studio.member('First')
  const feed = new URL((await first.call(createCalendar)).body.url).pathname
  expect((await studio.visitor().request('GET', feed)).status).toBe(200)
  await requestResetLink(studio.visitor(), first.email)
  const [token = ''] = await mailedTokens(studio, first)
  const owner = studio.visitor('Owner')
  expect((await setNewPassword(owner, token)).status).toBe(200)
  expect((await studio.visitor().request('GET', feed)).status).toBe(404)
  expect((await owner.call(getCalendar)).body).toBeNull()
})

test('an emailed link removes a member’s passkeys, and the email names them', async () => {
  const { studio, ana } = await openStudio({ env: { APP_URL: ORIGIN } })
  const { device } = await registerPasskey(ana)
  await requestResetLink(studio.visitor(), ana.email)
  const [token = ''] = await mailedTokens(studio, ana)
  const owner = studio.visitor('Owner')
  expect((await setNewPassword(owner, token)).body.passkeys).toEqual({ removed: 1, kept: 0 })
  expect(await signInByPasskey(studio, device)).toBeRefused(factorRefusals.passkey_rejected)
  expect((await owner.call(getFactors)).body.passkeys).toEqual([])
  const mail = (await studio.mailTo(ana)).at(-1)
  expect(mail?.subject).toMatch(/^Your password .* has changed$/)
  expect(mail?.text).toMatch(/Passkeys removed\s+“Passkey” \(added on Monday 7 December 2026\)/)
  const { rows } = await studio.server.database.pool.query(
    "select kind, details from security_events where kind = 'passkey_removed'",
  )
  expect(rows).toEqual([{ kind: 'passkey_removed', details: { cause: 'password' } }])
})

test('an emailed link removes the app and codes of a former admin', async () => {
  const { studio, dora } = await openStudio({ env: { APP_URL: ORIGIN } })
  const erin = await studio.admin('Erin')
  await addAuthenticatorApp(studio, erin)
  await dora.request('PUT', `/api/admin/users/${erin.id}`, { isAdmin: false })
  await requestResetLink(studio.visitor(), erin.email)
  const [token = ''] = await mailedTokens(studio, erin)
  await setNewPassword(studio.visitor(), token)
  for (const table of ['authenticator_apps', 'recovery_codes']) {
    expect(await studio.count(`select count(*) from ${table}`)).toBe(0)
  }
})

test('an emailed link keeps an admin’s passkeys, counts them for the page, and the email names them', async () => {
  const { studio, dora } = await openStudio({ env: { APP_URL: ORIGIN } })
  const { device } = await registerPasskey(dora)
  await requestResetLink(studio.visitor(), dora.email)
  const [token = ''] = await mailedTokens(studio, dora)
  expect((await setNewPassword(studio.visitor(), token)).body.passkeys).toEqual({ removed: 0, kept: 1 })
  expect((await signInByPasskey(studio, device)).status).toBe(200)
  expect((await studio.mailTo(dora)).at(-1)?.text).toMatch(/Passkeys that still work\s+“Passkey”/)
})

test('of two concurrent uses of a link, one sets the password', async () => {
  const { studio } = story
  const erin = await studio.member('Erin')
  await requestResetLink(studio.visitor(), erin.email)
  const [token = ''] = await mailedTokens(studio, erin)
  const responses = await Promise.all(
    ['first-one', 'second-one'].map((word) => setNewPassword(studio.visitor(), token, word)),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('a scanner that opens a link changes nothing', async () => {
  const { studio } = story
  const hugo = await studio.member('Hugo')
  const [token = ''] = await requestResetLinks(studio, hugo, 1)
  for (const method of ['GET', 'HEAD']) {
    for (const path of ['/auth#reset=', '/auth?reset=', '/api/password-reset/confirm?token=']) {
      await studio.visitor().request(method, `${path}${token}`)
    }
  }
  expect((await logIn(studio.visitor(), hugo.email, hugo.password)).status).toBe(200)
  expect((await setNewPassword(studio.visitor(), token)).status).toBe(200)
})

describe('live: five mails an hour for one recipient', () => {
  const postForm = (studio: StudioUnderTest, body: object, path = '/api/password-reset') =>
    studio.visitor().request('POST', path, body)
  const queued = (studio: StudioUnderTest, to: string) =>
    studio.count("select count(*) from pgboss.job where name = 'mail' and data #>> '{data,to,email}' = $1", [to])

  test('the responses never differ', async () => {
    const { studio, ana, boris } = await openStudio({ env: LIVE })
    const before = await queued(studio, ana.email)
    const responses = []
    for (let n = 0; n < 4; n++) responses.push(await postForm(studio, { email: ana.email.toUpperCase() }))
    const resent = []
    for (const username of [ana.email, ana.email, 'nobody']) {
      resent.push(await postForm(studio, { username }, '/api/verify-email/resend'))
    }
    await studio.runQueue('mail-link')
    expect((await queued(studio, ana.email)) - before).toBe(5)
    responses.push(
      await postForm(studio, { email: ana.email }),
      await postForm(studio, { email: 'nobody@people.example' }),
    )
    await studio.runQueue('mail-link')
    expect((await queued(studio, ana.email)) - before).toBe(5)
    for (const kind of [responses, resent])
      expect(new Set(kind.map(({ status, body }) => `${status} ${body.message}`)).size).toBe(1)

    await postForm(studio, { email: boris.email })
    await studio.runQueue('mail-link')
    expect(await studio.count('select count(*) from one_time_links where user_id = $1', [boris.id])).toBe(1)
    // The counter is kept in the database for an hour, without the address.
    const { rows } = await studio.server.database.pool.query("select key, expire from throttles where key like 'to:%'")
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain('people')
    await studio.server.database.pool.query("update throttles set expire = 0 where key like 'to:%'")
    await postForm(studio, { email: ana.email })
    await studio.runQueue('mail-link')
    expect((await queued(studio, ana.email)) - before).toBe(6)
  })

  test('the demo has no limit', async () => {
    const { studio, ana } = await openStudio()
    expect(await requestResetLinks(studio, ana, 6)).toHaveLength(6)
  })
})

test('a request costs the same for an unknown address: one query, one job', async () => {
  const { studio } = story
  const ines = await studio.member('Ines')
  await studio.mailTo(ines)
  const { pool } = studio.server.database
  const queued = () => studio.count("select count(*) from pgboss.job where name = 'mail-link' and state = 'created'")
  for (const path of ['/api/password-reset', '/api/verify-email/resend']) {
    for (const email of [ines.email, 'nobody@people.example']) {
      const before = await queued()
      const links = await studio.count('select count(*) from one_time_links')
      await studio.visitor().request('POST', path, { email, username: email })
      expect([(await queued()) - before, await studio.count('select count(*) from one_time_links')]).toEqual([1, links])
    }
  }
  const { rows } = await pool.query("select data from pgboss.job where name = 'mail-link' and state = 'created'")
  expect(JSON.stringify(rows)).not.toContain('people.example')
})

test('no table contains a token in plain text, including jobs', async () => {
  const studio = await openEmptyStudio({ env: { EMAIL_VERIFICATION: 'required' } })
  const jana = studio.visitor('Jana')
  const { email, password } = jana
  await jana.request('POST', '/api/register', { email, password, firstName: 'Jana', lastName: 'Cast' })
  await requestResetLink(studio.visitor(), email)
  const text = (await studio.mailTo(jana)).map((mail) => mail.text).join()
  const tokens = [...text.matchAll(/#(?:verify|reset)=([\w-]+)/g)].map(([, token = '']) => token)
  expect(tokens).toHaveLength(2)
  const { pool } = studio.server.database
  const { rows: tables } = await pool.query(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')",
  )
  let found = 0
  for (const { name } of tables) {
    const { rows } = await pool.query(`select t::text as row from ${name} t`)
    const all = rows.map(({ row }) => row).join('\n')
    if (name.startsWith('pgboss.job')) found += all.split('linkId').length - 1
    for (const token of tokens) {
      expect(all, name).not.toContain(token)
      expect(all, name).not.toContain(Buffer.from(token).toString('hex'))
    }
  }
  // The search has seen the mails' jobs.
  expect(found).toBeGreaterThan(0)
})

test('refuses a short password and keeps the link working', async () => {
  const { studio } = story
  const judy = await studio.member('Judy')
  await requestResetLink(studio.visitor(), judy.email)
  const [token = ''] = await mailedTokens(studio, judy)
  const short = await setNewPassword(studio.visitor(), token, '12345')
  expect(short.status).toBe(400)
  expect(short.body.errors).toEqual([{ path: 'password', message: 'Password must be at least 6 characters' }])
  expect((await setNewPassword(studio.visitor(), token, '123456')).status).toBe(200)
})
