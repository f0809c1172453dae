import { describe, expect, test } from 'vitest'
import { listClassPeople } from '#booking/contract-classes.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { createClass } from '#timetable/contract.ts'
import { undoCancellation } from '../contract.ts'
import * as contract from '../contract-bulk.ts'
import { closeDays } from '../contract-closures.ts'
import {
  cancellationMails,
  describeClasses,
  editClassAs,
  historyOf,
  listClassesAs,
  moveMails,
  remove,
} from './classes-under-test.ts'

const people = (admin: Person, from: string, to = from) => admin.read(listClassPeople, { query: { from, to } })
const takeOff = (admin: Person, classIds: number[]) => admin.call(contract.takeOffClassesInBulk, { body: { classIds } })
const shift = (admin: Person, body: object, key?: string) =>
  admin.request('POST', contract.shiftClassesInBulk.path, body, key ? { 'idempotency-key': key } : {})
const copyWeekAs = (admin: Person, from: string, to: string) => admin.call(contract.copyWeek, { body: { from, to } })
const extend = (admin: Person, id: number, until: string) =>
  admin.call(contract.extendSeries, { params: { id }, body: { until } })

/** Ana has booked Tuesday 8 December at 18:00 with Ben waiting; Ben has booked Wednesday at 10:00. */
async function twoClasses() {
  const story = await openStudio({ now: 'Monday 09:00' })
  const { studio, ana, boris } = story
  await studio.completeHealth(boris)
  await studio.grantCredits(boris, 5)
  const tuesday = await studio.createClass({ at: 'Tuesday 18:00', title: 'Evening', places: 1 })
  const wednesday = await studio.createClass({ at: 'Wednesday 10:00', title: 'Morning' })
  await ana.book(tuesday)
  await boris.request('POST', `/api/classes/${tuesday}/waitlist`)
  await boris.book(wednesday)
  return { ...story, tuesday, wednesday }
}

test('lists participants and waiting members by class, without cancelled bookings', async () => {
  const { dora, ana, boris, tuesday, wednesday, studio } = await twoClasses()
  await studio.createClass({ at: 'Thursday 10:00', title: 'Nobody' })
  const listedPeople = await people(dora, '2026-12-07', '2026-12-13')
  expect(listedPeople.map(({ classId }) => classId).sort()).toEqual([tuesday, wednesday].sort())
  const evening = listedPeople.find(({ classId }) => classId === tuesday)
  expect(evening?.booked.map(({ id }) => id)).toEqual([ana.id])
  expect(evening?.waiting.map(({ id }) => id)).toEqual([boris.id])
})

describe('taking several classes off', () => {
  test('cancels bookings, returns credits, ends waiting lists and emails each member; repeating changes nothing', async () => {
    const { dora, ana, boris, studio, tuesday, wednesday } = await twoClasses()
    expect(await takeOff(dora, [wednesday, tuesday, tuesday])).toMatchObject({
      status: 200,
      body: { classes: 2, bookingsCancelled: 2, peopleNotified: 2 },
    })
    expect((await historyOf(ana)).map(({ status }) => status)).toEqual(['cancelled'])
    expect(await cancellationMails(studio, ana)).toHaveLength(1)
    expect(await cancellationMails(studio, boris)).toHaveLength(1)
    expect((await listClassesAs(dora)).filter(({ isActive }) => isActive)).toEqual([])
    expect((await listClassesAs(dora)).map(({ bookedCount }) => bookedCount)).toEqual([0, 0])
    expect(await takeOff(dora, [wednesday, tuesday])).toMatchObject({ body: { classes: 0, peopleNotified: 0 } })
  })

  test('skips started classes, and refuses all if one does not exist', async () => {
    const { dora, studio, tuesday, wednesday } = await twoClasses()
    expect(await takeOff(dora, [tuesday, 999_999])).toMatchObject({ status: 404 })
    studio.travelTo('Wednesday 10:00')
    expect(await takeOff(dora, [tuesday, wednesday])).toMatchObject({ body: { classes: 0 } })
    expect((await listClassesAs(dora)).every(({ isActive }) => isActive)).toBe(true)
  })
})

describe('moving several classes', () => {
  test('moves each from its own time, emails members, and moves once per key', async () => {
    const { dora, ana, boris, studio, tuesday, wednesday } = await twoClasses()
    const move = { classIds: [tuesday, wednesday], days: 1, minutes: -45 }
    const first = await shift(dora, move, 'a-key-of-the-desk')
    expect(first).toMatchObject({ status: 200, body: { classes: 2, peopleNotified: 3 } })
    expect(await shift(dora, move, 'a-key-of-the-desk')).toMatchObject({ body: first.body })
    expect(describeClasses(await listClassesAs(dora))).toEqual([
      'Evening 2026-12-09 17:15-18:00',
      'Morning 2026-12-10 09:15-10:00',
    ])
    expect(await moveMails(studio, ana)).toHaveLength(1)
    expect(await moveMails(studio, boris)).toHaveLength(2)
  })

  test('is refused into the past, or across midnight by minutes', async () => {
    const { dora, tuesday, wednesday } = await twoClasses()
    const before = describeClasses(await listClassesAs(dora))
    for (const move of [
      { classIds: [wednesday, tuesday], days: -2, minutes: 0 },
      { classIds: [wednesday, tuesday], days: 0, minutes: 360 },
      { classIds: [wednesday, tuesday], days: 0, minutes: -620 },
      { classIds: [tuesday], days: 0, minutes: 0 },
    ])
      expect(await shift(dora, move)).toMatchObject({ status: 400 })
    expect(describeClasses(await listClassesAs(dora))).toEqual(before)
  })
})

describe('copying a week', () => {
  test('keeps weekdays and times across the clock change, leaving out existing, closed and inactive', async () => {
    const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
    await studio.createClass({ at: '2026-12-08 18:00', title: 'Evening', places: 1 })
    await studio.createClass({ at: '2026-12-09 10:00', title: 'Morning' })
    const off = await studio.createClass({ at: '2026-12-10 10:00', title: 'Off' })
    await editClassAs(dora, off, { isActive: false })
    expect(await copyWeekAs(dora, '2026-12-13', '2027-07-02')).toMatchObject({ status: 201, body: { classes: 2 } })
    const summer = (await listClassesAs(dora)).filter(({ date }) => date > '2027')
    expect(describeClasses(summer)).toEqual(['Evening 2027-06-29 18:00-18:45', 'Morning 2027-06-30 10:00-10:45'])
    expect(summer.find(({ title }) => title === 'Evening')).toMatchObject({
      startsAt: '2027-06-29T17:00:00Z',
      maxParticipants: 1,
      bookedCount: 0,
      isRepeating: false,
    })
    expect(await copyWeekAs(dora, '2026-12-07', '2027-06-28')).toMatchObject({ body: { classes: 0, alreadyThere: 2 } })
    await dora.call(closeDays, { body: { from: '2026-12-22', to: '2026-12-22', reason: 'A rest' } })
    expect(await copyWeekAs(dora, '2026-12-07', '2026-12-21')).toMatchObject({ body: { classes: 1, onClosedDays: 1 } })
  })

  test('copies to several weeks at once, and shows beforehand how many classes there will be', async () => {
    const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
    await studio.createClass({ at: 'Tuesday 18:00', title: 'Evening' })
    await studio.createClass({ at: '2026-12-29 18:00', title: 'Evening' })
    await dora.call(closeDays, { body: { from: '2026-12-22', to: '2026-12-22', reason: 'A rest' } })
    const body = { from: '2026-12-07', to: '2026-12-14', weeks: 12 }
    const copied = { classes: 10, alreadyThere: 1, onClosedDays: 1, inThePast: 0 }
    expect((await dora.call(contract.previewCopyWeek, { body })).body).toEqual(copied)
    expect(await listClassesAs(dora)).toHaveLength(2)
    expect((await dora.call(contract.copyWeek, { body })).body).toEqual(copied)
    expect((await listClassesAs(dora)).at(-1)?.date).toBe('2027-03-02')
    expect((await dora.call(contract.copyWeek, { body: { ...body, weeks: 13 } })).status).toBe(400)
  })

  test('copies once on concurrent requests; not onto itself or into the past', async () => {
    const { studio, dora } = await openStudio({ now: 'Thursday 12:00' })
    await studio.createClass({ at: '2026-12-15 18:00', title: 'Evening' })
    await studio.createClass({ at: '2026-12-18 18:00', title: 'Late' })
    const both = await Promise.all([
      copyWeekAs(dora, '2026-12-14', '2026-12-21'),
      copyWeekAs(dora, '2026-12-14', '2026-12-21'),
    ])
    expect(both.map(({ body }) => 'classes' in body && body.classes).sort()).toEqual([0, 2])
    expect(await copyWeekAs(dora, '2026-12-14', '2026-12-20')).toMatchObject({ status: 400 })
    expect(await copyWeekAs(dora, '2026-12-14', '2026-11-30')).toMatchObject({ status: 400 })
    expect(await copyWeekAs(dora, '2026-12-14', '2026-12-07')).toMatchObject({ body: { classes: 1, inThePast: 1 } })
  })
})

describe('extending a series', () => {
  const series = async (form: object) => {
    const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
    const repeat = { isRepeating: true, title: 'Series', startTime: '18:00', endTime: '18:45', ...form }
    const { body } = await dora.call(createClass, { body: repeat })
    return { studio, dora, id: 'id' in body ? body.id : 0 }
  }
  const datesOf = async (person: Person) => (await listClassesAs(person)).map(({ date }) => date)

  test('stays fortnightly, skips closed days and creates each class once; an earlier end changes nothing', async () => {
    const { dora, id } = await series({
      date: '2026-12-08',
      repeatFrequency: 'biweekly',
      repeatUntilDate: '2026-12-31',
    })
    await dora.call(closeDays, { body: { from: '2027-01-19', to: '2027-01-19', reason: 'A rest' } })
    expect(await extend(dora, id, '2027-02-20')).toMatchObject({
      status: 200,
      body: { classes: 3, until: '2027-02-20' },
    })
    const all = ['2026-12-08', '2026-12-22', '2027-01-05', '2027-02-02', '2027-02-16']
    expect(await datesOf(dora)).toEqual(all)
    expect((await listClassesAs(dora)).every((c) => c.isRepeating && c.repeatUntilDate === '2027-02-20')).toBe(true)
    for (const until of ['2027-02-20', '2027-01-01'])
      expect(await extend(dora, id, until)).toMatchObject({ body: { classes: 0, until: '2027-02-20' } })
    expect(await datesOf(dora)).toEqual(all)
  })

  test('keeps the day of the month, even after a short month', async () => {
    const form = { date: '2026-12-31', repeatFrequency: 'monthly', repeatUntilDate: '2027-02-28' }
    const { dora } = await series(form)
    const february = (await listClassesAs(dora)).find(({ date }) => date === '2027-02-28')
    await extend(dora, february?.id ?? 0, '2027-05-01')
    expect((await datesOf(dora)).slice(3)).toEqual(['2027-03-31', '2027-04-30'])
  })

  test('fills the weeks that a class moved beyond the end would hide, and leaves out its new date', async () => {
    const form = { date: '2027-01-04', repeatFrequency: 'weekly', repeatUntilDate: '2027-01-25' }
    const { dora, id } = await series(form)
    const last = (await listClassesAs(dora)).find(({ date }) => date === '2027-01-25')
    await editClassAs(dora, last?.id ?? 0, { date: '2027-03-01' })
    expect(await extend(dora, id, '2027-03-15')).toMatchObject({ body: { classes: 6 } })
    const added = ['2027-02-01', '2027-02-08', '2027-02-15', '2027-02-22', '2027-03-01', '2027-03-08', '2027-03-15']
    expect((await datesOf(dora)).slice(3)).toEqual(added)
  })

  test('keeps its day of the month after a class was moved, whichever class it is extended from', async () => {
    const form = { date: '2027-01-15', repeatFrequency: 'monthly', repeatUntilDate: '2027-03-15' }
    const { dora } = await series(form)
    const february = (await listClassesAs(dora)).find(({ date }) => date === '2027-02-15')
    await editClassAs(dora, february?.id ?? 0, { date: '2027-02-26' })
    await extend(dora, february?.id ?? 0, '2027-06-30')
    const all = ['2027-01-15', '2027-02-26', '2027-03-15', '2027-04-15', '2027-05-15', '2027-06-15']
    expect(await datesOf(dora)).toEqual(all)
  })

  test('keeps its weekday and fortnight when extended from a moved class', async () => {
    const form = { date: '2027-01-04', repeatFrequency: 'biweekly', repeatUntilDate: '2027-01-31' }
    const { dora } = await series(form)
    const second = (await listClassesAs(dora)).find(({ date }) => date === '2027-01-18')
    await editClassAs(dora, second?.id ?? 0, { date: '2027-01-26' })
    await extend(dora, second?.id ?? 0, '2027-02-28')
    expect(await datesOf(dora)).toEqual(['2027-01-04', '2027-01-26', '2027-02-01', '2027-02-15'])
  })

  test.each([
    [
      'all alike are edited',
      (dora: Person, [id = 0]: number[]) => editClassAs(dora, id, { date: '2027-01-14', applyToRecurring: true }),
    ],
    [
      'this and the later ones are edited',
      (dora: Person, [id = 0]: number[]) => editClassAs(dora, id, { date: '2027-01-14', applyToRecurring: 'later' }),
    ],
    [
      'all that are still to come are shifted',
      (dora: Person, ids: number[]) => shift(dora, { classIds: ids, days: 2, minutes: 0 }),
    ],
  ])('follows its classes to another weekday when %s', async (_how, moves) => {
    const { studio, dora, id } = await series({
      date: '2027-01-05',
      repeatFrequency: 'weekly',
      repeatUntilDate: '2027-01-31',
    })
    studio.travelTo('2027-01-06 09:00')
    await studio.logIn(dora)
    const ahead = (await listClassesAs(dora)).filter(({ date }) => date > '2027-01-06')
    expect(
      await moves(
        dora,
        ahead.map((one) => one.id),
      ),
    ).toMatchObject({ status: 200 })
    await extend(dora, id, '2027-02-12')
    const all = ['2027-01-05', '2027-01-14', '2027-01-21', '2027-01-28', '2027-02-04', '2027-02-11']
    expect(await datesOf(dora)).toEqual(all)
  })

  test('follows the later classes to another weekday while earlier ones stay', async () => {
    const { dora } = await series({ date: '2027-01-05', repeatFrequency: 'weekly', repeatUntilDate: '2027-01-31' })
    const ids = (await listClassesAs(dora)).map(({ id }) => id)
    await editClassAs(dora, ids[2] ?? 0, { date: '2027-01-20', applyToRecurring: 'later' })
    await extend(dora, ids[0] ?? 0, '2027-02-12')
    const all = ['2027-01-05', '2027-01-12', '2027-01-20', '2027-01-27', '2027-02-03', '2027-02-10']
    expect(await datesOf(dora)).toEqual(all)
  })

  test('starts after the last class once this and the later ones were deleted', async () => {
    const { studio, dora, id } = await series({
      date: '2027-01-05',
      repeatFrequency: 'weekly',
      repeatUntilDate: '2027-01-31',
    })
    const third = (await listClassesAs(dora)).find(({ date }) => date === '2027-01-19')?.id ?? 0
    const { body } = await remove(dora, third, { applyToRecurring: 'later' })
    expect((await listClassesAs(dora)).map((one) => [one.date, one.repeatUntilDate])).toEqual([
      ['2027-01-05', '2027-01-12'],
      ['2027-01-12', '2027-01-12'],
    ])
    await dora.call(undoCancellation, { params: { id: body.undo.id } })
    expect((await listClassesAs(dora)).map((one) => [one.date, one.repeatUntilDate])).toEqual([
      ['2027-01-05', '2027-01-31'],
      ['2027-01-12', '2027-01-31'],
      ['2027-01-19', '2027-01-31'],
      ['2027-01-26', '2027-01-31'],
    ])
    await remove(dora, third, { applyToRecurring: 'later' })
    studio.clock.advance({ minutes: 2 })
    await extend(dora, id, '2027-01-20')
    expect(await datesOf(dora)).toEqual(['2027-01-05', '2027-01-12', '2027-01-19'])
  })

  test('is refused for a single class, and beyond 366 dates', async () => {
    const { studio, dora, id } = await series({
      date: '2026-12-08',
      repeatFrequency: 'weekly',
      repeatUntilDate: '2026-12-16',
    })
    const alone = await studio.createClass({ at: '2026-12-29 18:00', title: 'Alone' })
    expect(await extend(dora, alone, '2027-12-31')).toMatchObject({ status: 400 })
    expect(await extend(dora, id, '2035-12-31')).toMatchObject({ status: 400 })
    expect(await datesOf(dora)).toHaveLength(3)
  })
})

test('records each change in the audit log', async () => {
  const { dora, studio, tuesday, wednesday } = await twoClasses()
  await shift(dora, { classIds: [tuesday], days: 1, minutes: 0 })
  await takeOff(dora, [tuesday, wednesday])
  const of = async (id: number) => (await dora.request('GET', `/api/admin/audit?subject=class:${id}`)).body
  expect(await of(tuesday)).toMatchObject([
    { action: 'edited', changes: { isActive: { before: true, after: false }, bookingsCancelled: { after: 1 } } },
    {
      action: 'edited',
      changes: { date: { before: '2026-12-08', after: '2026-12-09' }, peopleNotified: { after: 2 } },
    },
  ])
  await studio.createClass({ at: '2026-12-11 18:00', title: 'Kept' })
  await copyWeekAs(dora, '2026-12-07', '2026-12-14')
  const copy = (await listClassesAs(dora)).find(({ date }) => date === '2026-12-18')
  expect(await of(copy?.id ?? 0)).toMatchObject([{ action: 'created', changes: { title: { after: 'Kept' } } }])
})
