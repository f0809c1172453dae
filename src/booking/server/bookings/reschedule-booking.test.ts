import { expect, test } from 'vitest'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { rescheduleBooking } from '../../contract.ts'
import { bookingRefusals } from '../../refusals.ts'

const moveAs = (person: Person, id: number, classId: number) =>
  person.call(rescheduleBooking, { params: { id }, body: { classId } })
const upcoming = async (person: Person) =>
  (await person.request('GET', '/api/bookings/upcoming')).body.map((booking: { classId: number }) => booking.classId)

test('moves a booking to another class: same credit, old place free, one email with the new time', async () => {
  const { studio, ana, boris } = await openStudio()
  const [tuesday, friday] = [await studio.createClass('Tuesday 18:00'), await studio.createClass('Friday 10:00')]
  const booking = (await ana.book(tuesday)).body

  expect(await moveAs(boris, booking.id, friday)).toBeRefused(bookingRefusals.booking_not_found)
  const { status, body } = await moveAs(ana, booking.id, friday)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    classId: friday,
    status: 'confirmed',
    class: { date: '2026-12-11', startTime: '10:00' },
  })
  expect(await upcoming(ana)).toEqual([friday])
  expect(await studio.creditsOf(ana)).toBe(9)
  expect(await studio.count('select booked_count from classes where id = $1', [tuesday])).toBe(0)
  const moved = (await studio.mailTo(ana)).filter(({ subject }) =>
    /has moved to Friday 11 December at 10:00/.test(subject),
  )
  expect(moved).toHaveLength(1)
  expect(moved[0]?.attachments).toHaveLength(1)
  expect(moved[0]?.text).toContain('To get your credit back, cancel before')
  expect(await moveAs(ana, booking.id, tuesday)).toBeRefused(bookingRefusals.booking_not_confirmed)
  await moveAs(ana, body.id, await studio.createClass('Monday 10:30'))
  expect((await studio.mailTo(ana)).at(-1)?.text).toContain('you will not get the credit back if you cancel')
})

test('a refused move leaves booking, place and credit unchanged', async () => {
  const { studio, ana } = await openStudio({ now: 'Monday 09:00' })
  const carl = await studio.member('Carl', { health: true, credits: 1 })
  const [old, full] = [
    await studio.createClass('Tuesday 18:00'),
    await studio.createClass({ at: 'Friday 10:00', places: 1 }),
  ]
  const [started, off] = [
    await studio.createClass('Monday 09:00'),
    await studio.createClass({ at: 'Friday 11:00', isActive: false }),
  ]
  await carl.book(full)
  const booking = (await ana.book(old)).body
  const lines = await studio.count('select count(*) from credit_ledger')

  expect(await moveAs(ana, booking.id, full)).toBeRefused(bookingRefusals.class_full)
  expect(await moveAs(ana, booking.id, started)).toBeRefused(bookingRefusals.class_started)
  expect(await moveAs(ana, booking.id, off)).toBeRefused(bookingRefusals.class_inactive)
  expect(await moveAs(ana, booking.id, old)).toBeRefused(bookingRefusals.already_booked)
  expect(await moveAs(ana, booking.id, 999_999)).toBeRefused(timetableRefusals.class_not_found)
  expect(await upcoming(ana)).toEqual([old])
  expect(await studio.count('select count(*) from credit_ledger')).toBe(lines)
  expect(await studio.count('select booked_count from classes where id = $1', [old])).toBe(1)
})

test('is too late exactly 120 minutes before the start, not a second earlier', async () => {
  const { studio, ana } = await openStudio({ now: 'Monday 09:00' })
  const [old, next] = [await studio.createClass('Monday 18:00'), await studio.createClass('Friday 10:00')]
  const booking = (await ana.book(old)).body
  studio.travelTo('Monday 18:00')
  expect(await moveAs(ana, booking.id, next)).toBeRefused(bookingRefusals.too_late_to_cancel)
  studio.travelTo('Monday 16:00')
  expect(await moveAs(ana, booking.id, next)).toBeRefused(bookingRefusals.too_late_to_move)
  studio.travelTo('Monday 15:59:59')
  expect((await moveAs(ana, booking.id, next)).status).toBe(201)
})

test('moves with the last credit, but not to a class after the pass expires', async () => {
  const { studio } = await openStudio()
  const lena = await studio.member('Lena', { health: true })
  await studio.grantCredits(lena, 1, 1)
  const booking = (await lena.book(await studio.createClass('Tuesday 18:00'))).body
  expect(await moveAs(lena, booking.id, await studio.createClass('2027-01-20 10:00'))).toBeRefused(
    bookingRefusals.pass_expires_before_class,
  )
  expect((await moveAs(lena, booking.id, await studio.createClass('Friday 10:00'))).status).toBe(201)
  expect(await studio.creditsOf(lena)).toBe(0)
})

test('two members swapping classes concurrently both keep exactly one place', async () => {
  const { studio, ana } = await openStudio()
  const carl = await studio.member('Carl', { health: true, credits: 1 })
  const [tuesday, friday] = [await studio.createClass('Tuesday 18:00'), await studio.createClass('Friday 10:00')]
  const [hers, his] = [(await ana.book(tuesday)).body, (await carl.book(friday)).body]
  await Promise.all([
    ...Array.from({ length: 5 }, () => moveAs(ana, hers.id, friday)),
    ...Array.from({ length: 5 }, () => moveAs(carl, his.id, tuesday)),
  ])
  expect(await upcoming(ana)).toEqual([friday])
  expect(await upcoming(carl)).toEqual([tuesday])
  expect(await studio.count("select count(*) from bookings where status = 'confirmed'")).toBe(2)
})
