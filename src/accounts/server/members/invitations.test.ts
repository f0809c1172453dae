import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { getMemberPage, listAudit } from '#insights/contract.ts'
import { deleteUser, exportOwnData } from '#privacy/contract.ts'
import type { Person } from '#testing/person.ts'
import { openEmptyStudio, openStudio, type StudioUnderTest, shareStudio } from '#testing/studio-under-test.ts'
import { accountRefusals, editUser, register } from '../../contract.ts'
import { addMember, sendInvitation } from '../../contract-invitations.ts'
import { logIn, mailedTokens, requestResetLink, setNewPassword } from '../links-under-test.ts'
import { makeAdmin } from './make-admin.ts'

const story = shareStudio()
const aForm = (name: string, more: object = {}) => ({
  firstName: name,
  lastName: 'New',
  email: `${name.toLowerCase()}@new.example`,
  ...more,
})
const add = (admin: Person, name: string, more: object = {}) => admin.call(addMember, { body: aForm(name, more) })
const invite = (admin: Person, id: string) => admin.call(sendInvitation, { params: { id } })
const addressOf = (name: string) => ({ email: `${name.toLowerCase()}@new.example` })
const isThere = (studio: StudioUnderTest, email: string) =>
  studio.count('select count(*) from users where email = $1', [email])

describe('a new member', () => {
  test('is added and emailed an invitation; only the admin stays signed in', async () => {
    const { studio, dora } = story
    const response = await add(dora, 'Nora', { phone: ' 01632 960 111 ' })
    expect([response.status, response.headers.getSetCookie()]).toEqual([201, []])
    expect(response.body).toEqual({
      id: expect.any(String),
      username: 'nora@new.example',
      ...aForm('Nora', { phone: '01632 960 111' }),
      isAdmin: false,
      role: 'member',
      createdAt: '2026-12-07T09:00:00Z',
    })
    expect((await dora.request('GET', '/api/auth/user')).body.id).toBe(dora.id)
    const [mail] = await studio.mailTo(addressOf('Nora'))
    expect(mail?.subject).toMatch(/your account/i)
    const { user } = (await dora.call(getMemberPage, { params: { id: response.body.id } })).body
    expect(user).toMatchObject({ canLogIn: false, invitedAt: '2026-12-07T09:00:00Z', emailVerified: false })
    const { body: lines } = await dora.call(listAudit, { query: { subject: `user:${user.id}` } })
    expect(lines).toMatchObject([{ action: 'created', changes: { email: { after: 'nora@new.example' } } }])
  })

  test('follows the link: sets a password, starts a session, verifies the address and gets a welcome', async () => {
    const studio = await openEmptyStudio({ env: { EMAIL_VERIFICATION: 'required' } })
    const dora = studio.visitor('Dora')
    const made = await studio.server.database.transaction((tx) => makeAdmin(tx, dora.email, studio.clock.now()))
    await setNewPassword(dora, made.token)
    const { id } = (await add(dora, 'Olga')).body
    expect((await logIn(studio.visitor(), 'olga@new.example', 'secret')).status).toBe(401)
    const [token = ''] = await mailedTokens(studio, addressOf('Olga'))
    const olga = studio.visitor('Olga')
    expect((await setNewPassword(olga, token, 'her own')).status).toBe(200)
    expect((await olga.request('GET', '/api/auth/user')).body.id).toBe(id)
    expect((await logIn(studio.visitor(), 'olga@new.example', 'her own')).status).toBe(200)
    expect(await setNewPassword(studio.visitor(), token)).toBeRefused(accountRefusals.link_expired)
    const subjects = (await studio.mailTo(addressOf('Olga'))).map(({ subject }) => subject)
    expect(subjects).toEqual([expect.stringMatching(/your account/i), expect.stringMatching(/welcome/i)])
    const { user } = (await dora.call(getMemberPage, { params: { id } })).body
    expect(user).toMatchObject({ canLogIn: true, emailVerified: true })
    const { account } = await olga.read(exportOwnData)
    expect(account).toMatchObject({ id, phone: null, invitedAt: expect.any(String) })
  })

  test('can only be added by an admin, once, and not with another user’s address', async () => {
    const { studio, dora, ana, boris } = story
    expect(await add(boris, 'Petra')).toBeRefused(commonRefusals.forbidden)
    expect((await add(studio.visitor(), 'Petra')).status).toBe(401)
    for (const email of [ana.email, ` ${ana.email.toUpperCase()} `]) {
      expect(await add(dora, 'Petra', { email })).toBeRefused(accountRefusals.email_taken)
    }
    // Another user's username is refused too.
    await dora.call(editUser, { params: { id: boris.id }, body: { username: 'petra@new.example' } })
    expect(await add(dora, 'Petra')).toBeRefused(accountRefusals.email_taken)
    expect(await studio.mailTo(addressOf('Petra'))).toEqual([])
    for (const [field, wrong] of [
      ['firstName', ' '],
      ['lastName', ''],
      ['email', 'nobody'],
      ['phone', '12'],
      ['phone', 'call me'],
    ] as const) {
      const { status, body } = await add(dora, 'Petra', { [field]: wrong })
      expect([status, body.errors[0].path]).toEqual([400, field])
    }
  })

  test('creates one member and sends one email for concurrent admins and double clicks', async () => {
    const { studio, dora } = story
    const eve = await studio.admin('Eve')
    const both = await Promise.all([add(dora, 'Quinn'), add(eve, 'Quinn')])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400])
    const key = { 'idempotency-key': 'one click' }
    const clicks = await Promise.all(
      [1, 2].map(() => dora.request('POST', '/api/admin/users', aForm('Rosa', { phone: '' }), key)),
    )
    expect(clicks.map(({ status }) => status)).toEqual([201, 201])
    expect(clicks[0]?.body.id).toBe(clicks[1]?.body.id)
    for (const name of ['Quinn', 'Rosa']) {
      expect([await isThere(studio, addressOf(name).email), (await studio.mailTo(addressOf(name))).length]).toEqual([
        1, 1,
      ])
    }
  })
})

describe('an invitation', () => {
  test('works for fourteen days, can be sent again, and ends with the password', async () => {
    const { studio, dora } = await openStudio()
    const [sven, tina] = [(await add(dora, 'Sven')).body, (await add(dora, 'Tina')).body]
    const [early = ''] = await mailedTokens(studio, sven)
    const [late = ''] = await mailedTokens(studio, tina)
    studio.clock.advance({ seconds: 14 * 24 * 3600 - 1 })
    expect((await setNewPassword(studio.visitor(), early)).status).toBe(200)
    studio.clock.advance({ seconds: 1 })
    expect(await setNewPassword(studio.visitor(), late)).toBeRefused(accountRefusals.link_expired)

    await studio.logIn(dora)
    expect((await invite(dora, tina.id)).status).toBe(200)
    const { body } = await dora.call(getMemberPage, { params: { id: tina.id } })
    expect(body.user.invitedAt).toBe('2026-12-21T09:00:00Z')
    // Who has forgotten about it asks for a link herself: setting the password with that ends the invitation.
    await requestResetLink(studio.visitor(), tina.email)
    const [, again = '', reset = ''] = await mailedTokens(studio, tina)
    expect((await setNewPassword(studio.visitor(), reset)).status).toBe(200)
    expect(await setNewPassword(studio.visitor(), again)).toBeRefused(accountRefusals.link_expired)
    expect(await invite(dora, tina.id)).toBeRefused(accountRefusals.password_already_set)
  })

  test('is sent by admins only, to members only, and recorded', async () => {
    const { studio, dora, ana, boris } = story
    const { id } = (await add(dora, 'Uwe')).body
    expect(await invite(boris, id)).toBeRefused(commonRefusals.forbidden)
    for (const who of [ana, dora]) expect(await invite(dora, who.id)).toBeRefused(accountRefusals.password_already_set)
    await invite(dora, id)
    const { body: lines } = await dora.call(listAudit, { query: { subject: `user:${id}` } })
    expect(lines.map(({ action }: { action: string }) => action)).toEqual(['invited', 'created'])
    const [token = ''] = await mailedTokens(studio, addressOf('Uwe'))
    await dora.call(deleteUser, { params: { id } })
    expect(await setNewPassword(studio.visitor(), token)).toBeRefused(accountRefusals.link_expired)
    expect(await invite(dora, id)).toBeRefused(accountRefusals.user_not_found)
  })

  test('registering with the address mails the link and does not sign in', async () => {
    const { studio, dora } = story
    await add(dora, 'Vito', { phone: '01632 960112' })
    const stranger = studio.visitor('Stranger')
    const body = { email: 'VITO@new.example', firstName: 'S', lastName: 'T', password: 'stranger' }
    expect(await stranger.call(register, { body })).toBeRefused(accountRefusals.already_invited)
    expect((await stranger.request('GET', '/api/auth/user')).status).toBe(401)
    expect((await logIn(stranger, 'vito@new.example', 'stranger')).status).toBe(401)
    const tokens = await mailedTokens(studio, addressOf('Vito'))
    expect(tokens).toHaveLength(2)
    expect((await setNewPassword(studio.visitor(), tokens[1] ?? '')).body).toMatchObject({ firstName: 'Vito' })
    expect(await stranger.call(register, { body })).toBeRefused(accountRefusals.email_taken)
  })

  test('is sent again to a corrected address; the old link stops working', async () => {
    const { studio, dora } = story
    const { id } = (await add(dora, 'Wanda', { email: 'wadna@new.example' })).body
    const [wrong = ''] = await mailedTokens(studio, { email: 'wadna@new.example' })
    await dora.call(editUser, { params: { id }, body: addressOf('Wanda') })
    expect(await setNewPassword(studio.visitor(), wrong)).toBeRefused(accountRefusals.link_expired)
    const [right = ''] = await mailedTokens(studio, addressOf('Wanda'))
    expect((await setNewPassword(studio.visitor(), right)).body).toMatchObject({ id, email: 'wanda@new.example' })
  })
})

describe('a phone number', () => {
  test('is stored as typed at registration, at the desk and in an edit; an empty one removes it', async () => {
    const { studio, dora } = story
    const xenia = studio.visitor('Xenia')
    const body = { email: 'xenia@new.example', firstName: 'X', lastName: 'Y', password: 'secret' }
    const { user } = (await xenia.call(register, { body: { ...body, phone: '+44 (0)1632 960-113 ' } })).body
    expect(user.phone).toBe('+44 (0)1632 960-113')
    const editPhone = async (phone: string | null) =>
      (await dora.call(editUser, { params: { id: user.id }, body: { phone, firstName: 'Xenia' } })).body
    expect((await editPhone('01632/960.114')).phone).toBe('01632/960.114')
    expect((await editPhone(null)).phone).toBe('01632/960.114')
    expect((await editPhone('12 34')).errors).toMatchObject([{ path: 'phone' }])
    expect((await editPhone(' ')).phone).toBeNull()
    const { body: lines } = await dora.call(listAudit, { query: { subject: `user:${user.id}` } })
    expect(lines[0].changes).toEqual({ phone: { before: '01632/960.114', after: null } })
    expect((await xenia.read(exportOwnData)).account.phone).toBeNull()
    const empty = await studio.visitor().call(register, { body: { ...body, email: 'y@new.example', phone: '' } })
    expect(empty.body.user.phone).toBeNull()
  })

  test('the database refuses empty and untrimmed ones', async () => {
    const { studio, ana } = story
    for (const phone of ['', ' 01632 960115']) {
      const write = studio.server.database.pool.query('update users set phone = $1 where id = $2', [phone, ana.id])
      await expect(write).rejects.toMatchObject({ constraint: 'phones_of_users_are_trimmed' })
    }
  })
})
