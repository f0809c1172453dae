import { expect, test } from 'vitest'
import type { Person } from '#testing/person.ts'
import { shareStudio } from '#testing/studio-under-test.ts'
import { accountRefusals, editUser, login, register } from '../../contract.ts'

const story = shareStudio()
let visitors = 0
const visitor = () => story.studio.visitor(`Visitor ${++visitors}`)
const signUp = (who: Person, more: object) => {
  const { email, password, name } = who
  return who.call(register, { body: { email, password, firstName: name, lastName: 'Cast', ...more } })
}
const logIn = (username: string, password: string) =>
  story.studio.visitor().call(login, { body: { username, password } })

test.each([
  ['in another Unicode form', 'zoe\u0308', 'zoë'],
  ['in capitals', 'siân', 'SIÂN'],
  ['with compatible letters', 'fiona', 'ﬁona'],
  ['with full-width letters', 'minami', 'ｍｉｎａｍｉ'],
  ['with an invisible character', 'noemi', 'noe\u200bmi'],
  ['with a full stop behind it', 'oskar', 'oskar.'],
])('a username that is the same %s is taken, and logs in', async (_, username, other) => {
  const { dora, ana } = story
  const first = visitor()
  expect((await signUp(first, { username })).status).toBe(201)
  expect(await signUp(visitor(), { username: other })).toBeRefused(accountRefusals.username_taken)
  expect(await dora.call(editUser, { params: { id: ana.id }, body: { username: other } })).toBeRefused(
    accountRefusals.username_taken,
  )
  for (const typed of [username, other, `${other}.`, ` ${other}\u200b `])
    expect([typed, (await logIn(typed, first.password)).status]).toEqual([typed, 200])
})

test('an address is the same with an invisible character, in full-width letters or with a full stop behind it', async () => {
  const pia = visitor()
  expect((await signUp(pia, { email: '\u200bpia@people.example' })).body.user.email).toBe('pia@people.example')
  for (const email of [
    'PIA@people.example',
    'pia@people.example.',
    'ｐｉａ@people.example',
    '\u202apia@people.example',
  ]) {
    expect(await signUp(visitor(), { email })).toBeRefused(accountRefusals.email_taken)
    expect([email, (await logIn(email, pia.password)).status]).toEqual([email, 200])
  }
})

test('the database keeps usernames in one form', async () => {
  const { studio, boris } = story
  const { pool } = studio.server.database
  for (const username of ['zoe\u0308x', 'ﬁona', 'noe\u200bmi', 'oskar.']) {
    const changed = pool.query('update users set username = $1 where id = $2', [username, boris.id])
    await expect(changed).rejects.toMatchObject({ constraint: 'logins_have_one_form' })
  }
})
