import { describe, expect, test } from 'vitest'
import { accountRefusals } from '#accounts/contract.ts'
import { studioDate } from '#foundation/instants.ts'
import { editClass } from '#schedule/contract.ts'
import { extendSeries } from '#schedule/contract-bulk.ts'
import { closeDays, openDays } from '#schedule/contract-closures.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { listClasses, timetableRefusals } from '#timetable/contract.ts'
import { blockMember, listUpcomingBookings, rescheduleBooking, undoCancel } from '../../contract.ts'
import {
  endRegularBooking,
  endRegularBookingFor,
  listRegularBookings,
  listRegularBookingsOf,
  listRegularHolders,
  regularRefusals,
  setRegularBooking,
  setRegularBookingFor,
  skipRegularDate,
} from '../../contract-regular.ts'
import { leaveWaitingList, listWaiting } from '../../contract-waiting.ts'
import { bookingRefusals } from '../../refusals.ts'

/** Creates a weekly series as the owner does, and returns its classes' ids by date. */
async function weekly(dora: Person, date: string, until: string, more: object = {}) {
  const repeat = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: until }
  const title = `Series of ${date}`
  const form = { title, date, startTime: '08:00', endTime: '08:45', maxParticipants: 2, ...repeat, ...more }
  const { status } = await dora.request('POST', '/api/classes', form)
  if (status !== 201) throw new Error(`no series: ${status}`)
  const all = await dora.read(listClasses)
  const byDate = new Map(all.filter((one) => one.title === title).map((one) => [one.date, one.id]))
  return (day: string) => byDate.get(day) ?? 0
}

const set = (person: Person, classId: number) => person.call(setRegularBooking, { body: { classId } })
const mine = (person: Person) => person.read(listRegularBookings)
const skip = (person: Person, id: number, classId: number) =>
  person.call(skipRegularDate, { params: { id }, body: { classId } })
const end = (person: Person, id: number, cancelBookings: boolean) =>
  person.call(endRegularBooking, { params: { id }, query: { cancelBookings: String(cancelBookings) } })
const bookedDates = async (person: Person) => (await person.read(listUpcomingBookings)).map((one) => one.class.date)
const codesOf = (notBooked: { date: string; code: string }[]) => notBooked.map(({ date, code }) => `${date} ${code}`)
const night = async (studio: StudioUnderTest) => studio.server.workers['book-for-regulars']({}, '', undefined as never)
/** The night job of the day after `now`, which is the first that may use new and returned credits. */
async function nextNight(studio: StudioUnderTest) {
  const tomorrow = studioDate(studio.clock.now()).add({ days: 1 })
  studio.travelTo(`${tomorrow} 00:20`)
  await night(studio)
}
const morning = async (studio: StudioUnderTest) => studio.server.workers['email-regulars']({}, '', undefined as never)
const mailsAbout = async (studio: StudioUnderTest, person: Person, words: string) =>
  (await studio.mailTo(person)).filter(({ subject }) => subject.includes(words))
const expectConsistent = async (studio: StudioUnderTest) =>
  expect(await brokenInvariants(studio.server.database.pool)).toEqual([])

const FRIDAYS = ['2026-12-11', '2026-12-18', '2026-12-25', '2027-01-01', '2027-01-08', '2027-01-15']
const AND_THEN = ['2027-01-22', '2027-01-29', '2027-02-05', '2027-02-12', '2027-02-19', '2027-02-26']

test('books the class and the later ones, 12 weeks ahead, as far as credits are valid', async () => {
  const { studio, ana, dora } = await openStudio()
  const on = await weekly(dora, '2026-12-04', '2027-04-30')
  const made = await set(ana, on('2026-12-11'))
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ day: 'Friday', startTime: '08:00', bookedUntil: '2027-02-12' })
  expect(made.body.booked.map((one: { class: { date: string } }) => one.class.date)).toEqual([
    ...FRIDAYS,
    ...AND_THEN.slice(0, 4),
  ])
  expect(codesOf(made.body.notBooked)).toEqual(['2027-02-19 no_credit', '2027-02-26 no_credit'])
  expect(await studio.creditsOf(ana)).toBe(0)
  const [mail, ...more] = await mailsAbout(studio, ana, 'You are booked every Friday at 08:00')
  expect(more).toEqual([])
  expect(mail?.text).toMatch(/Friday 11 December.*Friday 19 February\s+No credit that is valid on that day/s)
  expect(mail?.text).toContain('cover these bookings too')

  // A new credit is the member's own until the night. Then the next date in order is booked.
  await studio.grantCredits(ana, 1)
  await night(studio)
  expect((await bookedDates(ana)).at(-1)).toBe('2027-02-12')
  expect((await mine(ana))[0]?.dates.at(-2)).toMatchObject({ date: '2027-02-19', bookingId: null, code: 'tonight' })
  await nextNight(studio)
  await night(studio)
  expect((await bookedDates(ana)).at(-1)).toBe('2027-02-19')
  expect((await mine(ana))[0]?.dates.at(-1)).toMatchObject({ date: '2027-02-26', bookingId: null, code: 'no_credit' })
  await expectConsistent(studio)
})

test.each([
  ['spring', '2027-03-08', ['2027-03-26', '2027-04-02'], ['2027-03-26T08:00:00Z', '2027-04-02T07:00:00Z']],
  ['autumn', '2027-10-11', ['2027-10-29', '2027-11-05'], ['2027-10-29T07:00:00Z', '2027-11-05T08:00:00Z']],
])('keeps 08:00 when the clocks change in %s', async (_, today, dates, starts) => {
  const { ana, dora } = await openStudio({ now: `${today} 09:00` })
  const on = await weekly(dora, dates[0] as string, '2027-12-31')
  const { body } = await set(ana, on(dates[0] as string))
  const booked: { class: { date: string; startTime: string; startsAt: string } }[] = body.booked.slice(0, 2)
  expect(booked.map((one) => one.class.date)).toEqual(dates)
  expect(booked.map((one) => one.class.startTime)).toEqual(['08:00', '08:00'])
  expect(booked.map((one) => one.class.startsAt)).toEqual(starts)
})

test('pays each date with a pass that is valid on it', async () => {
  const { studio, dora } = await openStudio()
  const eva = await studio.member('Eva', { health: true })
  const on = await weekly(dora, '2026-12-11', '2027-03-05')
  // Its last day, 7 January, is between two Fridays.
  await studio.grantCredits(eva, 6, 1)
  const { body } = await set(eva, on('2026-12-11'))
  expect(await bookedDates(eva)).toEqual(FRIDAYS.slice(0, 4))
  expect(codesOf(body.notBooked)[0]).toBe('2027-01-08 no_credit')
  await studio.grantCredits(eva, 1, 12)
  await nextNight(studio)
  expect(await bookedDates(eva)).toEqual(FRIDAYS.slice(0, 5))
})

test('refuses in words what cannot be set up, and leaves nothing behind', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const on = await weekly(dora, '2026-12-11', '2027-01-29')
  const once = await studio.createClass('Saturday 10:00')
  const eva = await studio.member('Eva', { health: true })
  expect(await set(ana, 2147483647)).toBeRefused(timetableRefusals.class_not_found)
  expect(await set(ana, once)).toBeRefused(regularRefusals.class_not_weekly)
  expect(await set(boris, on('2026-12-11'))).toBeRefused(bookingRefusals.health_information_missing)
  expect(await set(eva, on('2026-12-11'))).toBeRefused(bookingRefusals.no_class_pass)
  const { body } = await set(ana, on('2026-12-18'))
  expect(await set(ana, on('2026-12-11'))).toBeRefused(regularRefusals.regular_booking_exists)
  await dora.call(blockMember, { params: { id: eva.id }, body: { reason: 'Did not come' } })
  expect(await set(eva, on('2026-12-11'))).toBeRefused(accountRefusals.account_blocked)
  studio.travelTo('2026-12-11 09:00')
  expect(await set(eva, on('2026-12-11'))).toBeRefused(accountRefusals.account_blocked)
  await studio.grantCredits(dora, 3)
  await studio.completeHealth(dora)
  expect(await set(dora, on('2026-12-11'))).toBeRefused(bookingRefusals.class_started)

  expect(await skip(boris, body.id, on('2026-12-18'))).toBeRefused(regularRefusals.regular_booking_not_found)
  expect(await end(boris, body.id, true)).toBeRefused(regularRefusals.regular_booking_not_found)
  expect(await skip(ana, body.id, once)).toBeRefused(regularRefusals.not_in_regular_booking)
  expect(await studio.count('select count(*) from regular_bookings')).toBe(1)
  const { pool } = studio.server.database
  const again =
    'insert into regular_bookings (user_id, weekday, start_time, from_date, created_at, mailed_at) select user_id, weekday, start_time, from_date, now(), now() from regular_bookings'
  await expect(pool.query(again)).rejects.toThrow('one_regular_booking_per_member_and_slot')
})

describe('a date that a member gave up', () => {
  async function tenFridays() {
    const story = await openStudio()
    const on = await weekly(story.dora, '2026-12-11', '2027-02-12')
    const { body } = await set(story.ana, on('2026-12-11'))
    const bookingOn = (date: string): number =>
      body.booked.find((one: { class: { date: string } }) => one.class.date === date).id
    return { ...story, on, id: body.id as number, bookingOn }
  }

  test('is not booked again: skipped, cancelled, moved away from, or cancelled by the owner', async () => {
    const { studio, ana, dora, on, id, bookingOn } = await tenFridays()
    const other = await studio.createClass('2027-01-01 17:00')
    const skipped = await skip(ana, id, on('2026-12-11'))
    expect(skipped.body).toMatchObject({ cancelled: { status: 'cancelled', paymentStatus: 'refunded' } })
    expect(skipped.body.dates[0]).toMatchObject({ date: '2026-12-11', bookingId: null, code: 'skipped' })
    await ana.cancel(bookingOn('2026-12-18'))
    await dora.request('PUT', `/api/admin/bookings/${bookingOn('2026-12-25')}/cancel`, {})
    await ana.call(rescheduleBooking, { params: { id: bookingOn('2027-01-01') }, body: { classId: other } })
    await studio.endUndo()
    await studio.grantCredits(ana, 5)
    await nextNight(studio)
    const dates = await bookedDates(ana)
    expect(dates.slice(0, 2)).toEqual(['2027-01-01', '2027-01-08'])
    expect((await mine(ana))[0]?.dates.slice(0, 4).map(({ code }) => code)).toEqual(Array(4).fill('skipped'))
    await expectConsistent(studio)
  })

  test('is part of it again after Undo, and after it is set up again', async () => {
    const { studio, ana, on, id, bookingOn } = await tenFridays()
    await ana.cancel(bookingOn('2026-12-18'))
    await ana.call(undoCancel, { params: { id: bookingOn('2026-12-18') } })
    expect((await mine(ana))[0]?.dates[1]?.code).toBeNull()
    await skip(ana, id, on('2026-12-18'))
    await studio.endUndo()
    await end(ana, id, false)
    const again = await set(ana, on('2026-12-11'))
    expect(again.body.booked.map((one: { classId: number }) => one.classId)).toEqual([on('2026-12-18')])
    expect(codesOf(again.body.notBooked)[0]).toBe('2026-12-11 already_booked')
  })

  test('is booked again if the studio had taken it off and brings it back', async () => {
    const { studio, ana, dora, id } = await tenFridays()
    const form = { from: '2026-12-24', to: '2027-01-02', reason: 'Christmas', notify: true }
    const closed = await dora.call(closeDays, { body: form })
    await studio.mailbox()
    await night(studio)
    expect((await mine(ana))[0]?.dates.slice(2, 4).map(({ code }) => code)).toEqual(['closed', 'closed'])
    await dora.call(openDays, { params: { id: closed.body.id } })
    // The credits came back today, so they are the member's own until the night.
    expect((await mine(ana))[0]?.dates.slice(2, 4).map(({ code }) => code)).toEqual(['tonight', 'tonight'])
    await nextNight(studio)
    expect((await bookedDates(ana)).slice(2, 4)).toEqual(['2026-12-25', '2027-01-01'])
    expect((await mine(ana))[0]?.id).toBe(id)
    await expectConsistent(studio)
  })
})

test('books new classes in the transaction that creates them, the oldest regular booking first', async () => {
  const { studio, ana, dora } = await openStudio()
  const eva = await studio.member('Eva', { health: true, credits: 10 })
  const on = await weekly(dora, '2026-12-11', '2026-12-18')
  const first = await set(eva, on('2026-12-11'))
  studio.travelTo('Tuesday 10:00')
  await set(ana, on('2026-12-11'))
  await weekly(dora, '2026-12-25', '2027-01-01', { maxParticipants: 1 })
  expect(await bookedDates(eva)).toEqual(FRIDAYS.slice(0, 4))
  expect(await bookedDates(ana)).toEqual(FRIDAYS.slice(0, 2))
  expect((await ana.read(listWaiting)).map((entry) => entry.class.date)).toEqual(FRIDAYS.slice(2, 4))

  // Leaving the waiting list gives the date up; stopping offers the places to it.
  const [left, kept] = await ana.read(listWaiting)
  await ana.call(leaveWaitingList, { params: { id: left?.classId ?? 0 } })
  await night(studio)
  expect((await ana.read(listWaiting)).map(({ classId }) => classId)).toEqual([kept?.classId])
  const ended = await end(eva, first.body.id, true)
  expect(ended.body.cancelledBookingIds).toHaveLength(4)
  expect(await studio.creditsOf(eva)).toBe(10)
  expect(await bookedDates(ana)).toEqual([FRIDAYS[0], FRIDAYS[1], FRIDAYS[3]])
  await dora.call(extendSeries, { params: { id: on('2026-12-11') }, body: { until: '2027-01-15' } })
  expect((await bookedDates(ana)).at(-1)).toBe('2027-01-15')
  await expectConsistent(studio)
})

test('cancels on request only bookings more than 120 minutes ahead', async () => {
  const { studio, ana, dora } = await openStudio()
  const on = await weekly(dora, '2026-12-11', '2026-12-25')
  const { body } = await set(ana, on('2026-12-11'))
  studio.travelTo('2026-12-11 06:00')
  const ended = await end(ana, body.id, true)
  expect(ended.body.cancelledBookingIds).toHaveLength(2)
  expect(await bookedDates(ana)).toEqual(['2026-12-11'])
  const [mail] = await mailsAbout(studio, ana, 'Your regular booking every Friday at 08:00 has ended')
  expect(mail?.text).toContain('Friday 18 December')
  expect(mail?.text).not.toContain('Friday 11 December')
  await expectConsistent(studio)
})

test('cancels only the dates that its dialog lists: no class that has left the slot', async () => {
  const { studio, ana, dora } = await openStudio()
  const on = await weekly(dora, '2026-12-11', '2026-12-25')
  const { body } = await set(ana, on('2026-12-11'))
  const left = { startTime: '09:00', endTime: '09:45' }
  await dora.call(editClass, { params: { id: on('2026-12-18') }, body: left })
  // Moved within its slot, so that a booking of its own could still be cancelled late.
  await dora.call(editClass, { params: { id: on('2026-12-11') }, body: { endTime: '08:50' } })
  studio.travelTo('2026-12-11 06:30')
  const listed = (await mine(ana))[0]?.dates.map(({ date }) => date)
  expect(listed).toEqual(['2026-12-11', '2026-12-25'])
  expect((await end(ana, body.id, true)).body.cancelledBookingIds).toHaveLength(1)
  expect(await bookedDates(ana)).toEqual(['2026-12-11', '2026-12-18'])
  await expectConsistent(studio)
})

test('sells the last place of a class once', async () => {
  const { studio, ana, dora } = await openStudio()
  const eva = await studio.member('Eva', { health: true, credits: 10 })
  const on = await weekly(dora, '2026-12-11', '2027-01-15', { maxParticipants: 1 })
  const [made, ...booked] = await Promise.all([
    set(ana, on('2026-12-11')),
    ...[...FRIDAYS].reverse().map((date) => eva.book(on(date))),
  ])
  expect(made.status).toBe(201)
  for (const { status } of booked) expect([201, 400]).toContain(status)
  const dates = [...(await bookedDates(ana)), ...(await bookedDates(eva))]
  expect(dates.sort()).toEqual(FRIDAYS)
  await expectConsistent(studio)
})

test('moves with its slot, but not with a single class', async () => {
  const { studio, ana, dora } = await openStudio()
  const on = await weekly(dora, '2026-12-11', '2027-01-15')
  await set(ana, on('2026-12-11'))
  const edit = (date: string, body: object) => dora.call(editClass, { params: { id: on(date) }, body })
  await edit('2026-12-18', { startTime: '09:00', endTime: '09:45' })
  expect((await mine(ana))[0]).toMatchObject({ startTime: '08:00' })
  expect((await mine(ana))[0]?.dates.map(({ date }) => date)).not.toContain('2026-12-18')
  await edit('2027-01-01', { startTime: '08:15', endTime: '09:00', applyToRecurring: 'later' })
  expect((await mine(ana))[0]).toMatchObject({ day: 'Friday', startTime: '08:15' })
  expect((await mine(ana))[0]?.dates.map(({ date }) => date)).toEqual(FRIDAYS.slice(3))
  expect(await bookedDates(ana)).toEqual(FRIDAYS)

  await dora.request('DELETE', `/api/classes/${on('2027-01-01')}`, { applyToRecurring: true })
  await studio.mailbox()
  await morning(studio)
  await morning(studio)
  expect(await mine(ana)).toEqual([])
  const [mail, ...more] = await mailsAbout(studio, ana, 'Your regular booking every Friday at 08:15 has ended')
  expect(mail?.text).toContain('no classes every Friday at 08:15 in the next 12 weeks')
  expect(more).toEqual([])
})

test('keeps its first class when all classes move to the day before', async () => {
  const { ana, dora } = await openStudio()
  const on = await weekly(dora, '2026-12-11', '2027-01-15')
  await set(ana, on('2026-12-11'))
  const body = { date: '2026-12-10', applyToRecurring: true }
  await dora.call(editClass, { params: { id: on('2026-12-11') }, body })
  const [moved] = await mine(ana)
  expect(moved).toMatchObject({ day: 'Thursday' })
  expect(moved?.dates.map(({ date }) => date)).toEqual(await bookedDates(ana))
  expect((await skip(ana, moved?.id ?? 0, on('2026-12-11'))).status).toBe(200)
})

test('emails at most once a month what was booked at night, and once that credits end soon', async () => {
  const { studio, dora } = await openStudio()
  const eva = await studio.member('Eva', { health: true, credits: 14 })
  const on = await weekly(dora, '2026-12-11', '2027-06-25')
  await set(eva, on('2026-12-11'))
  const monthly = () => mailsAbout(studio, eva, 'Your classes every Friday at 08:00')
  const warnings = () => mailsAbout(studio, eva, 'Your credits for every Friday at 08:00 run out soon')
  for (const day of ['2026-12-14', '2026-12-21', '2027-01-04']) {
    studio.travelTo(`${day} 09:00`)
    await night(studio)
    await morning(studio)
  }
  expect(await monthly()).toHaveLength(0)
  studio.travelTo('2027-01-11 09:00')
  await morning(studio)
  await morning(studio)
  const [mail, ...more] = await monthly()
  expect(more).toEqual([])
  expect(mail?.text).toMatch(/We have booked 2 classes.*You are booked until Friday 12 March/s)
  expect(await warnings()).toHaveLength(0)
  for (const day of ['2027-02-25', '2027-02-26', '2027-02-27']) {
    studio.travelTo(`${day} 09:00`)
    await morning(studio)
  }
  expect(await warnings()).toHaveLength(1)
  await studio.grantCredits(eva, 8)
  await nextNight(studio)
  studio.travelTo('2027-02-28 09:00')
  await morning(studio)
  studio.travelTo('2027-04-27 09:00')
  await morning(studio)
  expect(await warnings()).toHaveLength(2)
})

test('the owner sets, sees and ends it for a member, who is emailed', async () => {
  const { studio, boris, ana, dora } = await openStudio()
  const on = await weekly(dora, '2026-12-11', '2027-01-15')
  await set(ana, on('2026-12-18'))
  const made = await dora.call(setRegularBookingFor, { params: { id: boris.id }, body: { classId: on('2026-12-11') } })
  expect(made.status).toBe(201)
  expect(codesOf(made.body.notBooked)[0]).toBe('2026-12-11 no_credit')
  await studio.grantCredits(boris, 3)
  expect(await dora.read(listRegularBookingsOf, { params: { id: boris.id } })).toMatchObject([
    { dates: [{ code: 'health_missing' }, {}, {}, {}, {}, {}] },
  ])
  await studio.completeHealth(boris)
  await nextNight(studio)
  expect(await dora.read(listRegularHolders)).toMatchObject([
    { day: 'Friday', startTime: '08:00', user: { firstName: 'Ana' }, bookedDates: 5, bookedUntil: '2027-01-15' },
    { user: { firstName: 'Boris' }, bookedDates: 3, bookedUntil: '2026-12-25' },
  ])
  const { data } = { data: (await boris.request('GET', '/api/user/export')).body }
  expect(data.regularBookings).toMatchObject([{ day: 'Friday', startTime: '08:00' }])
  const ended = await dora.call(endRegularBookingFor, {
    params: { id: made.body.id },
    query: { cancelBookings: 'false' },
  })
  expect(ended.body.cancelledBookingIds).toEqual([])
  expect(await bookedDates(boris)).toHaveLength(3)
  expect(await mailsAbout(studio, boris, 'Your regular booking every Friday at 08:00 has ended')).toHaveLength(1)
  const actions = (await dora.request('GET', `/api/admin/audit?subject=user:${boris.id}`)).body
  expect(actions.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['regular_set', 'regular_ended']),
  )
})
