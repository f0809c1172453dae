import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { importMembers } from '#imports/contract.ts'
import { LIVE } from '#testing/live-settings.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest, shareStudio } from '#testing/studio-under-test.ts'
import { accountRefusals, editUser, getCurrentUser, register } from '../../contract.ts'
import { addMember } from '../../contract-invitations.ts'
import { sessionRefusals, undoEmailChange } from '../../contract-sessions.ts'
import { logIn, mailedTokens, setNewPassword } from '../links-under-test.ts'

const story = shareStudio()
const changeEmail = (admin: Person, who: Person, email: string, more: object = {}) =>
  admin.call(editUser, { params: { id: who.id }, body: { email, ...more } })
const undoChange = (studio: StudioUnderTest, token: string) =>
  studio.visitor().call(undoEmailChange, { body: { token } })
const signUp = (studio: StudioUnderTest, email: string, username?: string) =>
  studio.visitor().call(register, {
    body: { email, username, firstName: 'Z', lastName: 'C', password: 'six-or-more' },
  })
const isSignedIn = async (who: Person) => (await who.call(getCurrentUser)).status === 200
async function undoToken(studio: StudioUnderTest, to: { email: string }): Promise<string> {
  const texts = (await studio.mailTo(to)).map(({ text }) => text)
  return texts.flatMap((text) => /\/auth#undo=([\w-]+)/.exec(text)?.[1] ?? []).at(-1) ?? ''
}

describe('a changed email address', () => {
  test('emails both addresses, changes an equal username and reserves the old address for seven days', async () => {
    const { studio, dora } = await openStudio()
    const carl = await studio.member('Carl')
    const response = await changeEmail(dora, carl, 'carl@new.example', { username: carl.email })
    expect(response.body).toMatchObject({ email: 'carl@new.example', username: 'carl@new.example' })
    expect((await studio.mailTo(carl)).at(-1)?.text).toContain('carl@new.example')
    expect((await studio.mailTo({ email: 'carl@new.example' })).at(-1)?.subject).toMatch(
      /^This is now the email address/,
    )
    expect((await logIn(studio.visitor(), 'carl@new.example', carl.password)).status).toBe(200)
    expect(await logIn(studio.visitor(), carl.email, carl.password)).toBeRefused(accountRefusals.invalid_credentials)

    expect(await signUp(studio, 'CARL@people.example')).toBeRefused(accountRefusals.email_taken)
    expect(await signUp(studio, 'other@people.example', carl.email)).toBeRefused(accountRefusals.username_taken)
    const body = { firstName: 'N', lastName: 'E', email: carl.email }
    expect(await dora.call(addMember, { body })).toBeRefused(accountRefusals.email_taken)
    studio.clock.advance({ hours: 7 * 24 })
    expect((await signUp(studio, carl.email)).status).toBe(201)
  })

  test('keeps a different username; the link still works after an admin changes the address back', async () => {
    const { studio, dora } = story
    const dave = await studio.member('Dave')
    await dora.call(editUser, { params: { id: dave.id }, body: { username: 'dave' } })
    expect((await changeEmail(dora, dave, 'dave@new.example')).body).toMatchObject({ username: 'dave' })
    const token = await undoToken(studio, dave)
    expect((await changeEmail(dora, dave, dave.email)).status).toBe(200)
    expect((await undoChange(studio, token)).status).toBe(200)
    expect(await undoChange(studio, token)).toBeRefused(sessionRefusals.undo_expired)
  })

  test('does not email or reserve an unverified old address', async () => {
    const { studio, dora } = story
    const typo = { email: 'nroa@people.example' }
    const { body: nora } = await dora.call(addMember, { body: { firstName: 'Nora', lastName: 'C', ...typo } })
    const before = (await studio.mailTo(typo)).length
    await changeEmail(dora, nora, 'nora@people.example')
    expect(await studio.mailTo(typo)).toHaveLength(before)
    expect((await signUp(studio, typo.email)).status).toBe(201)
  })

  test('an import cannot take the reserved address within seven days', async () => {
    const { studio, dora } = await openStudio()
    const carl = await studio.member('Carl')
    await changeEmail(dora, carl, 'carl@new.example')
    const importRow = (dryRun: boolean) =>
      dora.call(importMembers, { body: { csv: `first name,last name,email\nC,C,${carl.email}`, dryRun } })
    expect(JSON.stringify((await importRow(true)).body)).toContain('It stays reserved for them for some days.')
    studio.clock.advance({ hours: 7 * 24 })
    await studio.logIn(dora)
    expect((await importRow(false)).status).toBeLessThan(300)
    expect(await studio.count('select count(*) from users where email = $1', [carl.email])).toBe(1)
  })

  test('refuses the old address to a concurrent sign-up', async () => {
    const { studio, dora } = story
    const erin = await studio.member('Erin')
    const responses = await Promise.all([
      changeEmail(dora, erin, 'erin@new.example'),
      ...Array.from({ length: 5 }, () => signUp(studio, erin.email)),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 400, 400, 400, 400, 400])
    expect(await studio.count('select count(*) from users where lower(email) = $1', [erin.email])).toBe(0)
  })

  test('live: ends sessions, except that of an admin who changed their own address; the demo keeps them', async () => {
    const { dora, ana } = story
    const moved = await changeEmail(dora, ana, 'ana@new.example')
    expect([moved.status, await isSignedIn(ana)]).toEqual([200, true])

    const live = await openStudio({ env: LIVE })
    await changeEmail(live.dora, live.ana, 'ana@new.example')
    expect(await isSignedIn(live.ana)).toBe(false)
    const phone = live.studio.visitor('Dora')
    await logIn(phone, live.dora.email, live.dora.password)
    await changeEmail(live.dora, live.dora, 'dora@new.example')
    expect([await isSignedIn(live.dora), await isSignedIn(phone)]).toEqual([true, false])
  })
})

describe('undoing the change', () => {
  test('restores address and username, verifies the address, ends every session and works once', async () => {
    const { studio, dora } = story
    const frank = await studio.member('Frank')
    await changeEmail(dora, frank, 'frank@new.example')
    const token = await undoToken(studio, frank)
    const thief = studio.visitor('Frank')
    await logIn(thief, 'frank@new.example', frank.password)
    expect((await studio.visitor().request('GET', `/api/email-change/undo?token=${token}`)).status).toBe(404)
    expect(await isSignedIn(thief)).toBe(true)
    expect((await undoChange(studio, token)).status).toBe(200)
    expect([await isSignedIn(thief), await isSignedIn(frank)]).toEqual([false, false])
    const [link = ''] = await mailedTokens(studio, frank)
    expect((await setNewPassword(frank, link)).body).toMatchObject({ email: frank.email, username: frank.email })
    expect(await studio.count('select count(email_verified_at) from users where id = $1', [frank.id])).toBe(1)
    expect(await undoChange(studio, token)).toBeRefused(sessionRefusals.undo_expired)
    const mailed = async (email: string) => (await studio.mailTo({ email })).at(-1)?.subject
    expect(await mailed(frank.email)).toBe('Your email address is back')
    expect(await mailed('frank@new.example')).toMatch(/^This is no longer the email address/)
    expect((await signUp(studio, 'frank@new.example')).status).toBe(201)
  })

  test('works for seven days; the database stores only the token’s hash', async () => {
    const { studio, dora } = await openStudio()
    const grete = await studio.member('Grete')
    await changeEmail(dora, grete, 'grete@new.example')
    const token = await undoToken(studio, grete)
    const { rows } = await studio.server.database.pool.query('select e::text from email_changes e')
    expect(JSON.stringify(rows)).not.toContain(token)
    studio.clock.advance({ hours: 7 * 24 })
    expect(await undoChange(studio, token)).toBeRefused(sessionRefusals.undo_expired)
    await studio.server.workers['tidy-up']({}, 'a job')
    expect(await studio.count('select count(*) from email_changes')).toBe(0)
  })

  test('undoes all later changes too', async () => {
    const { studio, dora } = story
    const heidi = await studio.member('Heidi')
    await changeEmail(dora, heidi, 'heidi@second.example')
    const first = await undoToken(studio, heidi)
    await changeEmail(dora, heidi, 'heidi@third.example')
    const second = await undoToken(studio, { email: 'heidi@second.example' })
    expect((await undoChange(studio, first)).status).toBe(200)
    expect(await undoChange(studio, second)).toBeRefused(sessionRefusals.undo_expired)
    const [link = ''] = await mailedTokens(studio, heidi)
    expect((await setNewPassword(studio.visitor(), link)).body.email).toBe(heidi.email)
  })

  test('works for one of two concurrent clicks, and not for an erased user', async () => {
    const { studio, dora } = story
    const ivan = await studio.member('Ivan')
    await changeEmail(dora, ivan, 'ivan@new.example')
    const token = await undoToken(studio, ivan)
    const responses = await Promise.all([undoChange(studio, token), undoChange(studio, token)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])

    await changeEmail(dora, ivan, 'ivan@new.example')
    const late = await undoToken(studio, ivan)
    await dora.request('DELETE', `/api/admin/users/${ivan.id}`)
    expect(await undoChange(studio, late)).toBeRefused(sessionRefusals.undo_expired)
  })

  test('is refused from another site', async () => {
    const response = await story.studio
      .visitor()
      .request('POST', '/api/email-change/undo', { token: 'x' }, { 'sec-fetch-site': 'cross-site' })
    expect(response).toBeRefused(commonRefusals.cross_site_request)
  })
})
