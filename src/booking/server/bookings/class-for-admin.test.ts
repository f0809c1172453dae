import { expect, test } from 'vitest'
import { deleteClass, editClass } from '#schedule/contract.ts'
import type { Person } from '#testing/person.ts'
import { shareStudio } from '#testing/studio-under-test.ts'
import { createClass, listClasses } from '#timetable/contract.ts'
import { cancelForMember } from '../../contract.ts'
import { getClassForAdmin } from '../../contract-classes.ts'
import { joinWaitingList } from '../../contract-waiting.ts'
import { bookingRefusals } from '../../refusals.ts'

const story = shareStudio()
const times = { startTime: '09:30', endTime: '10:15' }

test('predicts exactly what a change to all similar classes does', async () => {
  const { studio, ana, dora } = story
  const eve = await studio.member('Eve', { health: true, credits: 5 })
  const weekly = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '2026-12-29' }
  const first = (await dora.call(createClass, { body: { title: 'Duo', date: '2026-12-08', ...times, ...weekly } })).body
  // Similar classes outside the series, and others that differ by time or weekday.
  await studio.createClass({ at: '2027-01-05 09:30' })
  await studio.createClass({ at: '2027-01-05 09:30', ends: '10:30' })
  await studio.createClass({ at: '2027-01-06 09:30' })
  const query = { from: '2026-12-15', to: '2026-12-15' }
  const [second] = (await dora.call(listClasses, { query })).body
  await ana.book(first.id)
  await eve.book(first.id)
  await ana.book(second.id)
  const finn = await studio.member('Finn')
  const gus = await studio.member('Gus')
  await dora.call(editClass, { params: { id: second.id }, body: { maxParticipants: 1 } })
  for (const [person, id] of [
    [finn, first.id],
    [eve, second.id],
    [finn, second.id],
    [gus, second.id],
  ]) {
    await person.call(joinWaitingList, { params: { id } })
  }
  const before = { ana: await studio.creditsOf(ana), eve: await studio.creditsOf(eve) }

  const seen = (await dora.call(getClassForAdmin, { params: { id: first.id } })).body
  expect(seen.touches).toEqual({
    one: { classes: 1, bookings: 2, credits: 2, members: 2, waiting: 1, people: 3, calls: 0, mostBooked: 2 },
    later: { classes: 5, bookings: 3, credits: 3, members: 2, waiting: 4, people: 4, calls: 0, mostBooked: 2 },
    all: { classes: 5, bookings: 3, credits: 3, members: 2, waiting: 4, people: 4, calls: 0, mostBooked: 2 },
  })
  const fromSecond = await dora.read(getClassForAdmin, { params: { id: second.id } })
  expect([fromSecond.touches.later.classes, fromSecond.touches.later.people]).toEqual([4, 4])
  expect(seen.bookings.map(({ user }: { user: { firstName: string } }) => user.firstName)).toEqual(['Ana', 'Eve'])

  const edit = { title: 'Duo, renamed', startTime: '09:15', applyToRecurring: true }
  await dora.call(editClass, { params: { id: first.id }, body: edit })
  const moved = async (person: Person) =>
    (await studio.mailTo(person)).filter(({ subject }) => subject.includes('moved')).length
  expect([await moved(ana), await moved(eve), await moved(finn), await moved(gus)]).toEqual([2, 2, 2, 1])
  expect(await studio.count("select count(*) from classes where title = 'Duo, renamed'")).toBe(5)
  await dora.call(deleteClass, { params: { id: first.id }, body: { applyToRecurring: true } })
  expect(
    await studio.count("select count(*) from classes where title = 'Duo, renamed' and deleted_at is not null"),
  ).toBe(5)
  expect(await studio.creditsOf(ana)).toBe(before.ana + 2)
  expect(await studio.creditsOf(eve)).toBe(before.eve + 1)
})

test('counts a started class itself, and of the similar ones only upcoming classes', async () => {
  const { studio, dora } = story
  const past = await studio.createClass({ at: '2026-11-30 07:00' })
  await studio.createClass({ at: '2026-12-14 07:00' })
  const { touches } = (await dora.call(getClassForAdmin, { params: { id: past } })).body
  expect([touches.one.classes, touches.all.classes]).toEqual([1, 2])
})

test('a series keeps its wall times across the clock change, also when edited', async () => {
  const { dora } = story
  const series = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '2027-04-05' }
  const body = { title: 'Spring', date: '2027-03-22', startTime: '17:00', endTime: '17:45', ...series }
  const { id } = (await dora.call(createClass, { body })).body
  const query = { from: '2027-03-20', to: '2027-04-10' }
  const spring = async () =>
    (await dora.call(listClasses, { query })).body.filter((c: { title: string }) => c.title === 'Spring')
  await dora.call(editClass, {
    params: { id },
    body: { date: '2027-03-23', startTime: '18:30', endTime: '19:15', applyToRecurring: true },
  })
  const edited = await spring()
  expect(edited.map((c: { date: string; startTime: string }) => `${c.date} ${c.startTime}`)).toEqual([
    '2027-03-23 18:30',
    '2027-03-30 18:30',
    '2027-04-06 18:30',
  ])
  const { rows } = await story.studio.server.database.pool.query(
    "select to_char(starts_at at time zone 'UTC', 'HH24:MI') as utc from classes where title = 'Spring' order by date",
  )
  expect(rows.map(({ utc }) => utc)).toEqual(['18:30', '17:30', '17:30'])
})

test("an admin cancelling for a member follows the member's rules, with an email and an audit line", async () => {
  const { studio, ana, boris, dora } = story
  const classId = await studio.createClass('Friday 10:00')
  const { id } = (await ana.book(classId)).body
  const credits = await studio.creditsOf(ana)
  expect((await boris.call(cancelForMember, { params: { id }, body: {} })).status).toBe(403)
  const response = await dora.call(cancelForMember, { params: { id }, body: {} })
  expect(response.body).toMatchObject({ status: 'cancelled', paymentStatus: 'refunded', userId: ana.id })
  expect(await studio.creditsOf(ana)).toBe(credits + 1)
  expect((await studio.mailTo(ana)).some(({ subject }) => subject.includes('is cancelled'))).toBe(true)
  expect(await dora.call(cancelForMember, { params: { id }, body: {} })).toBeRefused(
    bookingRefusals.booking_not_confirmed,
  )
  expect(await dora.call(cancelForMember, { params: { id: 999_999 }, body: {} })).toBeRefused(
    bookingRefusals.booking_not_found,
  )
  await dora.book(classId, { userId: ana.id })
  const { body: record } = await dora.request('GET', '/api/admin/audit?limit=2')
  expect(record).toMatchObject([
    { action: 'booked_for', subject: `user:${ana.id}` },
    { action: 'booking_cancelled_for', subject: `booking:${id}` },
  ])
})
