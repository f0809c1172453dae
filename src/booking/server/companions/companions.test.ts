import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { editUser } from '#accounts/contract.ts'
import { editProfile } from '#accounts/contract-profile.ts'
import { getMemberPage } from '#insights/contract.ts'
import { ledgerOf } from '#passes/server/passes.ts'
import { deleteUser } from '#privacy/contract.ts'
import { undoCancellation } from '#schedule/contract.ts'
import { pausePass, previewPause } from '#schedule/contract-pauses.ts'
import { editClassAs, mailSubjectsTo, remove, upcomingOf } from '#schedule/server/classes-under-test.ts'
import { studio as settings } from '#studio.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { blockMember, listAllBookings, undoCancel } from '../../contract.ts'
import {
  acceptInvitation,
  confirmHeldPlace,
  declineInvitation,
  listHeldPlaces,
  readInvitation,
  signUpInvited,
} from '../../contract-companions.ts'
import { joinWaitingList } from '../../contract-waiting.ts'
import { bookingRefusals, companionRefusals } from '../../refusals.ts'

import {
  addAs,
  bookForTwo,
  expectRefusal,
  expectSound,
  job,
  openWithHold,
  takenIn,
  tokenFor,
} from './companions-under-test.ts'

describe('booking for two', () => {
  test('holds the second place for a credit until the companion accepts, and then books it', async () => {
    const { studio, ana, boris, dora, id, booking, token } = await openWithHold()
    expect(await upcomingOf(ana)).toMatchObject([{ companion: { firstName: 'Ben', state: 'held' }, bookedBy: null }])
    expect(await upcomingOf(boris)).toEqual([])
    expect(await takenIn(studio, id)).toBe(2)
    expect(await studio.creditsOf(ana)).toBe(8)
    await expectSound(studio)
    const { body } = await boris.call(readInvitation, { body: { token } })
    expect(body).toMatchObject({ invitedBy: { firstName: 'Ana' }, firstName: 'Ben', hasAccount: true })

    expectRefusal(
      await ana.call(acceptInvitation, { body: { token } }),
      companionRefusals.invitation_for_another_address,
    )
    const accepted = await boris.call(acceptInvitation, { body: { token } })
    expect(accepted).toMatchObject({ status: 201, body: { status: 'confirmed', bookedBy: { firstName: 'Ana' } } })
    expectRefusal(await boris.call(acceptInvitation, { body: { token } }), companionRefusals.invitation_accepted)
    expect(await upcomingOf(ana)).toMatchObject([{ id: booking, companion: { firstName: 'Ben', state: 'confirmed' } }])
    const payer = { firstName: 'Ana', isByPhone: false }
    expect(await dora.read(listAllBookings)).toMatchObject([
      { userId: boris.id, payer, bookedBy: { firstName: 'Ana' } },
      { userId: ana.id, payer, companion: { firstName: 'Ben', state: 'confirmed' } },
    ])
    const ofAna = (await dora.read(getMemberPage, { params: { id: ana.id } })).bookings
    expect(ofAna).toMatchObject([{ companion: { firstName: 'Ben', state: 'confirmed' }, payer }])
    expect(await studio.creditsOf(ana)).toBe(8)
    expect(await takenIn(studio, id)).toBe(2)
    const kinds = (await ledgerOf(studio.db, ana.id, { namesAdmins: false })).map(({ kind }) => kind)
    expect(kinds.slice(0, 2)).toEqual(['booking', 'booking'])
    expect(kinds).toHaveLength(3)
    expect((await mailSubjectsTo(studio, ana)).filter((subject) => subject.startsWith('Ben is coming'))).toHaveLength(1)
    await expectSound(studio)
  })

  test('signs up a new companion, who needs health information before accepting', async () => {
    const { studio, ana } = await openStudio({ now: 'Monday 09:00' })
    const cleo = studio.visitor('Cleo')
    await bookForTwo(ana, await studio.createClass('Thursday 18:00'), cleo)
    const token = await tokenFor(studio, cleo)
    expect((await cleo.call(readInvitation, { body: { token } })).body).toMatchObject({ hasAccount: false })
    const account = { firstName: 'Cleo', lastName: 'Cast', password: 'Three odd words', token }
    expect(await cleo.call(signUpInvited, { body: account })).toMatchObject({
      status: 201,
      body: { email: cleo.email },
    })
    expectRefusal(await cleo.call(acceptInvitation, { body: { token } }), bookingRefusals.health_information_missing)
    await studio.completeHealth(cleo)
    expect((await cleo.call(acceptInvitation, { body: { token } })).status).toBe(201)
    await expectSound(studio)
  })

  test('is in the member’s download, and cannot be accepted on a day on which the paying pass is paused', async () => {
    const { studio, ana, boris, dora, token, id } = await openWithHold()
    const { body } = await ana.request('GET', '/api/user/export')
    expect(body.companions).toMatchObject([{ firstName: 'Ben', email: boris.email, state: 'held' }])
    await studio.db.execute(sql`update passes set paused = '{[2026-12-11,2026-12-12)}' where user_id = ${ana.id}`)
    const edit = { date: '2026-12-11', override: true }
    expect((await dora.request('PUT', `/api/classes/${id}`, edit)).status).toBe(200)
    expectRefusal(await boris.call(acceptInvitation, { body: { token } }), companionRefusals.invitation_pass_paused)
  })

  test('takes both places or none', async () => {
    const { studio, ana, boris } = await openStudio({ now: 'Monday 09:00' })
    const cleo = await studio.member('Cleo', { health: true, credits: 1 })
    const id = await studio.createClass('Thursday 18:00')
    expect(await bookForTwo(cleo, id, boris)).toMatchObject({ status: 400, body: { code: 'no_credits' } })
    await ana.book(id)
    expect(await bookForTwo(cleo, id, boris)).toMatchObject({ status: 400, body: { code: 'class_full' } })
    expect(await upcomingOf(cleo)).toEqual([])
    expect(await studio.creditsOf(cleo)).toBe(1)
    expect(await takenIn(studio, id)).toBe(1)
  })

  test('refuses what cannot be held, with a code each', async () => {
    const { studio, ana, boris, dora } = await openStudio({ now: 'Monday 09:00' })
    const alone = (await ana.book(await studio.createClass({ at: 'Tuesday 18:00', places: 1 }))).body.id
    expect(await addAs(ana, alone, boris)).toMatchObject({ body: { code: 'class_not_for_two' } })
    const soon = (await ana.book(await studio.createClass('Monday 12:59'))).body.id
    expect(await addAs(ana, soon, boris)).toMatchObject({ body: { code: 'too_late_to_invite' } })
    const atFour = (await ana.book(await studio.createClass('Monday 13:00'))).body.id
    expect(await addAs(ana, atFour, ana)).toMatchObject({ body: { code: 'companion_is_self' } })
    expect((await addAs(ana, atFour, boris)).status).toBe(201)
    expect(await addAs(ana, atFour, dora)).toMatchObject({ body: { code: 'companion_already_added' } })
    expect((await addAs(boris, atFour, dora)).status).toBe(404)
    const both = await studio.createClass('Wednesday 18:00')
    await studio.completeHealth(boris)
    await studio.grantCredits(boris, 1)
    await boris.book(both)
    const own = (await ana.book(both)).body.id
    expect(await addAs(ana, own, boris)).toMatchObject({ body: { code: 'class_full' } })
    await dora.call(blockMember, { params: { id: boris.id }, body: { reason: 'No' } })
    const later = (await ana.book(await studio.createClass('Friday 18:00'))).body.id
    expect(await addAs(ana, later, boris)).toMatchObject({ body: { code: 'invitation_not_possible' } })
    await expectSound(studio)
  })

  test('holds at most 4 places for a member, and lets a companion object for good', async () => {
    const { studio, ana, boris } = await openStudio({ now: 'Monday 09:00' })
    const ids = await Promise.all(
      ['08:00', '10:00', '12:00', '14:00', '16:00'].map((time) => studio.createClass(`Thursday ${time}`)),
    )
    const responses = []
    for (const id of ids) responses.push(await bookForTwo(ana, id, boris))
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 400])
    expect(responses[4]).toMatchObject({ body: { code: 'too_many_held_places' } })
    const token = await tokenFor(studio, boris)
    expect((await studio.visitor().call(declineInvitation, { body: { token, never: true } })).status).toBe(200)
    expectRefusal(await boris.call(readInvitation, { body: { token } }), companionRefusals.invitation_ended)
    expect(await bookForTwo(ana, ids[4] ?? 0, boris)).toMatchObject({ body: { code: 'invitation_not_possible' } })
    studio.clock.advance({ minutes: 5 })
    await expectSound(studio)
  })
})

describe('a held place', () => {
  test('ends after 48 hours, returns the credit and emails both once', async () => {
    const { studio, ana, boris, id, token } = await openWithHold()
    studio.clock.advance({ hours: 47, minutes: 59 })
    await job(studio)
    expect(await takenIn(studio, id)).toBe(2)
    studio.clock.advance({ minutes: 1 })
    expectRefusal(await boris.call(acceptInvitation, { body: { token } }), companionRefusals.invitation_ended)
    await Promise.all([job(studio), job(studio)])
    expect(await takenIn(studio, id)).toBe(1)
    expect(await studio.creditsOf(ana)).toBe(9)
    expect(await upcomingOf(ana)).toMatchObject([{ companion: null }])
    for (const [person, words] of [
      [ana, 'no longer hold'],
      [boris, 'has ended'],
    ] as const)
      expect((await mailSubjectsTo(studio, person)).filter((subject) => subject.includes(words))).toHaveLength(1)
    await expectSound(studio)
  })

  test('goes to the waiting list when it ends', async () => {
    const { studio, id } = await openWithHold()
    const cleo = await studio.member('Cleo', { health: true, credits: 1 })
    expect((await cleo.call(joinWaitingList, { params: { id } })).status).toBe(201)
    studio.clock.advance({ hours: 48 })
    await job(studio)
    expect(await upcomingOf(cleo)).toMatchObject([{ classId: id }])
    expect(await takenIn(studio, id)).toBe(2)
    await expectSound(studio)
  })

  test('ends with the booking of the member who invited, once that can no longer be undone', async () => {
    const { studio, ana, boris, id, booking } = await openWithHold()
    await ana.cancel(booking)
    await job(studio)
    expect(await takenIn(studio, id)).toBe(1)
    expect((await ana.call(undoCancel, { params: { id: booking } })).body).toMatchObject({
      companion: { state: 'held' },
    })
    await ana.cancel(booking)
    studio.clock.advance({ seconds: 20 })
    await studio.server.workers['end-undo']({}, 'by hand')
    await job(studio)
    expect(await takenIn(studio, id)).toBe(0)
    expect(await studio.creditsOf(ana)).toBe(10)
    expect((await mailSubjectsTo(studio, boris)).at(-1)).toContain('has ended')
    await expectSound(studio)
  })

  test('survives a studio cancellation that is undone, and ends when it is not undone', async () => {
    const { studio, ana, dora, id } = await openWithHold()
    const { body } = await remove(dora, id)
    await job(studio)
    expect(await studio.creditsOf(ana)).toBe(10)
    await dora.call(undoCancellation, { params: { id: body.undo.id } })
    expect(await studio.creditsOf(ana)).toBe(8)
    expect(await upcomingOf(ana)).toMatchObject([{ companion: { state: 'held' } }])
    expect(await dora.read(listHeldPlaces)).toMatchObject([{ companion: { firstName: 'Ben' } }])
    await remove(dora, id)
    studio.clock.advance({ seconds: settings.policies.undoSeconds })
    await studio.mailbox()
    await job(studio)
    expect(await studio.creditsOf(ana)).toBe(10)
    expect(await takenIn(studio, id)).toBe(0)
    await expectSound(studio)
  })

  test('moves with its class and then lasts at least 2 hours', async () => {
    const { studio, boris, dora, id } = await openWithHold()
    await editClassAs(dora, id, {
      date: (await dora.read(listHeldPlaces))[0]?.class.date,
      startTime: '19:00',
      endTime: '19:45',
    })
    expect((await mailSubjectsTo(studio, boris)).at(-1)).toMatch(/^The class with Ana has moved/)
    expect(await dora.read(listHeldPlaces)).toMatchObject([{ companion: { firstName: 'Ben' } }])
    await expectSound(studio)
  })

  test('is confirmed by the owner for a companion without an account', async () => {
    const { studio, ana, dora } = await openStudio({ now: 'Monday 09:00' })
    const booking = (await ana.book(await studio.createClass('Monday 10:00'))).body.id
    const cleo = studio.visitor('Cleo')
    expect(await addAs(ana, booking, cleo)).toMatchObject({ body: { code: 'too_late_to_invite' } })
    expect((await addAs(dora, booking, cleo, { override: true })).status).toBe(201)
    const [held] = await dora.read(listHeldPlaces)
    const response = await dora.call(confirmHeldPlace, { params: { id: held?.id ?? 0 } })
    expect(response).toMatchObject({
      status: 200,
      body: { user: { firstName: 'Ben' }, bookedBy: { firstName: 'Ana' } },
    })
    expect(await studio.creditsOf(ana)).toBe(8)
    await expectSound(studio)
  })

  test('ends when the member is blocked', async () => {
    const { studio, ana, boris, dora, id } = await openWithHold()
    await dora.call(blockMember, { params: { id: ana.id }, body: { reason: 'No' } })
    expect(await takenIn(studio, id)).toBe(1)
    expect(await studio.creditsOf(ana)).toBe(9)
    expect((await mailSubjectsTo(studio, boris)).filter((subject) => subject.endsWith('has ended'))).toHaveLength(1)
    await expectSound(studio)
  })
})

test('forgets an erased companion who was invited under a former address', async () => {
  const { studio, boris, dora, token } = await openWithHold()
  expect((await boris.call(acceptInvitation, { body: { token } })).status).toBe(201)
  await studio.db.execute(sql`update users set email = 'boris@elsewhere.example' where id = ${boris.id}`)
  expect((await dora.call(deleteUser, { params: { id: boris.id } })).status).toBe(200)
  expect(await studio.count('select count(*) from invitations')).toBe(0)
})

test('texts the member once, two hours before a held place ends', async () => {
  const { studio, ana } = await openWithHold()
  await ana.call(editProfile, { body: { firstName: 'Ana', lastName: 'Cast', phone: '07700 900123' } })
  const texts = async () =>
    (await studio.server.database.pool.query(`select body from texts where kind = 'hold_ending'`)).rows
  // It ends on Wednesday at 09:00.
  studio.travelTo('Wednesday 06:59')
  await job(studio)
  expect(await texts()).toEqual([])
  studio.travelTo('Wednesday 07:00')
  await job(studio)
  studio.travelTo('Wednesday 07:01')
  await job(studio)
  expect(await texts()).toEqual([expect.objectContaining({ body: expect.stringContaining('ends at 09:00') })])
})

test('does not text that a held place ends, once the companion has accepted', async () => {
  const { studio, ana, boris, token } = await openWithHold()
  studio.server.textSandbox?.forget()
  await ana.call(editProfile, { body: { firstName: 'Ana', lastName: 'Cast', phone: '07700 900123' } })
  studio.travelTo('Wednesday 06:30')
  await job(studio)
  expect((await boris.call(acceptInvitation, { body: { token } })).status).toBe(201)
  studio.travelTo('Wednesday 07:00')
  await studio.server.workers['send-texts']({}, 'a-job')
  expect(studio.server.textSandbox?.sent).toEqual([])
})

test('shows the held places that a pause would end', async () => {
  const { studio, ana, dora } = await openWithHold()
  const id = await studio.count('select id from passes where user_id = $1', [ana.id])
  const query = { from: '2026-12-10', to: '2026-12-10' }
  expect(await dora.call(previewPause, { params: { id }, query })).toMatchObject({
    body: { bookings: [{}], heldPlaces: [{ companion: { firstName: 'Ben' } }] },
  })
})

test('ends the held places of an erased member and of an erased companion, whose address has changed since', async () => {
  const { studio, ana, boris, dora, id } = await openWithHold()
  expect((await dora.call(editUser, { params: { id: boris.id }, body: { email: 'bo@people.example' } })).status).toBe(
    200,
  )
  expect((await dora.call(deleteUser, { params: { id: boris.id } })).status).toBe(200)
  expect(await studio.creditsOf(ana)).toBe(9)
  expect(await studio.count('select count(*) from invitations')).toBe(0)
  const cleo = studio.visitor('Cleo')
  const [own] = await upcomingOf(ana)
  expect((await addAs(ana, own?.id ?? 0, cleo)).status).toBe(201)
  expect((await dora.call(deleteUser, { params: { id: ana.id } })).status).toBe(200)
  expect(await takenIn(studio, id)).toBe(0)
  expect(
    await studio.count(
      "select count(*) from pgboss.job where data ->> 'mail' = 'invitation-ended' and data::text like '%Ana%'",
    ),
  ).toBe(1)
  await expectSound(studio)
})

test('keeps the name of an erased companion nowhere', async () => {
  const { studio, ana, boris, dora, token } = await openWithHold()
  expect((await boris.call(acceptInvitation, { body: { token } })).status).toBe(201)
  await dora.call(deleteUser, { params: { id: boris.id } })
  const ledger = JSON.stringify(await ledgerOf(studio.db, ana.id, { namesAdmins: false }))
  expect(ledger).not.toMatch(/Boris|Ben/)
  expect(await studio.count("select count(*) from credit_ledger where reason ~ 'Boris|Ben'")).toBe(0)
})

test('counts every place that a pause cancels, and how many of them were held', async () => {
  const { studio, ana, boris, dora, token } = await openWithHold()
  expect((await boris.call(acceptInvitation, { body: { token } })).status).toBe(201)
  await bookForTwo(ana, await studio.createClass('Friday 18:00'), studio.visitor('Vera'))
  const id = await studio.count('select id from passes where user_id = $1', [ana.id])
  const body = { from: '2026-12-10', to: '2026-12-11', reason: 'Away' }
  expect((await dora.call(pausePass, { params: { id }, body })).status).toBe(201)
  const [line] = (await dora.request('GET', `/api/admin/audit?subject=user:${ana.id}`)).body
  expect(line).toMatchObject({
    action: 'pass_paused',
    changes: { bookingsCancelled: { after: 4 }, heldPlaces: { after: 1 } },
  })
  await expectSound(studio)
})

describe('payer and companion who are both erased', () => {
  test.each([
    ['payer first', [1, 0]],
    // The payer's record of what they paid for stays, without a holder.
    ['companion first', [2, 0]],
  ] as const)('leave nothing behind, and nobody else’s place: %s', async (order, left) => {
    const { studio, ana, boris, dora, id, token } = await openWithHold()
    expect((await boris.call(acceptInvitation, { body: { token } })).status).toBe(201)
    studio.travelTo('Thursday 19:00')
    await studio.logIn(dora)
    await studio.server.workers['complete-classes']({}, 'by hand')
    const people = order === 'payer first' ? [ana, boris] : [boris, ana]
    for (const [i, person] of people.entries()) {
      expect((await dora.call(deleteUser, { params: { id: person.id } })).status).toBe(200)
      expect(await studio.count('select count(*) from bookings where class_id = $1', [id])).toBe(left[i])
      await expectSound(studio)
    }
  })
})
