import { expect, test } from 'vitest'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { createClass, listClosures, timetableRefusals } from '#timetable/contract.ts'
import { undoCancellation } from '../contract.ts'
import { copyWeek, extendSeries, shiftClassesInBulk } from '../contract-bulk.ts'
import { closeDays, openDays, previewClosure } from '../contract-closures.ts'
import { editClassAs, listClassesAs, upcomingOf } from './classes-under-test.ts'

const DAY = { from: '2026-12-09', to: '2026-12-09' }
const MORNING = { ...DAY, fromTime: '09:00', toTime: '12:00' }
const close = (admin: Person, body: object = MORNING) => admin.call(closeDays, { body: { reason: 'Illness', ...body } })
const timesOf = async (person: Person) => (await listClassesAs(person)).map(({ startTime }) => startTime)

/** Classes around a morning: before, at its first and last minute, and at its end. Ana has booked 09:00 and 12:00. */
async function aMorning() {
  const story = await openStudio({ now: 'Monday 09:00' })
  const { studio, ana } = story
  const ids: number[] = []
  for (const time of ['08:59', '09:00', '11:59', '12:00']) ids.push(await studio.createClass(`2026-12-09 ${time}`))
  await ana.book(ids[1] ?? 0)
  await ana.book(ids[3] ?? 0)
  return { ...story, ids }
}

test('closes only for classes that start in these hours, and says so to members and visitors', async () => {
  const { studio, ana, dora, ids } = await aMorning()
  const { classes } = await dora.read(previewClosure, { query: MORNING })
  expect(classes.map(({ id }) => id)).toEqual(ids.slice(1, 3))
  const { status, body } = await close(dora)
  expect([status, body]).toMatchObject([201, { ...MORNING, classes: 2, bookingsCancelled: 1, peopleNotified: 1 }])
  expect(await timesOf(studio.visitor())).toEqual(['08:59', '12:00'])
  expect(await studio.visitor().read(listClosures)).toMatchObject([MORNING])
  expect((await upcomingOf(ana)).map((booking) => booking.class.startTime)).toEqual(['12:00'])
  studio.clock.advance({ minutes: 2 })
  const [mail] = (await studio.mailTo(ana)).filter(({ text }) => text.includes('Illness'))
  expect(mail?.text).toContain('the studio is closed on Wednesday 9 December from 09:00 to 12:00: Illness')
  expect((await dora.call(openDays, { params: { id: body.id } })).body).toMatchObject({ classes: 2 })
  expect(await timesOf(studio.visitor())).toEqual(['08:59', '09:00', '11:59', '12:00'])
})

test('brings bookings back when it is undone', async () => {
  const { ana, dora } = await aMorning()
  const { body } = await close(dora)
  await dora.call(undoCancellation, { params: { id: body.undo.id } })
  expect((await upcomingOf(ana)).map((booking) => booking.class.startTime)).toEqual(['09:00', '12:00'])
  expect(await dora.read(listClosures)).toEqual([])
})

test('overlaps other closures of the day: a class returns when the last one that covers it is gone', async () => {
  const { studio, dora } = await aMorning()
  const [morning, noon] = [await close(dora), await close(dora, { ...DAY, fromTime: '11:30', toTime: '14:00' })]
  const overlapping = async (fromTime: string, toTime: string) =>
    (await dora.read(previewClosure, { query: { ...DAY, fromTime, toTime } })).closures.map(({ id }) => id)
  expect(await overlapping('12:00', '13:00')).toEqual([noon.body.id])
  expect(await overlapping('11:00', '13:00')).toEqual([morning.body.id, noon.body.id])
  expect(await overlapping('14:00', '15:00')).toEqual([])
  await dora.call(openDays, { params: { id: morning.body.id } })
  expect(await timesOf(studio.visitor())).toEqual(['08:59', '09:00'])
  await dora.call(openDays, { params: { id: noon.body.id } })
  expect(await timesOf(studio.visitor())).toEqual(['08:59', '09:00', '11:59', '12:00'])
})

test('is left out by series, extensions and copies, only in its hours', async () => {
  const { dora, ids } = await aMorning()
  const clockChange = { from: '2027-03-28', to: '2027-03-28', fromTime: '01:30', toTime: '10:00' }
  await close(dora, clockChange)
  await close(dora, { from: '2026-12-16', to: '2026-12-16', fromTime: '09:00', toTime: '12:00' })
  const weekly = async (startTime: string, endTime: string) => {
    const series = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '2027-03-21' }
    const form = { title: startTime, date: '2027-03-14', startTime, endTime, ...series }
    const { id } = (await dora.call(createClass, { body: form })).body
    await dora.call(extendSeries, { params: { id }, body: { until: '2027-04-04' } })
    return (await listClassesAs(dora)).filter(({ title }) => title === startTime).map(({ date }) => date.slice(5))
  }
  expect(await weekly('09:59', '10:44')).toEqual(['03-14', '03-21', '04-04'])
  expect(await weekly('10:00', '10:45')).toEqual(['03-14', '03-21', '03-28', '04-04'])
  const copied = await dora.call(copyWeek, { body: { from: '2026-12-09', to: '2026-12-16' } })
  expect(copied.body).toMatchObject({ classes: ids.length - 2, onClosedDays: 2 })
})

test('is asked about when a class is created in its hours, moved into them or switched on', async () => {
  const { studio, dora, ids } = await aMorning()
  const [before = 0, first = 0] = ids
  await close(dora, { ...MORNING, exceptClassIds: [first] })
  const form = { title: 'Duo', date: '2026-12-09', endTime: '13:00' }
  const create = (startTime: string) => dora.call(createClass, { body: { ...form, startTime } })
  expect(await create('11:59')).toBeRefused(timetableRefusals.studio_closed)
  expect((await create('12:00')).status).toBe(201)
  const refused = await editClassAs(dora, before, { startTime: '09:00' })
  expect(refused).toBeRefused(timetableRefusals.studio_closed)
  expect(refused.body.errors[0].message).toBe('The studio is closed on Wednesday 9 December, 09:00 to 12:00: Illness')
  const shift = { classIds: [before], days: 0, minutes: 1 }
  expect(await dora.call(shiftClassesInBulk, { body: shift })).toBeRefused(timetableRefusals.studio_closed)
  expect(await editClassAs(dora, ids[2] ?? 0, { isActive: true })).toBeRefused(timetableRefusals.studio_closed)
  // It takes place anyway, so moving it within the same hours needs no confirmation.
  expect(await editClassAs(dora, first, { startTime: '10:00' })).toMatchObject({ status: 200 })
  expect(await editClassAs(dora, before, { startTime: '09:00', onClosedDay: true })).toMatchObject({ status: 200 })
  expect(await studio.count('select count(*) from classes where is_active')).toBe(4)
})

test('leaves no class in the hours when one is moved there while they are being closed', async () => {
  const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
  for (let week = 0; week < 5; week++) {
    const date = Temporal.PlainDate.from('2027-02-01').add({ weeks: week }).toString()
    const id = await studio.createClass(`${date} 14:00`)
    await Promise.all([
      close(dora, { from: date, to: date, fromTime: '09:00', toTime: '12:00' }),
      editClassAs(dora, id, { startTime: '10:00', endTime: '10:45' }),
    ])
    const there = (await listClassesAs(studio.visitor())).filter((one) => one.date === date)
    expect(there.filter(({ startTime }) => startTime === '10:00')).toEqual([])
  }
})

test('refuses hours without an end, on several days, or the wrong way round; so does the database', async () => {
  const { studio, dora } = await openStudio()
  const cases: [object, string, string][] = [
    [{ ...DAY, fromTime: '09:00' }, 'toTime', 'Please enter both times'],
    [{ ...MORNING, to: '2026-12-10' }, 'fromTime', 'Hours can be closed on one day at a time'],
    [{ ...MORNING, toTime: '09:00' }, 'toTime', 'This must be later than the first time'],
    [{ ...MORNING, toTime: '9' }, 'toTime', 'Please enter a time as HH:mm'],
  ]
  for (const [body, path, message] of cases) {
    expect(await close(dora, body)).toMatchObject({ status: 400, body: { errors: [{ path, message }] } })
  }
  expect(await close(dora, { ...DAY, fromTime: '', toTime: '' })).toMatchObject({
    status: 201,
    body: { fromTime: null },
  })
  const insert = (days: string, times: string) =>
    studio.count(
      `insert into closures (from_date, to_date, from_time, to_time, reason, admin_id, created_at) values (${days}, ${times}, 'x', 'y', now()) returning id`,
    )
  for (const [days, times] of [
    ["'2026-12-09', '2026-12-10'", "'09:00', '12:00'"],
    ["'2026-12-09', '2026-12-09'", "'09:00', null"],
    ["'2026-12-09', '2026-12-09'", "'12:00', '12:00'"],
  ]) {
    await expect(insert(days ?? '', times ?? '')).rejects.toMatchObject({ constraint: 'hours_are_of_one_day' })
  }
})
