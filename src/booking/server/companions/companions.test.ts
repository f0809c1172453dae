import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { editUser } from '#accounts/contract.ts'
import { getMemberPage } from '#insights/contract.ts'
import { listPasses } from '#passes/contract.ts'
import { ledgerOf } from '#passes/server/passes.ts'
import { refundPurchase } from '#payments/contract.ts'
import { recordSale } from '#payments/contract-desk.ts'
import { deleteUser } from '#privacy/contract.ts'
import { undoCancellation } from '#schedule/contract.ts'
import { closeDays } from '#schedule/contract-closures.ts'
import { pausePass, previewPause } from '#schedule/contract-pauses.ts'
import { editClassAs, mailSubjectsTo, remove, upcomingOf } from '#schedule/server/classes-under-test.ts'
import { studio as settings } from '#studio.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import {
  blockMember,
  bookClass,
  listAllBookings,
  listBookings,
  markAttendance,
  returnForfeitedCredit,
  undoCancel,
} from '../../contract.ts'
import {
  acceptInvitation,
  addCompanion,
  cancelCompanion,
  confirmHeldPlace,
  declineInvitation,
  listHeldPlaces,
  readInvitation,
  signUpInvited,
} from '../../contract-companions.ts'
import { endRegularBooking, setRegularBooking } from '../../contract-regular.ts'
import { joinWaitingList } from '../../contract-waiting.ts'
import { bookingRefusals, companionRefusals } from '../../refusals.ts'

const companionOf = (person: Person) => ({ firstName: 'Ben', lastName: 'Beck', email: person.email })
const addAs = (person: Person, id: number, companion: Person, more: object = {}) =>
  person.call(addCompanion, { params: { id }, body: { ...companionOf(companion), ...more } })
const bookForTwo = (person: Person, classId: number, companion: Person) =>
  person.call(bookClass, { body: { classId, companion: companionOf(companion) } })
const takenIn = (studio: StudioUnderTest, id: number) =>
  studio.count('select booked_count from classes where id = $1', [id])
const job = (studio: StudioUnderTest) => studio.server.workers['end-holds']({}, 'by hand')
const expectSound = async (studio: StudioUnderTest) =>
  expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
const expectRefusal = (
  response: { status: number; body: unknown },
  { status, message }: { status: number; message: string },
) => expect(response).toMatchObject({ status, body: { message } })

async function tokenFor(studio: StudioUnderTest, person: Person): Promise<string> {
  await studio.mailbox()
  const mails = await studio.mailTo(person)
  const texts = mails.map(({ text }) => /#invitation=([\w.-]+)/.exec(text)?.[1]).filter((found) => found !== undefined)
  return texts.at(-1) ?? 'none'
}

/** Ana has booked a class for two on Thursday at 18:00 with Boris, who has no pass. */
async function openWithHold() {
  const story = await openStudio({ now: 'Monday 09:00' })
  const { studio, ana, boris } = story
  await studio.completeHealth(boris)
  const id = await studio.createClass('Thursday 18:00')
  const response = await bookForTwo(ana, id, boris)
  expect(response.status).toBe(201)
  return { ...story, id, booking: response.body.id, token: await tokenFor(studio, boris) }
}

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
  const { studio } = await openWithHold()
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

describe('a booked companion', () => {
  const openWithTwo = async () => {
    const story = await openWithHold()
    const accepted = await story.boris.call(acceptInvitation, { body: { token: story.token } })
    await story.studio.mailbox()
    return { ...story, second: accepted.body.id as number }
  }

  test('can leave; the credit goes back to the member who paid, who is emailed and keeps the place', async () => {
    const { studio, ana, boris, id, second } = await openWithTwo()
    await boris.cancel(second)
    expect(await studio.creditsOf(ana)).toBe(9)
    expect(await studio.creditsOf(boris)).toBe(0)
    expect(await takenIn(studio, id)).toBe(1)
    expect((await mailSubjectsTo(studio, ana)).at(-1)).toMatch(/^Ben is no longer coming/)
    await expectSound(studio)
  })

  test('keeps the place when the member leaves, and is emailed', async () => {
    const { studio, ana, boris, id, booking } = await openWithTwo()
    await ana.cancel(booking)
    expect((await mailSubjectsTo(studio, boris)).at(-1)).toMatch(/^Ana is no longer coming/)
    await job(studio)
    expect(await upcomingOf(boris)).toMatchObject([{ classId: id }])
    expect(await studio.creditsOf(ana)).toBe(9)
    await expectSound(studio)
  })

  test('keeps the place when the member ends a regular booking, and is emailed', async () => {
    const { studio, ana, boris, id } = await openWithTwo()
    const next = await studio.createClass('2026-12-17 18:00')
    await studio.createClass('2026-12-24 18:00')
    const { body } = await ana.call(setRegularBooking, { body: { classId: next } })
    const [made] = body.booked
    await addAs(ana, made.id, boris)
    await boris.call(acceptInvitation, { body: { token: await tokenFor(studio, boris) } })
    await ana.call(endRegularBooking, { params: { id: body.id }, query: { cancelBookings: 'true' } })
    expect(await upcomingOf(ana)).toMatchObject([{ classId: id }])
    expect(await upcomingOf(boris)).toMatchObject([{ classId: id }, { classId: next }])
    expect((await mailSubjectsTo(studio, boris)).at(-1)).toMatch(/^Ana is no longer coming/)
    await expectSound(studio)
  })

  test('is cancelled by the member who paid, who alone can undo it', async () => {
    const { studio, ana, boris, booking, second } = await openWithTwo()
    expect((await boris.call(cancelCompanion, { params: { id: booking } })).status).toBe(404)
    await ana.call(cancelCompanion, { params: { id: booking } })
    expect(await upcomingOf(boris)).toEqual([])
    expect((await boris.call(undoCancel, { params: { id: second } })).status).toBe(404)
    expect((await ana.call(undoCancel, { params: { id: second } })).status).toBe(200)
    expect(await upcomingOf(boris)).toMatchObject([{ id: second }])
    await ana.call(cancelCompanion, { params: { id: booking } })
    const text = (await studio.mailTo(boris)).at(-1)?.text
    expect(text).toContain('Ana has cancelled your place')
    expect(await studio.creditsOf(ana)).toBe(9)
    await expectSound(studio)
  })

  test('is emailed where the credit is when the studio cancels the class, and so is the member who paid', async () => {
    const { studio, ana, boris, dora, id } = await openWithTwo()
    await remove(dora, id)
    studio.clock.advance({ seconds: 61 })
    await studio.server.workers['email-cancellations']({}, 'by hand')
    const mailTo = async (person: Person) => {
      const mails = (await studio.mailTo(person)).filter(({ subject }) => subject.startsWith('We are sorry'))
      return mails.map(({ text }) => text.replaceAll(/\s+/g, ' '))
    }
    expect(await mailTo(ana)).toEqual([
      expect.stringContaining('Your credits for you and Ben are back. They are valid'),
    ])
    expect(await mailTo(boris)).toEqual([expect.stringContaining('The credit is back on Ana’s pass.')])
    expect((await mailTo(boris))[0]).not.toContain('days')

    const closed = await studio.createClass('Friday 18:00')
    await bookForTwo(ana, closed, boris)
    await boris.call(acceptInvitation, { body: { token: await tokenFor(studio, boris) } })
    const days = { from: '2026-12-11', to: '2026-12-11', reason: 'A burst pipe', notify: true }
    expect((await dora.call(closeDays, { body: days })).status).toBe(201)
    studio.clock.advance({ seconds: 61 })
    await studio.server.workers['email-cancellations']({}, 'by hand')
    expect((await mailTo(ana)).at(-1)).toContain('Your credits are back on your pass.')
    const told = (await mailTo(boris)).at(-1)
    expect(told).toContain('These classes cannot take place. What Ana paid is back on Ana’s pass.')
    expect(told).not.toContain('your pass')
    await expectSound(studio)
  })

  test('and the member are each emailed once when the pass that paid for both is paused', async () => {
    const { studio, ana, boris, dora } = await openWithTwo()
    const [pass] = await ana.read(listPasses)
    const pause = { from: '2026-12-10', to: '2026-12-10', reason: 'Away' }
    await dora.call(pausePass, { params: { id: pass?.id ?? 0 }, body: pause })
    const about = async (person: Person) =>
      (await mailSubjectsTo(studio, person)).filter((subject) => /is cancelled|is no longer coming/.test(subject))
    expect([await about(ana), await about(boris)].map(({ length }) => length)).toEqual([1, 1])
  })

  test('and the member are each emailed once when a pass that paid for one of them is paused or refunded', async () => {
    const { studio, boris, dora } = await openStudio({ now: 'Monday 09:00' })
    await studio.completeHealth(boris)
    const amy = await studio.member('Amy', { health: true, credits: 1 })
    const sold = await studio.createPackage({ name: 'Package', price: '80.00', classCount: 8, validityMonths: 12 })
    const sale = { packageId: sold.id, method: 'cash' as const }
    const { body: purchase } = await dora.call(recordSale, { params: { id: amy.id }, body: sale })
    const [own, second] = (await amy.read(listPasses)).toSorted((a, b) => a.creditsTotal - b.creditsTotal)
    const book = async (at: string) => {
      await bookForTwo(amy, await studio.createClass(at), boris)
      await boris.call(acceptInvitation, { body: { token: await tokenFor(studio, boris) } })
      for (const person of [amy, boris]) seen.set(person, (await mailSubjectsTo(studio, person)).length)
    }
    const seen = new Map<Person, number>()
    const since = async (person: Person) => (await studio.mailTo(person)).slice(seen.get(person))
    const pauseOn = (passId: number | undefined, day: string) =>
      dora.call(pausePass, { params: { id: passId ?? 0 }, body: { from: day, to: day, reason: 'Away' } })

    await book('Thursday 18:00')
    expect((await pauseOn(second?.id, '2026-12-10')).status).toBe(201)
    const [told, ...more] = await since(boris)
    expect([told?.subject, more]).toEqual([expect.stringMatching(/^Your class on .* is cancelled$/), []])
    expect(told?.text).toContain('The pass that paid for it is paused on that day. The credit is back on Amy’s pass.')
    const toAmy = (await since(amy)).map(({ subject }) => subject.replace(/ on .*/, '')).sort()
    expect(toAmy).toEqual(['Ben is no longer coming', 'Your Package is paused'])

    // Amy's own place, which the other pass pays for.
    expect((await pauseOn(own?.id, '2026-12-10')).status).toBe(201)
    expect(await since(boris)).toHaveLength(1)

    await book('Friday 18:00')
    const full = { amount: '80.00', reason: 'A kindness', credits: 7 }
    expect((await dora.call(refundPurchase, { params: { id: purchase.id }, body: full })).status).toBe(200)
    expect(
      (await since(boris)).map(({ text }) => /The pass that paid for it has ended[^.]*\./.exec(text)?.[0]),
    ).toEqual(['The pass that paid for it has ended, and the booking with it.'])
    const about = (await since(amy)).filter(({ subject }) => subject.startsWith('Ben is no longer coming'))
    expect(about.map(({ text }) => text)).toEqual([expect.stringContaining('The pass that paid for it has ended.')])
    await expectSound(studio)
  })

  test('keeps the place when the member who paid is erased, and leaves the credit when erased', async () => {
    const { studio, ana, boris, dora, id } = await openWithTwo()
    const erase = (person: Person) => dora.call(deleteUser, { params: { id: person.id } })
    expect((await erase(ana)).status).toBe(200)
    expect(await upcomingOf(boris)).toMatchObject([{ classId: id, bookedBy: null, hasPassEnded: true }])
    expect(await takenIn(studio, id)).toBe(1)
    expect(await studio.creditsOf(boris)).toBe(0)
    await expectSound(studio)
    const other = await openWithTwo()
    expect((await other.dora.call(deleteUser, { params: { id: other.boris.id } })).status).toBe(200)
    expect(await other.studio.creditsOf(other.ana)).toBe(9)
    await expectSound(other.studio)
  })

  test('keeps the place once the member who paid is erased, without a pass of their own', async () => {
    const { studio, ana, boris, dora, second } = await openWithTwo()
    studio.travelTo('Thursday 19:00')
    await studio.logIn(dora)
    const params = { id: second }
    expect((await dora.call(markAttendance, { params, body: { status: 'no_show' } })).status).toBe(200)
    expect((await dora.call(returnForfeitedCredit, { params, body: { reason: 'Ill' } })).status).toBe(200)
    expect((await dora.call(deleteUser, { params: { id: ana.id } })).status).toBe(200)
    expect(await boris.read(listPasses)).toEqual([])
    expect(await boris.read(listBookings)).toMatchObject([{ id: second, status: 'no_show', bookedBy: null }])
    await expectSound(studio)
  })
})

test('sells the last place once to a companion, a member and the waiting list', async () => {
  const { studio, ana, boris } = await openStudio({ now: 'Monday 09:00' })
  const cleo = await studio.member('Cleo', { health: true, credits: 50 })
  await studio.grantCredits(ana, 50)
  for (let round = 0; round < 10; round++) {
    studio.clock.advance({ hours: 2 })
    const id = await studio.createClass({ at: 'Friday 10:00', title: `Round ${round}` })
    const own = (await ana.book(id)).body.id
    const responses = await Promise.all([addAs(ana, own, boris), cleo.book(id), addAs(ana, own, boris)])
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await takenIn(studio, id)).toBe(2)
    await ana.call(cancelCompanion, { params: { id: own } })
  }
  await expectSound(studio)
})
