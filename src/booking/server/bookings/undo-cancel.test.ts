import { describe, expect, test } from 'vitest'
import { accountRefusals } from '#accounts/contract.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { deletePass, listPasses } from '#passes/contract.ts'
import { ledgerOf } from '#passes/server/passes.ts'
import { editClassAs, historyOf, mailSubjectsTo, remove, upcomingOf } from '#schedule/server/classes-under-test.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { blockMember, undoCancel } from '../../contract.ts'
import { listSessions } from '../../contract-classes.ts'
import { joinWaitingList, listWaiting } from '../../contract-waiting.ts'
import { bookingRefusals, undoRefusals } from '../../refusals.ts'

const undoAs = (person: Person, id: number) => person.call(undoCancel, { params: { id } })
const joinAs = (person: Person, id: number) => person.call(joinWaitingList, { params: { id } })
const job = (studio: StudioUnderTest) => studio.server.workers['end-undo']({}, 'by hand')
const heldIn = (studio: StudioUnderTest, id: number) =>
  studio.count('select reserved_places from classes where id = $1', [id])
const queued = (studio: StudioUnderTest) =>
  studio.count("select count(*) from pgboss.job where name = 'mail' and data ->> 'mail' = 'booking-cancelled'")
const expectSound = async (studio: StudioUnderTest) =>
  expect(await brokenInvariants(studio.server.database.pool)).toEqual([])

/** Ana has the only place on Tuesday at 18:00; her confirmation is sent. */
async function openWithBooking(now = 'Monday 09:00') {
  const story = await openStudio({ now })
  const { studio, ana, boris } = story
  await studio.completeHealth(boris)
  await studio.grantCredits(boris, 1)
  const id = await studio.createClass({ at: 'Tuesday 18:00', places: 1 })
  const booking: number = (await ana.book(id)).body.id
  await studio.mailbox()
  return { ...story, id, booking }
}

describe('undoing a cancellation', () => {
  test('restores the booking, its pass and its calendar entry within 12 seconds, and sends nothing', async () => {
    const { studio, ana, id, booking } = await openWithBooking()
    const [before, passes] = [await upcomingOf(ana), await ana.read(listPasses)]
    const identity = async () =>
      (
        await studio.server.database.pool.query('select calendar_uid, calendar_sequence from bookings where id = $1', [
          booking,
        ])
      ).rows[0]
    const entry = await identity()
    await ana.cancel(booking)
    expect(await studio.creditsOf(ana)).toBe(10)
    expect(await upcomingOf(ana)).toEqual([])
    studio.clock.advance({ seconds: 11 })
    await job(studio)
    const response = await undoAs(ana, booking)
    expect(response).toMatchObject({ status: 200, body: { id: booking, status: 'confirmed', paymentStatus: 'paid' } })
    expect(await upcomingOf(ana)).toEqual(before)
    expect(await ana.read(listPasses)).toEqual(passes)
    expect(await identity()).toEqual({ ...entry, calendar_sequence: entry.calendar_sequence + 2 })
    expect(await studio.count('select booked_count from classes where id = $1', [id])).toBe(1)
    studio.clock.advance({ minutes: 5 })
    await Promise.all([job(studio), job(studio)])
    expect(await queued(studio)).toBe(0)
    await expectSound(studio)

    // It can be cancelled again, once for good.
    await ana.cancel(booking)
    studio.clock.advance({ seconds: 12 })
    expect(await undoAs(ana, booking)).toBeRefused(undoRefusals.undo_expired)
    await Promise.all([job(studio), job(studio)])
    await job(studio)
    expect(await queued(studio)).toBe(1)
    expect(await undoAs(ana, booking)).toBeRefused(undoRefusals.undo_expired)
    expect((await mailSubjectsTo(studio, ana)).filter((subject) => /cancelled/.test(subject))).toHaveLength(1)
    expect(await studio.creditsOf(ana)).toBe(10)
    await expectSound(studio)
  })

  test('takes a late cancellation’s credit again, without a second one', async () => {
    const { studio, ana, booking } = await openWithBooking('Tuesday 15:00')
    studio.travelTo('Tuesday 16:30')
    expect((await ana.cancel(booking)).body).toMatchObject({ paymentStatus: 'forfeited' })
    expect((await undoAs(ana, booking)).body).toMatchObject({ status: 'confirmed', paymentStatus: 'paid' })
    expect(await studio.creditsOf(ana)).toBe(9)
    const lines = await ledgerOf(studio.db, ana.id, { limit: 3, namesAdmins: false })
    expect(lines.map(({ kind, credits, reason }) => [kind, credits, reason])).toEqual([
      ['booking', -1, 'The cancellation was undone'],
      ['correction', 1, 'The cancellation was undone'],
      ['forfeit', 0, null],
    ])
    await expectSound(studio)
  })

  test('takes back the days that a returned credit had added to its pass', async () => {
    const { studio, ana, dora, id, booking } = await openWithBooking()
    await studio.server.database.pool.query(
      "update passes set expires_at = '2026-12-09T23:59:59Z' where user_id = $1",
      [ana.id],
    )
    await editClassAs(dora, id, { startTime: '18:30', endTime: '19:15' })
    const [before] = await ana.read(listPasses)
    await ana.cancel(booking)
    expect((await ana.read(listPasses))[0]?.expiresAt).toBe('2026-12-21T23:59:59Z')
    expect((await undoAs(ana, booking)).status).toBe(200)
    expect((await ana.read(listPasses))[0]).toEqual(before)
  })

  test('brings back a booking whose pass had been voided before', async () => {
    const { studio, ana, dora, booking } = await openWithBooking()
    const [pass] = await ana.read(listPasses)
    await dora.call(deletePass, { params: { id: pass?.id ?? 0 } })
    await ana.cancel(booking)
    expect((await undoAs(ana, booking)).body).toMatchObject({ status: 'confirmed', hasPassEnded: true })
    await expectSound(studio)
  })

  test('is refused for another member’s booking, one that is not cancelled, and a visitor', async () => {
    const { studio, ana, boris, booking } = await openWithBooking()
    expect(await undoAs(ana, booking)).toBeRefused(bookingRefusals.booking_not_cancelled)
    await ana.cancel(booking)
    expect(await undoAs(boris, booking)).toBeRefused(bookingRefusals.booking_not_found)
    expect(await undoAs(studio.visitor(), booking)).toBeRefused(commonRefusals.unauthorized)
    expect((await undoAs(ana, booking)).status).toBe(200)
  })

  test('is refused once the credit is spent or its pass has ended', async () => {
    const { studio, boris, dora, id, ana, booking } = await openWithBooking()
    await ana.cancel(booking)
    await studio.endUndo()
    const boriss: number = (await boris.book(id)).body.id
    await boris.cancel(boriss)
    const other: number = (await boris.book(await studio.createClass('Wednesday 10:00'))).body.id
    expect(await undoAs(boris, boriss)).toBeRefused(bookingRefusals.undo_credit_gone)
    await boris.cancel(other)
    const [pass] = await boris.read(listPasses)
    await dora.call(deletePass, { params: { id: pass?.id ?? 0 } })
    expect(await undoAs(boris, boriss)).toBeRefused(bookingRefusals.undo_credit_gone)
    await expectSound(studio)
  })

  test('is refused once the class has started, was changed by the studio, or the member is blocked', async () => {
    const { studio, ana, dora, id, booking } = await openWithBooking()
    await ana.cancel(booking)
    await editClassAs(dora, id, { startTime: '18:30', endTime: '19:15' })
    expect(await undoAs(ana, booking)).toBeRefused(bookingRefusals.undo_class_changed)

    const soon = await studio.createClass('Monday 09:30')
    const late: number = (await ana.book(soon)).body.id
    studio.travelTo('Monday 09:29:55')
    await ana.cancel(late)
    studio.travelTo('Monday 09:30')
    expect(await undoAs(ana, late)).toBeRefused(bookingRefusals.class_started)

    const again: number = (await ana.book(id)).body.id
    await ana.cancel(again)
    const lost = (await remove(dora, id)).body.undo
    expect(lost).toMatchObject({ bookings: 0 })
    expect(await undoAs(ana, again)).toBeRefused(bookingRefusals.undo_class_changed)

    const last: number = (await ana.book(await studio.createClass('Friday 18:00'))).body.id
    await ana.cancel(last)
    await dora.call(blockMember, { params: { id: ana.id }, body: { reason: 'Did not come five times' } })
    expect(await undoAs(ana, last)).toBeRefused(accountRefusals.account_blocked)
    await expectSound(studio)
  })

  test('works once when it is requested twice at the same time', async () => {
    const { studio, ana, booking } = await openWithBooking()
    await ana.cancel(booking)
    const responses = await Promise.all(Array.from({ length: 6 }, () => undoAs(ana, booking)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await studio.creditsOf(ana)).toBe(9)
    await expectSound(studio)
  })

  test('gives the place to one of two when another member books it at the same time', async () => {
    const { studio, ana, boris, id, booking } = await openWithBooking()
    await ana.cancel(booking)
    expect(await heldIn(studio, id)).toBe(0)
    const [undone, booked] = await Promise.all([undoAs(ana, booking), boris.book(id)])
    if (undone.status === 200) expect(booked).toBeRefused(bookingRefusals.class_full)
    else expect(undone).toBeRefused(bookingRefusals.undo_place_taken)
    expect(await studio.count('select booked_count from classes where id = $1', [id])).toBe(1)
    await expectSound(studio)
  })

  test('is refused for a class that the member has booked again, and ends with one cancellation email', async () => {
    const { studio, ana, id, booking } = await openWithBooking()
    await ana.cancel(booking)
    expect((await ana.book(id)).status).toBe(201)
    expect(await undoAs(ana, booking)).toBeRefused(bookingRefusals.already_booked)
    expect((await mailSubjectsTo(studio, ana)).filter((subject) => /cancelled/.test(subject))).toHaveLength(1)
  })
})

describe('a place that members wait for', () => {
  test('is held until Undo has run out, then goes to the waiting list', async () => {
    const { studio, ana, boris, id, booking } = await openWithBooking()
    const carl = await studio.member('Carl', { health: true, credits: 1 })
    await joinAs(boris, id)
    await ana.cancel(booking)
    expect(await heldIn(studio, id)).toBe(1)
    expect(await carl.book(id)).toBeRefused(bookingRefusals.class_full)
    expect(await boris.book(id)).toBeRefused(bookingRefusals.class_full)
    await studio.server.workers['offer-reserved-places']({}, 'by hand')
    expect(await upcomingOf(boris)).toEqual([])

    expect((await undoAs(ana, booking)).status).toBe(200)
    expect(await heldIn(studio, id)).toBe(0)
    expect(await boris.read(listWaiting)).toMatchObject([{ position: 1 }])

    await ana.cancel(booking)
    studio.clock.advance({ seconds: 12 })
    await Promise.all([job(studio), job(studio), studio.server.workers['offer-reserved-places']({}, 'by hand')])
    expect(await upcomingOf(boris)).toMatchObject([{ classId: id }])
    expect(await heldIn(studio, id)).toBe(0)
    expect(await undoAs(ana, booking)).toBeRefused(undoRefusals.undo_expired)
    await expectSound(studio)
  })

  test('is given for one cancellation while the other can still be undone', async () => {
    const { studio, ana, boris } = await openStudio()
    await studio.completeHealth(boris)
    await studio.grantCredits(boris, 1)
    const id = await studio.createClass('Tuesday 18:00')
    const carl = await studio.member('Carl', { health: true, credits: 1 })
    const eve = await studio.member('Eve', { health: true, credits: 1 })
    const [first, second] = [(await ana.book(id)).body.id, (await carl.book(id)).body.id]
    for (const person of [boris, eve]) await joinAs(person, id)
    await ana.cancel(first)
    studio.clock.advance({ seconds: 6 })
    await carl.cancel(second)
    expect(await heldIn(studio, id)).toBe(2)
    studio.clock.advance({ seconds: 6 })
    await job(studio)
    expect(await upcomingOf(boris)).toMatchObject([{ classId: id }])
    expect(await upcomingOf(eve)).toEqual([])
    expect(await heldIn(studio, id)).toBe(1)
    expect((await undoAs(carl, second)).status).toBe(200)
    expect(await heldIn(studio, id)).toBe(0)
    await expectSound(studio)
  })

  test('can be kept by its member who joined the list in the meantime', async () => {
    const { studio, ana, boris, id, booking } = await openWithBooking()
    await joinAs(boris, id)
    await ana.cancel(booking)
    await joinAs(ana, id)
    expect((await undoAs(ana, booking)).status).toBe(200)
    expect(await ana.read(listWaiting)).toEqual([])
    await expectSound(studio)
  })

  test('goes to the waiting list, and is announced to the member, when the account is deleted first', async () => {
    const { studio, ana, boris, dora, id, booking } = await openWithBooking()
    await joinAs(boris, id)
    await ana.cancel(booking)
    expect((await dora.request('DELETE', `/api/admin/users/${ana.id}`)).status).toBe(200)
    expect(await upcomingOf(boris)).toMatchObject([{ classId: id }])
    await job(studio)
    const mails = await studio.mailTo(ana)
    expect(
      mails.flatMap(({ attachments }) => attachments).filter(({ filename }) => filename.endsWith('.ics')),
    ).toHaveLength(2)
    await expectSound(studio)
  })
})

test('the day’s list shows a booking as cancelled while that can be undone', async () => {
  const { studio, ana, dora, booking } = await openWithBooking()
  await ana.cancel(booking)
  const query = { from: '2026-12-08', to: '2026-12-08' }
  const shown = async () => (await dora.read(listSessions, { query }))[0]?.bookings.map(({ status }) => status)
  expect(await shown()).toEqual(['cancelled'])
  await studio.endUndo()
  expect(await shown()).toEqual([])
})

test('a confirmation that waits while the booking is cancelled and brought back is still sent', async () => {
  const { studio, ana } = await openStudio()
  const booking: number = (await ana.book(await studio.createClass('Tuesday 18:00'))).body.id
  await ana.cancel(booking)
  await studio.runQueue('mail')
  await undoAs(ana, booking)
  expect((await mailSubjectsTo(studio, ana)).filter((subject) => /booked|confirmed/i.test(subject))).toHaveLength(1)
  expect(await historyOf(ana)).toMatchObject([{ status: 'confirmed' }])
})

test('the database keeps one saved cancellation for a booking, with an outcome that its email knows', async () => {
  const { studio, ana, booking } = await openWithBooking()
  await ana.cancel(booking)
  const { pool } = studio.server.database
  const copy = `insert into undoable_cancellations select * from undoable_cancellations where booking_id = $1`
  await expect(pool.query(copy, [booking])).rejects.toMatchObject({ code: '23505' })
  for (const column of ['outcome', 'reason']) {
    const change = `update undoable_cancellations set ${column} = 'perhaps' where booking_id = $1`
    await expect(pool.query(change, [booking])).rejects.toMatchObject({ code: '23514' })
  }
})
