import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generateSync } from 'otplib'
import { expect, test } from 'vitest'
import { accountRefusals } from '#accounts/contract.ts'
import { factorRefusals } from '#accounts/contract-factors.ts'
import {
  addAuthenticatorApp,
  ORIGIN,
  registerPasskey,
  signInByPasskey,
} from '#accounts/server/factors/factors-under-test.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import { LIVE, NOT_AS_ROOT } from '#testing/live-settings.ts'
import type { Person } from '#testing/person.ts'
import { openEmptyStudio, openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'

const run = promisify(execFile)
const ADMIN = join(import.meta.dirname, 'admin.ts')
const { PATH, NODE_COMPILE_CACHE } = process.env // uses the compile cache, as `npm run admin` does
const ENVIRONMENT = { PATH, NODE_COMPILE_CACHE }

// The command uses the real clock, so the studio's is frozen at the present.
const today = Temporal.Now.plainDateISO(studio.timeZone)
const nowToday = () => `${today} ${Temporal.Now.plainTimeISO(studio.timeZone).toString().slice(0, 8)}`
const openToday = () => openStudio({ now: nowToday() })

/** Runs `npm run admin` while the studio is open, and returns its output. */
async function runAdmin(studio: StudioUnderTest, ...args: string[]): Promise<string> {
  const { databaseUrl, dataDir } = studio.settings
  const env = { ...ENVIRONMENT, DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  const { stdout } = await run(process.execPath, [ADMIN, ...args], { env })
  return stdout
}
const tokenIn = (output: string) => /reset=([\w-]+)/.exec(output)?.[1] ?? ''
const logIn = (who: Person, username: string, password: string) =>
  who.request('POST', '/api/login', { username, password })
const statusOf = async (who: Person, path: string) => (await who.request('GET', path)).status
const setPassword = (who: Person, token: string, password: string) =>
  who.request('POST', '/api/password-reset/confirm', { token, password })
const countVerified = (studio: StudioUnderTest, { email }: Person) =>
  studio.count('select count(email_verified_at) from users where email = $1', [email])

test('reclaims an address that a stranger registered: removes the password, sessions, older links and calendar address', async () => {
  const { studio, ana, boris } = await openToday()
  await ana.book(await studio.createClass(`${today.add({ days: 2 })} 18:00`))
  await boris.request('POST', '/api/password-reset', { email: ana.email })
  const strangersToken = tokenIn((await studio.mailTo(ana)).map(({ text }) => text).join())
  expect(strangersToken).not.toBe('')
  const phone = studio.visitor('Ana')
  await logIn(phone, ana.email, ana.password)

  const { body: calendar } = await ana.request('POST', '/api/user/calendar', {})
  const feed = new URL(calendar.url).pathname
  expect(await statusOf(phone, feed)).toBe(200)

  const output = await runAdmin(studio, ana.email.toUpperCase())
  expect(output).toContain('ANA@PEOPLE.EXAMPLE is now an admin.')
  expect(output).toContain(`registered on ${formatLongDate(`${today}`)} as Ana Cast (username ana@people.example)`)
  expect(output).toContain('never confirmed, so a stranger may have registered it')
  expect(output).toContain('Its password was removed and 2 sessions ended.')
  expect(output).toContain('It has 1 pass and 1 booking')
  for (const browser of [ana, phone]) expect(await statusOf(browser, '/api/admin/users')).toBe(401)
  expect(await statusOf(phone, feed)).toBe(404)
  expect(await logIn(ana, ana.email, ana.password)).toBeRefused(accountRefusals.invalid_credentials)
  expect(await setPassword(ana, strangersToken, 'stranger')).toBeRefused(accountRefusals.link_expired)
  // Printing the link proves nothing; following it does, since only the operator has it.
  expect(await countVerified(studio, ana)).toBe(0)
  const owner = studio.visitor('Owner')
  expect((await setPassword(owner, tokenIn(output), 'the-owners')).status).toBe(200)
  expect(await countVerified(studio, ana)).toBe(1)
  expect(await statusOf(owner, '/api/admin/users')).toBe(200)

  const again = await runAdmin(studio, ana.email)
  expect(again).toContain('is already an admin')
  expect(again).toContain('its password has not changed')
  expect((await logIn(owner, ana.email, 'the-owners')).status).toBe(200)
})

test('removes passkeys, app, recovery codes and undo links of an account that a stranger registered', async () => {
  const env = { APP_URL: ORIGIN, ADMIN_SECOND_FACTOR: 'required' }
  const { studio, dora, boris: squatter } = await openStudio({ now: nowToday(), env })
  await addAuthenticatorApp(studio, dora)
  for (const isAdmin of [true, false]) {
    await dora.request('PUT', `/api/admin/users/${squatter.id}`, { isAdmin })
    if (isAdmin) await addAuthenticatorApp(studio, squatter)
  }
  const { device } = await registerPasskey(squatter)
  await dora.request('PUT', `/api/admin/users/${squatter.id}`, { email: 'owner@studio.example' })
  const mails = (await studio.mailTo(squatter)).map(({ text }) => text)
  const undo = /#undo=([\w-]+)/.exec(mails.join())?.[1] ?? ''
  expect(undo).not.toBe('')

  const output = await runAdmin(studio, 'owner@studio.example')
  expect(output).toContain('1 passkey, 1 authenticator app and 10 recovery codes were removed too.')
  for (const table of ['passkeys', 'authenticator_apps', 'recovery_codes']) {
    expect(await studio.count(`select count(*) from ${table} where user_id = $1`, [squatter.id])).toBe(0)
  }
  expect(await signInByPasskey(studio, device)).toBeRefused(factorRefusals.passkey_rejected)
  expect((await studio.visitor().request('POST', '/api/email-change/undo', { token: undo })).status).toBe(400)
  const owner = studio.visitor('Owner')
  await setPassword(owner, tokenIn(output), 'the-owners')
  expect((await owner.request('GET', '/api/auth/user')).body).toMatchObject({ isAdmin: false, secondStep: 'set_up' })
})

test('refuses a blocked member with a plain sentence', async () => {
  const { studio, dora, boris } = await openToday()
  await dora.request('PUT', `/api/admin/users/${boris.id}/block`, { reason: 'A chargeback' })
  const failed = await runAdmin(studio, boris.email).catch((error) => error)
  expect([failed.code, failed.stderr.trim()]).toEqual([1, accountRefusals.cannot_promote_blocked_member.message])
})

test('keeps password and sessions of a verified address, and with --keep-password', async () => {
  const { studio, ana, boris } = await openToday()
  await ana.request('POST', '/api/password-reset', { email: ana.email })
  const mails = await studio.mailTo(ana)
  await setPassword(ana, tokenIn(mails.map(({ text }) => text).join()), 'by-mail')
  const proved = await runAdmin(studio, ana.email)
  expect(proved).toContain('Its email address is confirmed, so its password has not changed.')
  expect(await statusOf(ana, '/api/admin/users')).toBe(200)
  expect((await logIn(studio.visitor(), ana.email, 'by-mail')).status).toBe(200)

  const kept = await runAdmin(studio, boris.email, '--keep-password')
  expect(kept).toContain('As requested, its password and sessions have not changed.')
  expect(await statusOf(boris, '/api/admin/users')).toBe(200)
  expect((await logIn(studio.visitor(), boris.email, boris.password)).status).toBe(200)
  expect(await countVerified(studio, boris)).toBe(0)
})

test('creates an admin for a new address, even when a member has it as a username', async () => {
  const { studio } = await openToday()
  const squatter = studio.visitor('Squatter')
  const { email, password } = squatter
  const form = { email, password, firstName: 'S', lastName: 'Q', username: 'Owner@studio.example' }
  await squatter.request('POST', '/api/register', form)
  const output = await runAdmin(studio, 'owner@studio.example')
  expect(output).toContain('owner@studio.example is a new admin.')
  expect(output).toContain(`${email} used this address as a username.`)
  const owner = studio.visitor('Owner')
  expect((await setPassword(owner, tokenIn(output), 'the-owners')).status).toBe(200)
  expect(await statusOf(owner, '/api/admin/users')).toBe(200)
  expect((await logIn(squatter, email, password)).body.isAdmin).toBe(false)
  expect(await logIn(squatter, 'owner@studio.example', password)).toBeRefused(accountRefusals.invalid_credentials)
})

test('--reset-second-factor removes every factor and ends sessions; the next sign-in sets up a new one', async () => {
  const studio = await openEmptyStudio({ env: { ADMIN_SECOND_FACTOR: 'required' }, now: nowToday() })
  const dora = await studio.admin('Dora')
  await logIn(dora, dora.email, dora.password)
  const { body: setup } = await dora.request('POST', '/api/user/authenticator/options', {})
  const epoch = Math.floor(studio.clock.now().epochMilliseconds / 1000)
  const code = generateSync({ secret: setup.secret, epoch })
  await dora.request('PUT', '/api/user/authenticator', { setUp: setup.setUp, code })
  expect(await statusOf(dora, '/api/admin/users')).toBe(200)

  const output = await runAdmin(studio, dora.email, '--reset-second-factor')
  expect(output).toContain('1 was removed, with all recovery codes, and 1 session was ended')
  expect(output).not.toContain('reset=')
  expect(await statusOf(dora, '/api/admin/users')).toBe(401)
  for (const table of ['authenticator_apps', 'recovery_codes', 'sessions'])
    expect(await studio.count(`select count(*) from ${table}`)).toBe(0)
  expect(
    await studio.count(
      "select count(*) from security_events where kind = 'second_factor_removed' and actor_id is null",
    ),
  ).toBe(1)
  expect((await logIn(dora, dora.email, dora.password)).body).toMatchObject({ isAdmin: false, secondStep: 'set_up' })

  const { stdout } = await run(process.execPath, [...NOT_AS_ROOT, ADMIN, dora.email, '--reset-second-factor'], {
    env: {
      ...ENVIRONMENT,
      ...LIVE,
      DATABASE_URL: studio.settings.databaseUrl,
      DATA_DIR: studio.settings.dataDir,
    },
  })
  expect(stdout).toContain('no longer has a second step')
  const mails =
    "select count(*) from pgboss.job where data->>'mail' = 'security-alarm' and data->'data'->'to'->>'email' = $1"
  expect(await studio.count(mails, [dora.email])).toBe(1)
})

test.each([[], ['nobody'], ['a@b', 'c@d'], ['a@b', '--force']])('%j prints the usage', async (...args) => {
  const failed = await run(process.execPath, [ADMIN, ...args], { env: ENVIRONMENT }).catch((error) => error)
  expect(failed.code).toBe(1)
  expect(failed.stderr).toContain(
    'npm run admin -- owner@studio.example [--name "Jo Hart"] [--keep-password | --reset-second-factor]',
  )
})
