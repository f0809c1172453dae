import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { shareStudio } from '#testing/studio-under-test.ts'
import { login, register } from '../../contract.ts'
import { changePassword } from '../../contract-sessions.ts'

const story = shareStudio()
const COMPOSED = 'caf\u00e9-sunrise'
const DECOMPOSED = 'cafe\u0301-sunrise'
let count = 0

const newcomer = async (password: string) => {
  const who = story.studio.visitor(`Newcomer ${++count}`)
  const body = { email: who.email, password, firstName: 'New', lastName: 'Comer' }
  return { who, email: who.email, status: (await who.call(register, { body })).status }
}
const logIn = async (username: string, password: string) =>
  (await story.studio.visitor().call(login, { body: { username, password } })).status

test.each([
  [COMPOSED, DECOMPOSED],
  [DECOMPOSED, COMPOSED],
  ['ﬁne-weather', 'fine-weather'],
  ['１２３４５６七', '123456七'],
])('a password registered as %j logs in as %j', async (registered, typed) => {
  const { email } = await newcomer(registered)
  expect([await logIn(email, registered), await logIn(email, typed)]).toEqual([200, 200])
  expect(await logIn(email, 'cafe-sunrise')).toBe(401)
})

test('a changed password logs in as another device writes it, and proves who they are', async () => {
  const { who, email } = await newcomer(COMPOSED)
  const change = { currentPassword: DECOMPOSED, password: 'tre\u0301s-calme' }
  expect((await who.call(changePassword, { body: change })).status).toBe(200)
  expect(await logIn(email, 'tr\u00e9s-calme')).toBe(200)
})

test.each([
  ['cafe\u0301s', 400],
  ['cafe\u0301ss', 201],
  ['ﬁﬁﬁ', 201],
  ['ﬁﬁ', 400],
])('counts the characters of %j as they are hashed: %i', async (password, status) => {
  expect((await newcomer(password)).status).toBe(status)
})

test('a password that was hashed as it was typed still logs in', async () => {
  const { email } = await newcomer(COMPOSED)
  await story.studio.server.database.pool.query('update users set password_hash = $1 where email = $2', [
    await hash(DECOMPOSED, { memoryCost: 8, timeCost: 1, parallelism: 1 }),
    email,
  ])
  expect([await logIn(email, DECOMPOSED), await logIn(email, COMPOSED)]).toEqual([200, 401])
})
