import { describe, expect, test } from 'vitest'
import type { StoredMail } from '#messages/server/mailbox-files.ts'
import { deletePass } from '#passes/contract.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { cancelForMember, listUpcomingBookings, moveForMember, rescheduleBooking } from '../../contract.ts'
import { getClassForAdmin, listSessions } from '../../contract-classes.ts'
import { bookingRefusals } from '../../refusals.ts'

const cancelledMails = (mails: StoredMail[]) => mails.filter(({ subject }) => /cancelled/i.test(subject))

test('cancelling more than 120 minutes before the start returns the credit and frees the place', async () => {
  const { studio, ana, boris } = await openStudio({ now: 'Monday 09:00' })
  const reformer = await studio.createClass({ at: 'Monday 18:00', places: 1 })
  const booking = (await ana.book(reformer)).body
  studio.travelTo('Monday 15:59:59')

  expect(await boris.cancel(booking.id)).toBeRefused(bookingRefusals.booking_not_found)
  const { status, body } = await ana.cancel(booking.id)
  expect(status).toBe(200)
  expect(body).toMatchObject({ id: booking.id, status: 'cancelled', paymentStatus: 'refunded' })
  expect(await studio.creditsOf(ana)).toBe(10)
  expect(await studio.count('select booked_count from classes where id = $1', [reformer])).toBe(0)
  const mails = cancelledMails(await studio.mailTo(ana))
  expect(mails).toMatchObject([{ text: expect.stringMatching(/more than 120 minutes before .* credit is back/s) }])
  expect((await ana.request('GET', '/api/bookings/upcoming')).body).toEqual([])
})

test('a late cancellation frees the place and forfeits the credit', async () => {
  const { studio, ana } = await openStudio({ now: 'Monday 09:00' })
  const reformer = await studio.createClass('Monday 18:00')
  const booking = (await ana.book(reformer)).body
  studio.travelTo('Monday 16:00')
  expect((await ana.cancel(booking.id)).body).toMatchObject({
    status: 'cancelled',
    paymentStatus: 'forfeited',
  })
  expect(await studio.creditsOf(ana)).toBe(9)
  expect(await studio.count('select booked_count from classes where id = $1', [reformer])).toBe(0)
  const mails = cancelledMails(await studio.mailTo(ana))
  expect(mails).toMatchObject([{ text: expect.stringMatching(/in the last 120 minutes .* credit has been used/s) }])
})

test('refuses to cancel after the start, or a second time', async () => {
  const { studio, ana } = await openStudio({ now: 'Monday 09:00' })
  const booking = (await ana.book(await studio.createClass('Monday 18:00'))).body
  studio.travelTo('Monday 18:00')
  expect(await ana.cancel(booking.id)).toBeRefused(bookingRefusals.too_late_to_cancel)
  studio.travelTo('Monday 17:59:59')
  expect((await ana.cancel(booking.id)).status).toBe(200)
  expect(await ana.cancel(booking.id)).toBeRefused(bookingRefusals.booking_not_confirmed)
  expect(await studio.creditsOf(ana)).toBe(9)
})

test('ten concurrent cancellations return one credit', async () => {
  const { studio, ana } = await openStudio()
  const booking = (await ana.book(await studio.createClass('Tuesday 18:00'))).body
  const responses = await Promise.all(Array.from({ length: 10 }, () => ana.cancel(booking.id)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await studio.creditsOf(ana)).toBe(10)
})

test('lists own bookings only: upcoming next first, history latest first, same under both paths', async () => {
  const { studio, ana, boris } = await openStudio({ now: 'Monday 09:00' })
  const late = (await ana.book(await studio.createClass('Wednesday 09:30'))).body.id
  const early = (await ana.book(await studio.createClass('Monday 12:00'))).body.id
  const gone = (await ana.book(await studio.createClass('Tuesday 12:00'))).body.id
  await ana.cancel(gone)
  const ids = async (path: string) => (await ana.request('GET', path)).body.map(({ id }: { id: number }) => id)
  expect(await ids('/api/bookings/upcoming')).toEqual([early, late])
  expect(await ids('/api/user/bookings/upcoming')).toEqual([early, late])
  expect(await ids('/api/user/bookings')).toEqual([late, gone, early])
  studio.travelTo('Monday 12:00')
  expect(await ids('/api/bookings/upcoming')).toEqual([late])
  expect((await boris.request('GET', '/api/user/bookings')).body).toEqual([])
})

test('completes bookings of ended classes, and running the job twice is harmless', async () => {
  const { studio, ana, dora } = await openStudio({ now: 'Monday 09:00' })
  await ana.book(await studio.createClass('Monday 12:00'))
  await ana.book(await studio.createClass('Monday 13:00'))
  studio.travelTo('Monday 12:45')
  await studio.server.workers['complete-classes']({}, 'job')
  await studio.server.workers['complete-classes']({}, 'job')
  const statuses = (await dora.request('GET', '/api/admin/bookings')).body.map(
    (booking: { status: string }) => booking.status,
  )
  expect(statuses.sort()).toEqual(['completed', 'confirmed'])
})

describe('a booking whose pass was voided', () => {
  async function bookedWithVoidedPass() {
    const story = await openStudio({ now: 'Monday 09:00' })
    const { studio, boris, dora } = story
    await studio.completeHealth(boris)
    const passId = await studio.grantCredits(boris, 3)
    const classId = await studio.createClass('Tuesday 18:00')
    const booking: number = (await boris.book(classId)).body.id
    await dora.call(deletePass, { params: { id: passId } })
    return { ...story, classId, booking }
  }

  test('frees the place but returns no credit, as shown before and in the email', async () => {
    const { studio, boris, classId, booking } = await bookedWithVoidedPass()
    expect(await boris.read(listUpcomingBookings)).toMatchObject([{ id: booking, hasPassEnded: true }])
    const { body } = await boris.cancel(booking)
    expect(body).toMatchObject({ status: 'cancelled', paymentStatus: 'forfeited' })
    expect(await studio.creditsOf(boris)).toBe(0)
    expect(await boris.book(classId)).toBeRefused(bookingRefusals.no_credits)
    const [mail] = cancelledMails(await studio.mailTo(boris))
    expect(mail?.text).toContain('has ended, so we cannot return the credit')
    expect(mail?.text).not.toContain('credit is back')
  })

  test('returns no credit when the studio cancels the class', async () => {
    const { studio, boris, dora, classId } = await bookedWithVoidedPass()
    const { touches } = await dora.read(getClassForAdmin, { params: { id: classId } })
    expect(touches.one).toMatchObject({ bookings: 1, credits: 0 })
    await dora.request('PUT', `/api/classes/${classId}`, { isActive: false })
    expect(await studio.creditsOf(boris)).toBe(0)
    const [mail] = cancelledMails(await studio.mailTo(boris))
    expect(mail?.text).toContain('has ended, so we cannot return the credit')
  })

  test('cannot be moved, nor cancelled with the credit returned, as the owner’s list knows', async () => {
    const { studio, ana, boris, dora, classId, booking } = await bookedWithVoidedPass()
    await ana.book(classId)
    const [session] = await dora.read(listSessions, { query: { from: '2026-12-08', to: '2026-12-08' } })
    expect(session?.bookings).toMatchObject([{ id: booking, hasPassEnded: true }, { hasPassEnded: false }])
    const other = await studio.createClass('Wednesday 18:00')
    const move = { params: { id: booking }, body: { classId: other } }
    expect(await boris.call(rescheduleBooking, move)).toBeRefused(bookingRefusals.pass_ended)
    expect(await dora.call(moveForMember, move)).toBeRefused(bookingRefusals.pass_ended)
    const cancel = (body: object) => dora.call(cancelForMember, { params: { id: booking }, body })
    expect(await cancel({ returnCredit: true })).toBeRefused(bookingRefusals.pass_voided)
    expect((await cancel({})).body).toMatchObject({ status: 'cancelled', paymentStatus: 'forfeited' })
  })
})
