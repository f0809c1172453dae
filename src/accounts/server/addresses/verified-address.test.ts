import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
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

test('the migration keeps an address verified by link and unverifies one only entered at sign-up', async () => {
  const { studio } = story
  const [erin, frank] = [await studio.member('Erin'), await studio.member('Frank')]
  const { pool } = studio.server.database
  await pool.query('update users set email_verified_at = created_at where id = $1', [erin.id])
  await pool.query("update users set email_verified_at = created_at + interval '1 second' where id = $1", [frank.id])
  const [migration = ''] = globSync('migrations/*_verified_means_a_mailed_link_was_followed.sql')
  await pool.query(await readFile(migration, 'utf8'))
  expect([await countVerified(erin.id), await countVerified(frank.id)]).toEqual([0, 1])
})
