import { describe, expect, test, vi } from 'vitest'
import type { Person } from '#testing/person.ts'
import { shareStudio } from '#testing/studio-under-test.ts'
import { accountRefusals, editUser, register } from '../../contract.ts'

/** Records password checks, and lets a test act between a check and the next step. */
const argon2 = vi.hoisted(() => ({ verify: vi.fn() }))
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const original = await importOriginal<typeof import('@node-rs/argon2')>()
  argon2.verify.mockImplementation(original.verify)
  return { ...original, verify: argon2.verify }
})

const story = shareStudio()
const logIn = (who: Person, username: string, password: string) =>
  who.request('POST', '/api/login', { username, password })
const isSignedIn = async (who: Person) => (await who.request('GET', '/api/auth/user')).status === 200
const sessions = () => story.studio.count('select count(*) from sessions')

test('logs in by username or email in any case', async () => {
  const { studio } = story
  const body = {
    email: 'Eva@People.Example',
    username: 'EvaTheFirst',
    firstName: 'Eva',
    lastName: 'C',
    password: 'eva-eva',
  }
  await studio.visitor().call(register, { body })
  for (const name of ['Eva@People.Example', 'eva@people.example', 'EvaTheFirst', 'EVATHEFIRST']) {
    const eva = studio.visitor('Eva')
    const response = await logIn(eva, name, 'eva-eva')
    expect(response.status).toBe(200)
    expect(response.body).toEqual((await eva.request('GET', '/api/auth/user')).body)
    expect(response.body).toMatchObject({ email: 'Eva@People.Example', username: 'EvaTheFirst' })
    expect(JSON.stringify(response.body)).not.toMatch(/password|argon/i)
  }
})

test('responds to a wrong password and an unknown name with the same message, headers and work', async () => {
  const { studio, ana } = story
  const known = studio.visitor()
  const unknown = studio.visitor()
  argon2.verify.mockClear()
  const wrong = await logIn(known, ana.email, 'wrong-password')
  expect(argon2.verify).toHaveBeenCalledTimes(1)
  const nobody = await logIn(unknown, 'nobody@people.example', 'wrong-password')
  expect(argon2.verify).toHaveBeenCalledTimes(2)
  // The work is the same when the cost is: both hashes name theirs.
  const costs = argon2.verify.mock.calls.map(([hash]) => String(hash).split('$').slice(0, 4))
  expect(costs[0]).toEqual(costs[1])

  for (const response of [wrong, nobody]) expect(response).toBeRefused(accountRefusals.invalid_credentials)
  expect(accountRefusals.invalid_credentials).toMatchObject({ status: 401, message: 'Invalid username or password' })
  expect(nobody.body).toEqual(wrong.body)
  expect([...nobody.headers.keys()]).toEqual([...wrong.headers.keys()])
  expect(nobody.headers.getSetCookie()).toEqual([])
})

test('refuses any password for an account without one', async () => {
  const { studio } = story
  const guest = await studio.member('Gustav')
  await studio.server.database.pool.query('update users set password_hash = null where id = $1', [guest.id])
  for (const password of ['nobody has this password', guest.password, '      ']) {
    expect(await logIn(studio.visitor(), guest.email, password)).toBeRefused(accountRefusals.invalid_credentials)
    expect(await logIn(studio.visitor(), 'nobody', password)).toBeRefused(accountRefusals.invalid_credentials)
  }
})

test('compares passwords exactly: case, spaces and every character count', async () => {
  const { studio } = story
  const password = `  Pässwörd 🔑 ${'x'.repeat(200)}`
  const body = { email: 'exact@people.example', firstName: 'E', lastName: 'C', password }
  await studio.visitor().call(register, { body })
  expect((await logIn(studio.visitor(), body.email, password)).status).toBe(200)
  for (const almost of [password.trim(), password.toLowerCase(), password.slice(0, -1)]) {
    expect(await logIn(studio.visitor(), body.email, almost)).toBeRefused(accountRefusals.invalid_credentials)
  }
})

describe('a session', () => {
  test('gets a new token on login; the old one stops working', async () => {
    const { studio } = story
    const frank = await studio.member('Frank')
    const thief = studio.visitor()
    thief.copyCookiesOf(frank)
    const before = await sessions()
    await logIn(frank, frank.email, frank.password)
    expect(frank.cookies.get('session')).not.toBe(thief.cookies.get('session'))
    expect(await isSignedIn(frank)).toBe(true)
    expect(await isSignedIn(thief)).toBe(false)
    expect(await sessions()).toBe(before)
  })

  test('of another browser continues after a login', async () => {
    const { studio } = story
    const grete = await studio.member('Grete')
    const phone = studio.visitor('Grete')
    await logIn(phone, grete.email, grete.password)
    expect([await isSignedIn(grete), await isSignedIn(phone)]).toEqual([true, true])
  })

  test('continues after a failed login', async () => {
    const { studio } = story
    const heidi = await studio.member('Heidi')
    await logIn(heidi, heidi.email, 'wrong-password')
    expect(await isSignedIn(heidi)).toBe(true)
  })

  test('is not started if the password changes during the check', async () => {
    const { studio } = story
    const ivan = await studio.member('Ivan')
    const other = studio.visitor()
    const { verify } = await vi.importActual<typeof import('@node-rs/argon2')>('@node-rs/argon2')
    argon2.verify.mockImplementationOnce(async (hash: string, password: string) => {
      await studio.server.database.pool.query("update users set password_hash = 'another' where id = $1", [ivan.id])
      return await verify(hash, password)
    })
    expect(await logIn(other, ivan.email, ivan.password)).toBeRefused(accountRefusals.invalid_credentials)
    expect(other.cookies.size).toBe(0)
  })

  test('is not started if the account is deleted during the check', async () => {
    const { studio } = story
    const judy = await studio.member('Judy')
    const { verify } = await vi.importActual<typeof import('@node-rs/argon2')>('@node-rs/argon2')
    argon2.verify.mockImplementationOnce(async (hash: string, password: string) => {
      await studio.server.database.pool.query('delete from users where id = $1', [judy.id])
      return await verify(hash, password)
    })
    const response = await logIn(studio.visitor(), judy.email, judy.password)
    expect(response).toBeRefused(accountRefusals.invalid_credentials)
  })
})

test('role and email changes apply from the session’s next request', async () => {
  const { studio, dora } = story
  const kim = await studio.member('Kim')
  expect((await kim.request('GET', '/api/admin/users')).status).toBe(403)
  await dora.call(editUser, { params: { id: kim.id }, body: { isAdmin: true, email: 'kim@new.example' } })
  expect((await kim.request('GET', '/api/admin/users')).status).toBe(200)
  expect((await kim.request('GET', '/api/auth/user')).body).toMatchObject({ isAdmin: true, email: 'kim@new.example' })
  await dora.call(editUser, { params: { id: kim.id }, body: { isAdmin: false } })
  expect((await kim.request('GET', '/api/admin/users')).status).toBe(403)
  expect(await logIn(studio.visitor(), 'kim@new.example', kim.password)).toMatchObject({ status: 200 })
})
