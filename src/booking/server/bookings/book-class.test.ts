import { describe, expect, test } from 'vitest'
import { editClass } from '#schedule/contract.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { bookingCalendar } from '../../contract.ts'
import { bookingRefusals } from '../../refusals.ts'

test('booking takes a place and a credit, and sends a confirmation with a calendar file', async () => {
  const { studio, ana } = await openStudio()
  const reformer = await studio.createClass('Tuesday 18:00')
  const { status, body } = await ana.book(reformer)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    userId: ana.id,
    classId: reformer,
    status: 'confirmed',
    paymentStatus: 'paid',
    participantCount: 1,
    participants: 1,
    totalAmount: '50.00',
    bookedAt: '2026-12-07T09:00:00Z',
    class: { title: 'Reformer', date: '2026-12-08', startTime: '18:00', endTime: '18:45' },
    user: { firstName: 'Ana', lastName: 'Cast' },
  })
  expect(await studio.creditsOf(ana)).toBe(9)
  const listed = await ana.request('GET', '/api/classes?from=2026-12-08&to=2026-12-08')
  expect(listed.body).toMatchObject([{ id: reformer, bookedCount: 1, availableSpots: 1 }])
  const mails = await studio.mailTo(ana)
  const confirmation = mails.find((mail) => mail.attachments.length > 0)
  expect(confirmation?.text).toContain('18:00')
  expect(await studio.mailTo({ email: 'boris@people.example' })).toHaveLength(1)
})

test('the confirmation states what cancelling costs: from exactly 120 minutes before the start the credit', async () => {
  const { studio, ana } = await openStudio()
  const noticeFor = async (at: string) => {
    const starts = await studio.createClass(at)
    expect((await ana.book(starts)).status).toBe(201)
    return (await studio.mailTo(ana)).at(-1)?.text
  }
  studio.travelTo('Monday 15:59:59')
  expect(await noticeFor('Monday 18:00')).toContain('To get your credit back, cancel before')
  studio.travelTo('Monday 16:00')
  expect(await noticeFor('Monday 18:00')).toContain('you will not get the credit back if you cancel')
})

test('a confirmed booking can be downloaded as a calendar file by its member only', async () => {
  const { studio, ana, boris } = await openStudio()
  const { id } = (await ana.book(await studio.createClass('Tuesday 18:00'))).body
  const file = await ana.call(bookingCalendar, { params: { id } })
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(file.body).toContain('STATUS:CONFIRMED')
  expect(file.body).toContain('DTSTART:20261208T180000Z')
  expect(await boris.call(bookingCalendar, { params: { id } })).toBeRefused(bookingRefusals.booking_not_found)
  await ana.cancel(id)
  expect(await ana.call(bookingCalendar, { params: { id } })).toBeRefused(bookingRefusals.booking_not_confirmed)
})

describe('refusals', () => {
  test('are checked in the documented order', async () => {
    const { studio, ana, boris, dora } = await openStudio({ now: 'Monday 09:00' })
    const carl = await studio.member('Carl', { health: true, credits: 5 })
    const dave = await studio.member('Dave', { health: true, credits: 5 })
    const full = await studio.createClass({ at: 'Tuesday 09:30', places: 1 })
    expect((await carl.book(full)).status).toBe(201)

    const worst = { userId: ana.id, participantCount: 2, usePass: false }
    expect(await boris.book(999_999, worst)).toBeRefused(timetableRefusals.class_not_found)
    expect(await boris.book(full, worst)).toBeRefused(bookingRefusals.booking_for_another_member)
    expect(await carl.book(full, { participantCount: 2 })).toBeRefused(bookingRefusals.one_participant_only)
    expect(await carl.book(full, { usePass: false })).toBeRefused(bookingRefusals.already_booked)

    studio.travelTo('Tuesday 09:30')
    expect(await carl.book(full)).toBeRefused(bookingRefusals.already_booked)
    expect(await boris.book(full, { usePass: false })).toBeRefused(bookingRefusals.class_started)
    studio.travelTo('Monday 09:00')

    const hidden = await studio.createClass({ at: 'Tuesday 12:00', places: 1 })
    await carl.book(hidden)
    await carl.cancel((await carl.book(hidden)).body.id ?? 0)
    await dora.call(editClass, { params: { id: hidden }, body: { isActive: false } })
    expect(await boris.book(hidden, { usePass: false })).toBeRefused(bookingRefusals.class_inactive)

    expect(await boris.book(full, { usePass: false })).toBeRefused(bookingRefusals.class_full)
    const free = await studio.createClass('Tuesday 13:00')
    expect(await boris.book(free)).toBeRefused(bookingRefusals.no_class_pass)
    expect(await boris.book(free, { usePass: false })).toBeRefused(bookingRefusals.no_class_pass)
    await studio.grantCredits(boris, 1)
    expect(await boris.book(free, { usePass: false })).toBeRefused(bookingRefusals.class_pass_required)
    expect(await boris.book(free)).toBeRefused(bookingRefusals.health_information_missing)
    await studio.completeHealth(boris)
    expect((await boris.book(free)).status).toBe(201)
    expect(await boris.book(await studio.createClass('Tuesday 15:00'))).toBeRefused(bookingRefusals.no_credits)
    const farAhead = await studio.createClass('2027-12-20 09:30')
    expect(await dave.book(farAhead)).toBeRefused(bookingRefusals.pass_expires_before_class)
  })

  test('a refused booking changes nothing', async () => {
    const { studio, ana, boris } = await openStudio()
    const reformer = await studio.createClass('Tuesday 18:00')
    const before = await studio.count('select count(*) from credit_ledger')
    await boris.book(reformer)
    await ana.book(reformer, { usePass: false })
    await ana.book(reformer, { participantCount: 2 })
    expect(await studio.count('select count(*) from bookings')).toBe(0)
    expect(await studio.count('select count(*) from credit_ledger')).toBe(before)
    expect(await studio.count('select booked_count from classes where id = $1', [reformer])).toBe(0)
  })

  test('a class counts as started at its start, not a second before', async () => {
    const { studio, ana } = await openStudio()
    const reformer = await studio.createClass('Monday 18:00')
    studio.travelTo('Monday 18:00')
    expect(await ana.book(reformer)).toBeRefused(bookingRefusals.class_started)
    studio.travelTo('Monday 17:59:59')
    expect((await ana.book(reformer)).status).toBe(201)
  })
})

test('the first pass to expire pays', async () => {
  const { studio, ana } = await openStudio()
  const soon = await studio.grantCredits(ana, 1, 1)
  await ana.book(await studio.createClass('Tuesday 18:00'))
  const { body } = await ana.request('GET', '/api/user/passes')
  expect(
    body.map((pass: { id: number; creditsRemaining: number }) => [pass.id === soon, pass.creditsRemaining]),
  ).toEqual([
    [true, 0],
    [false, 10],
  ])
})

test("an admin can book for a member, with the member's credit and email", async () => {
  const { studio, ana, dora } = await openStudio()
  const reformer = await studio.createClass('Tuesday 18:00')
  const { status, body } = await dora.book(reformer, { userId: ana.id })
  expect(status).toBe(201)
  expect(body.userId).toBe(ana.id)
  expect(await studio.creditsOf(ana)).toBe(9)
  expect((await studio.mailTo(ana)).some((mail) => mail.attachments.length > 0)).toBe(true)
  const recordOf = async () => (await dora.request('GET', `/api/admin/audit?subject=user:${ana.id}`)).body
  expect(await recordOf()).toMatchObject([
    { action: 'booked_for', changes: { class: { after: 'Reformer, 08/12/2026 18:00' } } },
  ])
  const other = await studio.createClass('Wednesday 18:00')
  // Naming oneself is an ordinary booking, without an audit line.
  expect((await ana.book(other, { userId: ana.id })).status).toBe(201)
  expect(await recordOf()).toHaveLength(1)
  expect(await dora.book(other, { userId: 'nobody' })).toBeRefused(bookingRefusals.user_not_found)
})

test('a member can book a class again after cancelling', async () => {
  const { studio, ana } = await openStudio()
  const reformer = await studio.createClass('Tuesday 18:00')
  const first = await ana.book(reformer)
  await ana.cancel(first.body.id)
  expect((await ana.book(reformer)).status).toBe(201)
  expect(await studio.creditsOf(ana)).toBe(9)
})
