import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { linkTokens } from '#messages/server/link-tokens.ts'
import { deleteUser, exportOwnData } from '#privacy/contract.ts'
import { LIVE } from '#testing/live-settings.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest, shareStudio } from '#testing/studio-under-test.ts'
import { accountRefusals, editUser, getCurrentUser } from '../../contract.ts'
import {
  cancelEmailChange,
  confirmEmailChange,
  editProfile,
  getEmailChange,
  profileRefusals,
  requestEmailChange,
  resendEmailChange,
} from '../../contract-profile.ts'
import { completeStepUp } from '../../contract-proofs.ts'
import { changePassword, undoEmailChange } from '../../contract-sessions.ts'
import { logIn } from '../links-under-test.ts'

const story = shareStudio()
const ask = (who: Person, email: string) => who.call(requestEmailChange, { body: { email } })
const follow = (who: Person, token: string) => who.call(confirmEmailChange, { body: { token } })
async function tokenIn(studio: StudioUnderTest, email: string, kind: 'email' | 'undo' = 'email'): Promise<string> {
  const texts = (await studio.mailTo({ email })).map(({ text }) => text)
  return texts.flatMap((text) => new RegExp(`/auth#${kind}=([\\w-]+)`).exec(text)?.[1] ?? []).at(-1) ?? ''
}
const emailOf = async (who: Person) => (await who.call(getCurrentUser)).body.email

describe('a member’s profile', () => {
  test('changes name and phone at once, trimmed, and only their own', async () => {
    const { studio, boris, dora } = story
    const ned = await studio.member('Ned')
    const body = { firstName: '  Edward ', lastName: ' Long-Name\t', phone: ' 01632 960199 ' }
    const response = await ned.call(editProfile, { body })
    expect(response.body).toMatchObject({ firstName: 'Edward', lastName: 'Long-Name', phone: '01632 960199' })
    expect((await ned.call(getCurrentUser)).body).toMatchObject({ firstName: 'Edward', phone: '01632 960199' })
    expect((await boris.call(getCurrentUser)).body.firstName).toBe('Boris')
    // An admin who opened the form earlier does not overwrite it.
    const stale = { firstName: 'Ned', ifUpdatedAt: '2026-12-07T09:00:00Z' }
    expect(await dora.call(editUser, { params: { id: ned.id }, body: stale })).toBeRefused(commonRefusals.edit_conflict)
    expect((await ned.call(editProfile, { body: { ...body, phone: '' } })).body.phone).toBe(null)
    expect((await ned.call(editProfile, { body: { ...body, phone: 'ring me' } })).status).toBe(400)
    expect((await ned.call(editProfile, { body: { ...body, firstName: '  ' } })).status).toBe(400)
  })
})

describe('a member’s new email address', () => {
  test('changes when the emailed link is followed, with the username, and can be undone for seven days', async () => {
    const { studio } = story
    const mia = await studio.member('Mia')
    const asked = await ask(mia, 'mia@new.example')
    expect(asked.body).toMatchObject({ email: 'mia@new.example' })
    expect((await mia.call(getEmailChange)).body).toEqual(asked.body)
    expect((await mia.call(exportOwnData)).body.addressAskedFor).toEqual(asked.body)
    const token = await tokenIn(studio, 'mia@new.example')
    expect(
      await studio.count('select count(*) from email_change_requests r where r::text like $1', [`%${token}%`]),
    ).toBe(0)
    expect((await studio.visitor().request('GET', `/api/email-change/confirm?token=${token}`)).status).toBe(404)
    expect(await emailOf(mia)).toBe(mia.email)

    expect((await follow(studio.visitor(), token)).body).toEqual({ email: 'mia@new.example' })
    expect((await mia.call(getCurrentUser)).body).toMatchObject({
      email: 'mia@new.example',
      username: 'mia@new.example',
    })
    expect((await mia.call(getEmailChange)).body).toBe(null)
    expect(
      await studio.count('select count(*) from users where id = $1 and email_verified_at is not null', [mia.id]),
    ).toBe(1)
    expect(await follow(studio.visitor(), token)).toBeRefused(profileRefusals.email_change_expired)

    const undo = await tokenIn(studio, mia.email, 'undo')
    expect((await studio.visitor().call(undoEmailChange, { body: { token: undo } })).status).toBe(200)
    expect(await studio.count('select count(*) from users where email = $1', [mia.email])).toBe(1)
  })

  test('keeps a username that was chosen, and refuses the member’s own and a taken address', async () => {
    const { studio, ana, dora } = story
    const nia = await studio.member('Nia')
    await dora.call(editUser, { params: { id: nia.id }, body: { username: 'nia' } })
    expect(await ask(nia, nia.email.toUpperCase())).toBeRefused(profileRefusals.email_unchanged)
    expect(await ask(nia, ana.email.toUpperCase())).toBeRefused(accountRefusals.email_taken)
    expect((await ask(nia, 'not an address')).status).toBe(400)
    expect((await nia.call(getEmailChange)).body).toBe(null)
    await ask(nia, 'nia@new.example')
    await follow(studio.visitor(), await tokenIn(studio, 'nia@new.example'))
    expect((await nia.call(getCurrentUser)).body).toMatchObject({ email: 'nia@new.example', username: 'nia' })
  })

  test('goes to the first of two members who confirm it at the same time', async () => {
    const { studio } = story
    const [one, two] = [await studio.member('Opal'), await studio.member('Otto')]
    await ask(one, 'both@new.example')
    const first = await tokenIn(studio, 'both@new.example')
    await ask(two, 'both@new.example')
    const second = await tokenIn(studio, 'both@new.example')
    const responses = await Promise.all([follow(one, first), follow(two, second)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(responses.find(({ status }) => status === 400)).toBeRefused(accountRefusals.email_taken)
    expect(await studio.count("select count(*) from users where email = 'both@new.example'")).toBe(1)
    // The other member keeps their address.
    expect([await emailOf(one), await emailOf(two)].filter((email) => email === 'both@new.example')).toHaveLength(1)
  })

  test('works for 48 hours; sending it again renews the same link; a new request or a cancellation ends it', async () => {
    const { studio } = await openStudio()
    const pia = await studio.member('Pia')
    expect(await pia.call(resendEmailChange)).toBeRefused(profileRefusals.no_email_change)
    await ask(pia, 'pia@first.example')
    const first = await tokenIn(studio, 'pia@first.example')
    studio.clock.advance({ hours: 47 })
    await pia.call(resendEmailChange)
    expect(await tokenIn(studio, 'pia@first.example')).toBe(first)
    studio.clock.advance({ hours: 48 })
    expect(await follow(pia, first)).toBeRefused(profileRefusals.email_change_expired)
    expect((await pia.call(getEmailChange)).body).toBe(null)
    await studio.server.workers['tidy-up']({}, 'a job')
    expect(await studio.count('select count(*) from email_change_requests')).toBe(0)

    await logIn(pia, pia.email, pia.password)
    await ask(pia, 'pia@second.example')
    const second = await tokenIn(studio, 'pia@second.example')
    await ask(pia, 'pia@third.example')
    const third = await tokenIn(studio, 'pia@third.example')
    expect(await follow(pia, second)).toBeRefused(profileRefusals.email_change_expired)
    await pia.call(cancelEmailChange)
    expect(await follow(pia, third)).toBeRefused(profileRefusals.email_change_expired)
    expect(await emailOf(pia)).toBe(pia.email)
  })

  test('is cancelled by a new password and by an admin’s change of the address', async () => {
    const { studio, dora } = story
    const [rae, sid] = [await studio.member('Rae'), await studio.member('Sid')]
    await ask(rae, 'rae@thief.example')
    await rae.call(changePassword, { body: { currentPassword: rae.password, password: 'another-secret' } })
    expect(await follow(rae, await tokenIn(studio, 'rae@thief.example'))).toBeRefused(
      profileRefusals.email_change_expired,
    )
    await ask(sid, 'sid@own.example')
    await dora.call(editUser, { params: { id: sid.id }, body: { email: 'sid@desk.example' } })
    expect(await follow(sid, await tokenIn(studio, 'sid@own.example'))).toBeRefused(
      profileRefusals.email_change_expired,
    )
    expect(await emailOf(sid)).toBe('sid@desk.example')
  })

  test('is erased with the member, also from the queue', async () => {
    const { studio, dora } = story
    const tim = await studio.member('Tim')
    await ask(tim, 'tim@new.example')
    const token = await tokenIn(studio, 'tim@new.example')
    await dora.call(deleteUser, { params: { id: tim.id } })
    expect(await follow(studio.visitor(), token)).toBeRefused(profileRefusals.email_change_expired)
    expect(await studio.count("select count(*) from pgboss.job where data::text like '%tim@new.example%'")).toBe(0)
  })

  test('live: asks for the password again, ends other sessions and limits emails per member and address', async () => {
    const { studio, ana, boris } = await openStudio({ env: LIVE })
    studio.clock.advance({ minutes: 6 })
    expect(await ask(ana, 'ana@new.example')).toBeRefused(commonRefusals.step_up_required)
    await ana.call(completeStepUp, { body: { password: ana.password } })
    expect((await ask(ana, 'ana@new.example')).status).toBe(200)
    const phone = studio.visitor('Ana')
    await logIn(phone, ana.email, ana.password)
    // Nothing is delivered here: the link is read from the queue.
    const mails = async (to: string) => {
      const { rows } = await studio.server.database.pool.query<{ link: string }>(
        "select data #>> '{data,linkId}' as link from pgboss.job where data #>> '{data,to,email}' = $1",
        [to],
      )
      return rows.map(({ link }) => link)
    }
    const [linkId = ''] = await mails('ana@new.example')
    expect((await follow(ana, linkTokens(LIVE.SESSION_SECRET)(linkId))).status).toBe(200)
    expect((await ana.call(getCurrentUser)).status).toBe(200)
    expect((await phone.call(getCurrentUser)).status).toBe(401)

    await boris.call(completeStepUp, { body: { password: boris.password } })
    await ask(boris, 'victim@new.example')
    for (let n = 0; n < 4; n++) expect((await boris.call(resendEmailChange)).status).toBe(200)
    expect(await boris.call(resendEmailChange)).toBeRefused(commonRefusals.too_many_requests)
    expect(await mails('victim@new.example')).toHaveLength(5)
  })
})
