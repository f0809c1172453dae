import { expect, test } from 'vitest'
import { openStudio, shareStudio } from '#testing/studio-under-test.ts'
import { accountRefusals, editUser, verifyEmail } from '../../contract.ts'
import { logIn, mailedTokens, requestResetLink, requestResetLinks, setNewPassword } from '../links-under-test.ts'

const story = shareStudio()

test('earlier links work until one is used', async () => {
  const { studio } = story
  const frank = await studio.member('Frank')
  const [first = '', second = '', third = ''] = await requestResetLinks(studio, frank, 3)
  expect(new Set([first, second, third, '']).size).toBe(4)
  expect((await setNewPassword(studio.visitor(), first)).status).toBe(200)
  for (const token of [second, third]) {
    expect(await setNewPassword(studio.visitor(), token)).toBeRefused(accountRefusals.link_expired)
  }
})

test('the newest three links work', async () => {
  const { studio } = story
  const fred = await studio.member('Fred')
  const [first = '', second = ''] = await requestResetLinks(studio, fred, 4)
  expect(await setNewPassword(studio.visitor(), first)).toBeRefused(accountRefusals.link_expired)
  expect((await setNewPassword(studio.visitor(), second)).status).toBe(200)
})

test('of two concurrent links, one sets the password', async () => {
  const { studio } = story
  const gina = await studio.member('Gina')
  const tokens = await requestResetLinks(studio, gina, 2)
  const responses = await Promise.all(tokens.map((token) => setNewPassword(studio.visitor(), token)))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('a link works for two hours', async () => {
  const { studio, ana, boris } = await openStudio()
  for (const who of [ana, boris]) await requestResetLink(studio.visitor(), who.email)
  const [early = ''] = await mailedTokens(studio, ana)
  const [late = ''] = await mailedTokens(studio, boris)
  studio.clock.advance({ seconds: 2 * 3600 - 1 })
  expect((await setNewPassword(studio.visitor(), early)).status).toBe(200)
  studio.clock.advance({ seconds: 1 })
  expect(await setNewPassword(studio.visitor(), late)).toBeRefused(accountRefusals.link_expired)
  expect((await logIn(studio.visitor(), boris.email, boris.password)).status).toBe(200)
  await studio.server.workers['tidy-up']({}, 'a job')
  expect(await studio.count('select count(*) from one_time_links')).toBe(0)
})

test('refuses a link of another kind, an invented one and a deleted user’s', async () => {
  const { studio, dora } = story
  const grete = await studio.member('Grete')
  await requestResetLink(studio.visitor(), grete.email)
  const [token = ''] = await mailedTokens(studio, grete)
  expect(await studio.visitor().call(verifyEmail, { body: { token } })).toBeRefused(
    accountRefusals.verification_expired,
  )
  for (const wrong of ['x', `${token}x`, token.toUpperCase()]) {
    expect(await setNewPassword(studio.visitor(), wrong)).toBeRefused(accountRefusals.link_expired)
  }
  await dora.request('DELETE', `/api/admin/users/${grete.id}`)
  expect(await setNewPassword(studio.visitor(), token)).toBeRefused(accountRefusals.link_expired)
})

test('a link stops working when an admin changes the address', async () => {
  const { studio, dora } = story
  const heidi = await studio.member('Heidi')
  await requestResetLink(studio.visitor(), heidi.email)
  const [token = ''] = await mailedTokens(studio, heidi)
  await dora.call(editUser, { params: { id: heidi.id }, body: { firstName: 'Heidi Maria', email: heidi.email } })
  expect(await studio.count('select count(*) from one_time_links where user_id = $1', [heidi.id])).toBe(1)
  await dora.call(editUser, { params: { id: heidi.id }, body: { email: 'heidi@new.example' } })
  expect(await setNewPassword(studio.visitor(), token)).toBeRefused(accountRefusals.link_expired)
})

test('the database stores only the hash of a link’s token', async () => {
  const { studio } = story
  const ivan = await studio.member('Ivan')
  await requestResetLink(studio.visitor(), ivan.email)
  const [token = ''] = await mailedTokens(studio, ivan)
  const { rows } = await studio.server.database.pool.query('select l::text from one_time_links l')
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'))
})
