import { expect, test } from 'vitest'
import type { Person } from '../../testing/person.ts'
import { openStudio, type StudioUnderTest, shareStudio } from '../../testing/studio-under-test.ts'
import { accountRefusals, editUser, requestPasswordReset, setPassword } from '../contract.ts'

const story = shareStudio()
const asksFor = (who: Person, email: string) => who.call(requestPasswordReset, { body: { email } })
const sets = (who: Person, token: string, password = 'changed') => who.call(setPassword, { body: { token, password } })
const logsIn = (who: Person, email: string, password: string) =>
  who.request('POST', '/api/login', { username: email, password })
const isSignedIn = async (who: Person) => (await who.request('GET', '/api/auth/user')).status === 200

/** The tokens mailed to somebody, the oldest first. */
async function mailedTokens(studio: StudioUnderTest, to: { email: string }): Promise<string[]> {
  const mails = await studio.mailTo(to)
  return mails.flatMap(({ text }) => /\/auth\?reset=([\w-]+)/.exec(text)?.[1] ?? [])
}

test('asking answers the same for an address nobody has, and mails only those who have one', async () => {
  const { studio } = story
  const carl = await studio.member('Carl')
  const before = await studio.count("select count(*) from pgboss.job where name = 'mail'")
  const unknown = await asksFor(studio.visitor(), 'nobody@people.example')
  expect(await studio.count("select count(*) from pgboss.job where name = 'mail'")).toBe(before)
  const known = await asksFor(studio.visitor(), 'CARL@people.example')
  expect(known.status).toBe(200)
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
  expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()])
  expect(await mailedTokens(studio, carl)).toHaveLength(1)
})

test('a mailed link sets a password once, ends every session and begins one', async () => {
  const { studio } = story
  const dave = await studio.member('Dave')
  const phone = studio.visitor('Dave')
  await logsIn(phone, dave.email, dave.password)
  await asksFor(studio.visitor(), dave.email)
  const [token = ''] = await mailedTokens(studio, dave)

  const desk = studio.visitor('Dave')
  const answer = await sets(desk, token)
  expect(answer.status).toBe(200)
  expect(answer.body.id).toBe(dave.id)
  expect([await isSignedIn(desk), await isSignedIn(dave), await isSignedIn(phone)]).toEqual([true, false, false])
  expect(await logsIn(studio.visitor(), dave.email, dave.password)).toBeRefused(accountRefusals.wrong_credentials)
  expect((await logsIn(studio.visitor(), dave.email, 'changed')).status).toBe(200)

  const thief = studio.visitor()
  expect(await sets(thief, token, 'stolen')).toBeRefused(accountRefusals.link_expired)
  expect(thief.cookies.size).toBe(0)
  expect((await logsIn(studio.visitor(), dave.email, 'changed')).status).toBe(200)
})

test('of two who use a link at once, one sets the password', async () => {
  const { studio } = story
  const erin = await studio.member('Erin')
  await asksFor(studio.visitor(), erin.email)
  const [token = ''] = await mailedTokens(studio, erin)
  const answers = await Promise.all(['first-one', 'second-one'].map((word) => sets(studio.visitor(), token, word)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('a new link ends the one before', async () => {
  const { studio } = story
  const frank = await studio.member('Frank')
  await asksFor(studio.visitor(), frank.email)
  await studio.mailTo(frank)
  await asksFor(studio.visitor(), frank.email)
  const [first = '', second = ''] = await mailedTokens(studio, frank)
  expect(second).not.toBe('')
  const works = await Promise.all([first, second].map(async (token) => (await sets(studio.visitor(), token)).status))
  expect(works.sort()).toEqual([200, 400])
})

test('a link works for two hours', async () => {
  const { studio, ana, boris } = await openStudio()
  for (const who of [ana, boris]) await asksFor(studio.visitor(), who.email)
  const [early = ''] = await mailedTokens(studio, ana)
  const [late = ''] = await mailedTokens(studio, boris)
  studio.clock.advance({ seconds: 2 * 3600 - 1 })
  expect((await sets(studio.visitor(), early)).status).toBe(200)
  studio.clock.advance({ seconds: 1 })
  expect(await sets(studio.visitor(), late)).toBeRefused(accountRefusals.link_expired)
  expect((await logsIn(studio.visitor(), boris.email, boris.password)).status).toBe(200)
  await studio.server.workers['tidy-up']({}, 'a job')
  expect(await studio.count('select count(*) from one_time_links')).toBe(0)
})

test('a link of the other kind, a made-up one and a deleted user’s set nothing', async () => {
  const { studio, dora } = story
  const grete = await studio.member('Grete')
  await asksFor(studio.visitor(), grete.email)
  const [token = ''] = await mailedTokens(studio, grete)
  await studio.visitor().request('GET', `/api/verify-email?token=${token}`)
  for (const wrong of ['x', `${token}x`, token.toUpperCase()]) {
    expect(await sets(studio.visitor(), wrong)).toBeRefused(accountRefusals.link_expired)
  }
  await dora.request('DELETE', `/api/admin/users/${grete.id}`)
  expect(await sets(studio.visitor(), token)).toBeRefused(accountRefusals.link_expired)
})

test('a link mailed to an address ends when an admin changes the address', async () => {
  const { studio, dora } = story
  const heidi = await studio.member('Heidi')
  await asksFor(studio.visitor(), heidi.email)
  const [token = ''] = await mailedTokens(studio, heidi)
  await dora.call(editUser, { params: { id: heidi.id }, body: { firstName: 'Heidi Maria', email: heidi.email } })
  expect(await studio.count('select count(*) from one_time_links where user_id = $1', [heidi.id])).toBe(1)
  await dora.call(editUser, { params: { id: heidi.id }, body: { email: 'heidi@new.example' } })
  expect(await sets(studio.visitor(), token)).toBeRefused(accountRefusals.link_expired)
})

test('the database knows a link’s token only by its hash', async () => {
  const { studio } = story
  const ivan = await studio.member('Ivan')
  await asksFor(studio.visitor(), ivan.email)
  const [token = ''] = await mailedTokens(studio, ivan)
  const { rows } = await studio.server.database.pool.query('select l::text from one_time_links l')
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'))
})

test('the password must be long enough; the link then still works', async () => {
  const { studio } = story
  const judy = await studio.member('Judy')
  await asksFor(studio.visitor(), judy.email)
  const [token = ''] = await mailedTokens(studio, judy)
  const short = await sets(studio.visitor(), token, '12345')
  expect(short.status).toBe(400)
  expect(short.body.errors).toEqual([{ path: 'password', message: 'Password must be at least 6 characters' }])
  expect((await sets(studio.visitor(), token, '123456')).status).toBe(200)
})
