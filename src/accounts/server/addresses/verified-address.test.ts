import { expect, test } from 'vitest'
import { shareStudio } from '#testing/studio-under-test.ts'
import { editUser } from '../../contract.ts'

const story = shareStudio()
const countVerified = (id: string) =>
  story.studio.count('select count(*) from users where id = $1 and email_verified_at is not null', [id])

/** Follows an emailed link to set a password. */
async function verifyByLink(who: { email: string }) {
  const { studio } = story
  await studio.visitor().request('POST', '/api/password-reset', { email: who.email })
  const mails = await studio.mailTo(who)
  const token = /reset=([\w-]+)/.exec(mails.at(-1)?.text ?? '')?.[1]
  const set = await studio.visitor().request('POST', '/api/password-reset/confirm', { token, password: 'by-mail' })
  expect(set.status).toBe(200)
}

test('an emailed link verifies the address; signing up does not', async () => {
  const carl = await story.studio.member('Carl')
  expect(await countVerified(carl.id)).toBe(0)
  await verifyByLink(carl)
  expect(await countVerified(carl.id)).toBe(1)
})

test('a new address is unverified, but not a change of case', async () => {
  const { studio, dora } = story
  const dave = await studio.member('Dave')
  await verifyByLink(dave)
  const changeEmail = (email: string) => dora.call(editUser, { params: { id: dave.id }, body: { email } })
  expect((await changeEmail('DAVE@people.example')).status).toBe(200)
  expect(await countVerified(dave.id)).toBe(1)
  expect((await changeEmail('david@people.example')).status).toBe(200)
  expect(await countVerified(dave.id)).toBe(0)
})
