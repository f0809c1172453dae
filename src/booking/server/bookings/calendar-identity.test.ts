import { expect, test } from 'vitest'
import { defined } from '#foundation/collections.ts'
import { deleteClass, editClass } from '#schedule/contract.ts'
import type { Person } from '#testing/person.ts'
import { readCalendar } from '#testing/read-calendar.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { bookingCalendar, cancelForMember, rescheduleBooking } from '../../contract.ts'
import { joinWaitingList } from '../../contract-waiting.ts'
import { calendarLinks } from '../../web/calendar-links.ts'

/** The calendar files emailed to a member, in the order of their sequences. */
async function mailsTo(studio: StudioUnderTest, person: Person) {
  const mails = await studio.mailTo(person)
  const files = mails.flatMap(({ subject, attachments }) =>
    attachments.map(({ content }) => {
      const { method, events } = readCalendar(content)
      expect(events).toHaveLength(1)
      return { subject, method, ...defined(events[0]) }
    }),
  )
  return files.sort((a, b) => a.sequence - b.sequence)
}

const move = (person: Person, id: number, classId: number) =>
  person.call(rescheduleBooking, { params: { id }, body: { classId } })

test('a booking keeps one calendar UID through moves by member and studio to its end, counting up each time', async () => {
  const { studio, ana, dora } = await openStudio()
  const [tuesday, friday] = [await studio.createClass('Tuesday 18:00'), await studio.createClass('Friday 10:00')]
  const booking = (await ana.book(tuesday)).body
  const moved = (await move(ana, booking.id, friday)).body
  const back = (await move(ana, moved.id, tuesday)).body
  const edit = { startTime: '19:00', endTime: '19:45' }
  expect((await dora.call(editClass, { params: { id: tuesday }, body: edit })).status).toBe(200)
  const { status, body } = await ana.call(bookingCalendar, { params: { id: back.id } })
  expect(status).toBe(200)
  const afterTheStudio = defined(readCalendar(String(body)).events[0])
  // The subscribed calendar follows too.
  const [upcoming] = (await ana.request('GET', '/api/bookings/upcoming')).body
  const [google = '', apple, outlook = ''] = calendarLinks(upcoming.id, upcoming.class, 'here').map(({ href }) => href)
  expect(new URL(google).searchParams.get('dates')).toBe('20261208T190000Z/20261208T194500Z')
  expect(new URL(outlook).searchParams.get('startdt')).toBe('2026-12-08T19:00:00Z')
  expect(apple).toBe(`/api/bookings/${back.id}/calendar.ics`)
  await ana.cancel(back.id)

  const files = await mailsTo(studio, ana)
  expect(new Set([...files, afterTheStudio].map(({ uid }) => uid)).size).toBe(1)
  const sequences = files.map(({ sequence }) => sequence)
  expect(sequences).toEqual([...new Set(sequences)])
  expect(afterTheStudio).toMatchObject({ status: 'CONFIRMED', startsAt: '2026-12-08T19:00:00Z' })
  expect(afterTheStudio.sequence).toBeGreaterThan(
    files.findLast(({ startsAt }) => startsAt.includes('T18'))?.sequence ?? 99,
  )
  expect(files.at(-1)).toMatchObject({
    method: 'CANCEL',
    status: 'CANCELLED',
    startsAt: '2026-12-08T19:00:00Z',
    alarms: [],
    subject: 'Your class on Tuesday 8 December at 19:00 is cancelled',
  })
  expect(files.at(-1)?.sequence).toBeGreaterThan(afterTheStudio.sequence)
  for (const each of files.slice(0, -1)) expect(each).toMatchObject({ method: 'PUBLISH', status: 'CONFIRMED' })
})

test('a class booked again after cancelling gets a new calendar entry', async () => {
  const { studio, ana } = await openStudio()
  const tuesday = await studio.createClass('Tuesday 18:00')
  const first = (await ana.book(tuesday)).body
  await ana.cancel(first.id)
  await ana.book(tuesday)
  const files = await mailsTo(studio, ana)
  expect(Map.groupBy(files, ({ uid }) => uid).size).toBe(2)
})

test('every way a booking ends removes its calendar entry', async () => {
  const { studio, ana, dora } = await openStudio()
  const classes = await Promise.all(
    [8, 9, 10, 11].map((day) => studio.createClass(`2026-12-${`0${day}`.slice(-2)} 10:00`)),
  )
  const [own = 0, rung = 0, off = 0, gone = 0] = classes
  const booked = await Promise.all(classes.map(async (id) => (await ana.book(id)).body))
  await ana.cancel(booked[0].id)
  await dora.call(cancelForMember, { params: { id: booked[1].id }, body: { returnCredit: true } })
  await dora.call(editClass, { params: { id: off }, body: { isActive: false } })
  await dora.call(deleteClass, { params: { id: gone }, body: {} })

  const entries = Map.groupBy(await mailsTo(studio, ana), ({ uid }) => uid)
  expect(entries.size).toBe([own, rung, off, gone].length)
  for (const files of entries.values()) {
    expect(files.map(({ method, status }) => [method, status])).toEqual([
      ['PUBLISH', 'CONFIRMED'],
      ['CANCEL', 'CANCELLED'],
    ])
    const [first, ended] = files
    const { startsAt, alarms, sequence } = defined(first)
    expect(alarms).toEqual([Temporal.Instant.from(startsAt).subtract({ hours: 1 }).toString()])
    expect(ended).toMatchObject({ startsAt, alarms: [], subject: expect.stringContaining('cancelled') })
    expect(ended?.sequence).toBeGreaterThan(sequence)
  }
})

test('a place from the waiting list and its reminder share one calendar entry', async () => {
  const { studio, ana } = await openStudio()
  const carl = await studio.member('Carl', { health: true, credits: 1 })
  const full = await studio.createClass({ at: 'Friday 10:00', places: 1 })
  const booking = (await ana.book(full)).body
  await carl.call(joinWaitingList, { params: { id: full } })
  await ana.cancel(booking.id)
  await studio.endUndo()
  studio.travelTo('Thursday 10:00')
  await studio.server.workers['remind-members']({}, 'by hand')
  const [hers] = await mailsTo(studio, ana)
  const his = await mailsTo(studio, carl)
  expect(his.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^A place for you/),
    expect.stringMatching(/^See you on/),
  ])
  expect(new Set(his.map(({ uid }) => uid)).size).toBe(1)
  expect(his[0]?.uid).not.toBe(hers?.uid)
  for (const each of his) expect(each).toMatchObject({ method: 'PUBLISH', alarms: ['2026-12-11T09:00:00Z'] })
})

test('a new title updates the calendar entry, a new capacity does not', async () => {
  const { studio, ana, dora } = await openStudio()
  const tuesday = await studio.createClass({ at: 'Tuesday 18:00', places: 1 })
  const { id } = (await ana.book(tuesday)).body
  const version = async () => {
    const { body } = await ana.call(bookingCalendar, { params: { id } })
    return readCalendar(String(body)).events[0]?.sequence
  }
  const first = (await version()) as number
  await dora.call(editClass, { params: { id: tuesday }, body: { maxParticipants: 2 } })
  expect(await version()).toBe(first)
  await dora.call(editClass, { params: { id: tuesday }, body: { title: 'Stretch' } })
  expect(await version()).toBe(first + 1)
})

test('the database keeps calendar UIDs unique and sequences from going back', async () => {
  const { studio, ana, boris } = await openStudio()
  const { pool } = studio.server.database
  const [tuesday, friday] = [await studio.createClass('Tuesday 18:00'), await studio.createClass('Friday 10:00')]
  const hers = (await ana.book(tuesday)).body
  const other = (await ana.book(friday)).body
  const copy = (status: string, sequence: string) =>
    pool.query(
      `insert into bookings (user_id, payer_id, class_id, pass_id, origin, status, payment_status, total_amount_pence, booked_at, cancelled_at, calendar_uid, calendar_sequence)
       select $3, payer_id, class_id, pass_id, origin, $2, 'paid', 0, booked_at, case when $2 = 'cancelled' then now() end, calendar_uid, ${sequence}
       from bookings where id = $1`,
      [hers.id, status, boris.id],
    )
  await expect(copy('confirmed', '7')).rejects.toMatchObject({ constraint: 'one_place_per_calendar_identity' })
  await expect(copy('cancelled', 'calendar_sequence')).rejects.toMatchObject({
    constraint: 'one_version_of_a_calendar_identity',
  })
  const change = (set: string) => pool.query(`update bookings set ${set} where id = $1`, [other.id])
  await expect(change('calendar_sequence = calendar_sequence - 1')).rejects.toThrow('keeps its calendar identity')
  await expect(change("calendar_uid = 'another'")).rejects.toThrow('keeps its calendar identity')
})
