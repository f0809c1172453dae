import { describe, expect, test } from 'vitest'
import { cancelForMember, listUpcomingBookings, markAttendance, rescheduleBooking } from '#booking/contract.ts'
import { bookingRefusals } from '#booking/refusals.ts'
import { listCredits } from '#passes/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { editClassAs, mailsOf, moveMails, openStudioWithBooking } from './classes-under-test.ts'

const upcomingOf = (person: Person) => person.read(listUpcomingBookings)
const passesOf = async (person: Person) => (await person.request('GET', '/api/user/passes')).body
const remind = (studio: StudioUnderTest) => studio.server.workers['remind-members']({}, 'job')

describe('a member who booked a class that the studio moves', () => {
  test('gets one email with old time, new time, a calendar file and how to cancel', async () => {
    const { studio, ana, boris, dora, id } = await openStudioWithBooking()
    await editClassAs(dora, id, { date: '2026-12-10', startTime: '15:00', endTime: '15:45' })
    const [mail, ...more] = await mailsOf(studio, ana, /moved/)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('Your class on Tuesday 8 December at 18:00 has moved to Thursday 10 December at 15:00')
    expect(mail?.text).toContain('Tuesday 8 December 2026, 18:00 to 18:45')
    expect(mail?.text).toContain('Thursday 10 December 2026, 15:00 to 15:45')
    expect(mail?.text).toContain('/dashboard')
    expect(mail?.attachments[0]?.content).toContain('DTSTART:20261210T150000Z')
    expect(mail?.attachments[0]?.content).toContain('SEQUENCE:1')
    expect(await moveMails(studio, boris)).toEqual([])
    const { body: record } = await dora.request('GET', `/api/admin/audit?subject=class:${id}&limit=1`)
    expect(record[0].changes).toMatchObject({ peopleNotified: { after: 1 }, startTime: { after: '15:00' } })
  })

  test.each([
    ['its end', { endTime: '19:00' }, 1],
    ['its start', { startTime: '17:45' }, 1],
    ['its date', { date: '2026-12-09' }, 1],
    ['its title', { title: 'Gentle' }, 0],
    ['the same values', { date: '2026-12-08', startTime: '18:00', endTime: '18:45', title: 'Reformer' }, 0],
  ])('gets as many emails after a change of %s as concern them', async (_what, edit, times) => {
    const { studio, ana, dora, id } = await openStudioWithBooking()
    await editClassAs(dora, id, edit)
    expect(await moveMails(studio, ana)).toHaveLength(times)
    expect((await upcomingOf(ana))[0]?.movedFrom === null).toBe(times === 0)
  })

  test('is emailed about every move with its previous time, also when moved back', async () => {
    const { studio, ana, dora, id } = await openStudioWithBooking()
    await editClassAs(dora, id, { startTime: '19:00', endTime: '19:45' })
    await editClassAs(dora, id, { startTime: '19:00', endTime: '19:45' })
    studio.clock.advance({ minutes: 1 })
    await editClassAs(dora, id, { startTime: '18:00', endTime: '18:45' })
    const mails = await mailsOf(studio, ana, /moved/)
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Your class on Tuesday 8 December at 18:00 has moved to Tuesday 8 December at 19:00',
      'Your class on Tuesday 8 December at 19:00 has moved to Tuesday 8 December at 18:00',
    ])
    // The first email was still queued when the class moved back, so it mentions the move back; the second does not.
    expect(mails.map(({ text }) => text.includes('Something has changed since we wrote this email'))).toEqual([
      true,
      false,
    ])
    expect(mails[1]?.text).toContain('We moved this class and your booking at 09:01 on Monday 7 December')
  })

  test('is emailed once for each class of a series', async () => {
    const { studio, ana, dora } = await openStudio()
    const [first = 0, second = 0, inactive = 0] = await Promise.all(
      ['2026-12-08 18:00', '2026-12-15 18:00', '2026-12-22 18:00'].map((at) => studio.createClass(at)),
    )
    await ana.book(first)
    await ana.book(second)
    await editClassAs(dora, inactive, { isActive: false })
    await editClassAs(dora, first, { date: '2026-12-09', applyToRecurring: true })
    expect((await moveMails(studio, ana)).sort()).toEqual([
      'Your class on Tuesday 15 December at 18:00 has moved to Wednesday 16 December at 18:00',
      'Your class on Tuesday 8 December at 18:00 has moved to Wednesday 9 December at 18:00',
    ])
    expect((await upcomingOf(ana)).map(({ movedFrom }) => movedFrom?.date)).toEqual(['2026-12-08', '2026-12-15'])
  })

  test('gets the credit back when cancelling before the new start, even within 120 minutes', async () => {
    const { studio, ana, dora, id, booking } = await openStudioWithBooking()
    await editClassAs(dora, id, { date: '2026-12-09' })
    studio.travelTo('Wednesday 17:59:59')
    expect((await ana.cancel(booking)).body).toMatchObject({ status: 'cancelled', paymentStatus: 'refunded' })
    expect(await studio.creditsOf(ana)).toBe(10)
    expect((await ana.read(listCredits))[0]).toMatchObject({
      kind: 'return',
      reason: 'The studio had moved the class',
    })
    const [mail] = await mailsOf(studio, ana, /is cancelled$/)
    expect(mail?.text).toContain('We had moved this class, so the credit is not lost')
  })

  test('gets it back even if the class was moved within its last 120 minutes; cancelling is refused after the new start', async () => {
    const { studio, ana, dora, id, booking } = await openStudioWithBooking()
    studio.travelTo('Tuesday 17:30')
    await editClassAs(dora, id, { startTime: '18:30', endTime: '19:15' })
    studio.travelTo('Tuesday 18:30')
    expect(await ana.cancel(booking)).toBeRefused(bookingRefusals.too_late_to_cancel)
    studio.travelTo('Tuesday 18:29')
    expect((await dora.call(cancelForMember, { params: { id: booking }, body: {} })).body).toMatchObject({
      paymentStatus: 'refunded',
    })
  })

  test('can choose another class until the new start, with the usual 120 minutes there', async () => {
    const { studio, ana, dora, id, booking } = await openStudioWithBooking()
    await editClassAs(dora, id, { date: '2026-12-09' })
    const other = await studio.createClass('Wednesday 19:00')
    studio.travelTo('Wednesday 17:30')
    const { status, body } = await ana.call(rescheduleBooking, { params: { id: booking }, body: { classId: other } })
    expect([status, body.movedFrom]).toEqual([201, null])
    expect(await studio.creditsOf(ana)).toBe(9)
    expect((await ana.cancel(body.id)).body.paymentStatus).toBe('forfeited')
  })

  test('has the usual 120 minutes if they book after the move', async () => {
    const { studio, boris, dora, id } = await openStudioWithBooking()
    await studio.completeHealth(boris)
    await studio.grantCredits(boris, 1)
    await editClassAs(dora, id, { date: '2026-12-09' })
    const later = (await boris.book(id)).body
    expect(later.movedFrom).toBeNull()
    studio.travelTo('Wednesday 17:00')
    expect((await boris.cancel(later.id)).body.paymentStatus).toBe('forfeited')
    expect(await moveMails(studio, boris)).toEqual([])
  })

  test('keeps a booking after the pass expires; a returned credit extends it to 14 days', async () => {
    const { studio, boris, dora } = await openStudio()
    await studio.completeHealth(boris)
    await studio.grantCredits(boris, 1, 1)
    const id = await studio.createClass('2027-01-05 18:00')
    const booking = (await boris.book(id)).body.id
    await editClassAs(dora, id, { date: '2027-02-02' })
    expect(await upcomingOf(boris)).toHaveLength(1)
    // The pass has expired and is written off.
    studio.travelTo('2027-01-20 09:00')
    await studio.logIn(boris)
    await studio.server.workers['expire-passes']({}, 'job')
    expect((await boris.cancel(booking)).body.paymentStatus).toBe('refunded')
    expect(await passesOf(boris)).toMatchObject([{ creditsRemaining: 1, expiresAt: '2027-02-03T23:59:59Z' }])
    expect((await boris.book(await studio.createClass('2027-02-03 10:00'))).status).toBe(201)
  })

  test('is reminded of the new time; a pending reminder of the old one is never sent', async () => {
    const { studio, ana, dora, id } = await openStudioWithBooking()
    studio.travelTo('Monday 18:00')
    await remind(studio)
    await editClassAs(dora, id, { date: '2026-12-10' })
    const reminders = async () => (await mailsOf(studio, ana, /^See you/)).map(({ subject }) => subject)
    expect(await reminders()).toEqual([])
    studio.travelTo('Wednesday 18:00')
    await remind(studio)
    await remind(studio)
    expect(await reminders()).toEqual(['See you on Thursday 10 December at 18:00'])
    const [mail] = await mailsOf(studio, ana, /^See you/)
    expect(mail?.text).toContain('If you cancel before the class starts, you get your credit back')
  })

  test('gets no extra reminder if the class moves within the 24 hours', async () => {
    const { studio, ana, dora, id } = await openStudioWithBooking()
    studio.travelTo('Tuesday 09:00')
    await editClassAs(dora, id, { startTime: '19:00', endTime: '19:45' })
    await remind(studio)
    expect(await mailsOf(studio, ana, /^See you/)).toEqual([])
  })
})

test('refuses to move a class with marked attendance into the future', async () => {
  const { studio, ana, dora, id, booking } = await openStudioWithBooking()
  studio.travelTo('Tuesday 18:01')
  for (const status of ['completed', 'no_show']) {
    await dora.call(markAttendance, { params: { id: booking }, body: { status } })
    expect(await editClassAs(dora, id, { date: '2026-12-10' })).toBeRefused(bookingRefusals.attendance_marked)
    expect(await editClassAs(dora, id, { endTime: '19:00' })).toMatchObject({ status: 200 })
  }
  expect(await editClassAs(dora, id, { date: '2026-12-07' })).toMatchObject({ status: 200, body: { bookedCount: 1 } })
  expect(await upcomingOf(ana)).toEqual([])
  expect(await moveMails(studio, ana)).toEqual([])
})
