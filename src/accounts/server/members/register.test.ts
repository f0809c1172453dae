import { describe, expect, test } from 'vitest'
import { shareStudio } from '#testing/studio-under-test.ts'
import { accountRefusals, register } from '../../contract.ts'

const story = shareStudio()
const form = (name: string, more: object = {}) => ({
  email: `${name}@people.example`,
  firstName: 'Zoe',
  lastName: 'Cast',
  password: 'secret',
  ...more,
})
const users = () => story.studio.count('select count(*) from users')

test('signing up returns 201 with the new user, starts a session and sends a welcome', async () => {
  const { studio } = story
  const zoe = studio.visitor('Zoe')
  const response = await zoe.call(register, { body: form('zoe') })
  expect(response.status).toBe(201)
  expect(response.body).toEqual({
    emailVerificationRequired: false,
    user: {
      id: expect.any(String),
      username: 'zoe@people.example',
      email: 'zoe@people.example',
      firstName: 'Zoe',
      lastName: 'Cast',
      phone: null,
      isAdmin: false,
      role: 'member',
      createdAt: '2026-12-07T09:00:00Z',
    },
  })
  expect((await zoe.request('GET', '/api/auth/user')).body).toEqual(response.body.user)
  expect((await studio.mailTo(zoe)).map((mail) => mail.subject)).toEqual([expect.stringMatching(/welcome/i)])
})

test('the password is stored only as an argon2id hash with the configured cost', async () => {
  const { studio } = story
  // Opened as it is in earnest: the studios that tests are lent hash for less.
  const { loggedInAs } = await studio.startSecondProcess()
  await loggedInAs(studio.visitor()).call(register, { body: form('hashed', { password: 'the very password' }) })
  const { rows } = await studio.server.database.pool.query('select * from users where email = $1', [
    'hashed@people.example',
  ])
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(JSON.stringify(rows)).not.toContain('the very password')
})

test('trims username and email, and refuses two letters with spaces as too short', async () => {
  const { studio } = story
  for (const username of ['ab ', ' ab', '   ', '\u00a0ab\t', '\u200b\u200b\u200b', 'ab.']) {
    const response = await studio.visitor().call(register, { body: form('short', { username }) })
    expect(response).toMatchObject({ status: 400, body: { message: 'Username must be at least 3 characters' } })
  }
  const body = form('x', { email: ' padded@people.example ', username: ' Padded Name ', password: ' blanks ' })
  const { user } = (await studio.visitor().call(register, { body })).body
  expect([user.email, user.username]).toEqual(['padded@people.example', 'Padded Name'])
  const logIn = async (username: string, password: string) =>
    (await studio.visitor().request('POST', '/api/login', { username, password })).status
  expect(await logIn('  padded name ', ' blanks ')).toBe(200)
  expect(await logIn(' PADDED@people.example\n', ' blanks ')).toBe(200)
  // A password is kept as it was typed.
  expect(await logIn('padded name', 'blanks')).toBe(401)
  const taken = await studio.visitor().call(register, { body: form('y', { username: 'padded name ' }) })
  expect(taken).toBeRefused(accountRefusals.username_taken)
})

test('keeps a chosen username; absent, null and empty use the email address', async () => {
  const { studio } = story
  const named = await studio.visitor().call(register, { body: form('named', { username: 'Zed' }) })
  expect(named.body.user.username).toBe('Zed')
  for (const [index, username] of [undefined, null, ''].entries()) {
    const response = await studio.visitor().call(register, { body: form(`plain${index}`, { username }) })
    expect(response.body.user?.username).toBe(`plain${index}@people.example`)
  }
})

test('ignores unknown fields, such as isAdmin', async () => {
  const { studio } = story
  const body = form('sly', {
    isAdmin: true,
    id: 'chosen',
    confirmPassword: 'other',
    emailVerifiedAt: 'x',
    role: 'admin',
  })
  const { status, body: response } = await studio.visitor().call(register, { body })
  expect(status).toBe(201)
  expect(response.user.isAdmin).toBe(false)
  expect(response.user.id).not.toBe('chosen')
})

test('trims and cleans names and otherwise stores them exactly as sent', async () => {
  const { studio } = story
  const names = [
    ' Zoë\t',
    'Anna  Maria',
    '日本 👩‍🦰',
    'مرحبا بالعالم',
    "O'Neill; drop table users--",
    '<b>x</b>',
    '\u202Eabc',
    'e\u0301',
  ]
  const cleaned: Record<string, string> = { '\u202Eabc': 'abc', 'e\u0301': '\u00e9' }
  for (const [index, firstName] of names.entries()) {
    const zoe = studio.visitor()
    await zoe.call(register, { body: form(`exact${index}`, { firstName, lastName: firstName }) })
    const { body } = await zoe.request('GET', '/api/auth/user')
    const stored = cleaned[firstName] ?? firstName.trim()
    expect([body.firstName, body.lastName]).toEqual([stored, stored])
  }
})

describe('refuses a taken name', () => {
  test.each([
    ['the email', { email: 'ana@people.example' }, accountRefusals.email_taken],
    ['the email in another case', { email: 'ANA@People.Example' }, accountRefusals.email_taken],
    ['another user’s email as username', { username: 'Ana@people.example' }, accountRefusals.username_taken],
    ['a username in another case', { username: 'TAKEN-name' }, accountRefusals.username_taken],
    ['another user’s username as email', { email: 'posing@people.example' }, accountRefusals.email_taken],
  ])('%s', async (_, taken, refusal) => {
    const { studio } = story
    await studio.visitor().call(register, { body: form('first', { username: 'taken-name' }) })
    await studio.visitor().call(register, { body: form('second', { username: 'posing@people.example' }) })
    const before = await users()
    const zoe = studio.visitor()
    expect(await zoe.call(register, { body: form('fresh', taken) })).toBeRefused(refusal)
    expect(await users()).toBe(before)
    expect(zoe.cookies.size).toBe(0)
  })

  test('of two concurrent sign-ups with one address, one succeeds', async () => {
    const { studio } = story
    const before = await users()
    const sent = ['twin@people.example', 'TWIN@people.example', 'Twin@people.example', 'twin@people.example']
    const responses = await Promise.all(
      sent.map((email) => studio.visitor().call(register, { body: form('twin', { email }) })),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expect(response).toBeRefused(accountRefusals.email_taken)
    }
    expect(await users()).toBe(before + 1)
  })

  test('of two concurrent sign-ups with one username, one succeeds', async () => {
    const { studio } = story
    const responses = await Promise.all(
      [1, 2].map((n) => studio.visitor().call(register, { body: form(`same${n}`, { username: 'the same' }) })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400])
    expect(responses.find(({ status }) => status === 400)).toBeRefused(accountRefusals.username_taken)
  })
})

test('signing up in a signed-in browser ends its session', async () => {
  const { studio } = story
  const carl = await studio.member('Carl')
  const thief = studio.visitor()
  thief.copyCookiesOf(carl)
  await carl.call(register, { body: form('another') })
  expect((await thief.request('GET', '/api/auth/user')).status).toBe(401)
  expect((await carl.request('GET', '/api/auth/user')).body.email).toBe('another@people.example')
})
