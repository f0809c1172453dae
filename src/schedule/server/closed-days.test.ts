import { describe, expect, test } from 'vitest'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { createClass, timetableRefusals } from '#timetable/contract.ts'
import { copyWeek, shiftClassesInBulk } from '../contract-bulk.ts'
import { closeDays, openDays } from '../contract-closures.ts'
import {
  createSeriesAndNeighbours,
  describeClasses,
  editClassAs,
  listClassesAs,
  moveMails,
} from './classes-under-test.ts'

const CHRISTMAS = { from: '2026-12-22', to: '2026-12-28', reason: 'Christmas' }
const close = (admin: Person, body: object = CHRISTMAS) => admin.call(closeDays, { body })
const shiftAs = (admin: Person, body: object) => admin.call(shiftClassesInBulk, { body: { minutes: 0, ...body } })
const copy = (admin: Person, body: object) => admin.call(copyWeek, { body })
const datesOf = async (person: Person) => (await listClassesAs(person)).map(({ date }) => date)

/** Ana has booked a class on Tuesday 15 December; the studio is closed the week after. */
async function beforeChristmas() {
  const story = await openStudio({ now: 'Monday 09:00' })
  const id = await story.studio.createClass({ at: '2026-12-15 18:00', title: 'Evening' })
  await story.ana.book(id)
  await close(story.dora)
  return { ...story, id }
}

describe('moving a class onto a closed day', () => {
  test('is refused in an edit until it is confirmed, and emails no member before', async () => {
    const { studio, ana, dora, id } = await beforeChristmas()
    const refused = await editClassAs(dora, id, { date: '2026-12-24' })
    expect(refused).toBeRefused(timetableRefusals.studio_closed)
    expect(refused.body).toMatchObject({
      errors: [{ path: 'onClosedDay', message: 'The studio is closed on Thursday 24 December: Christmas' }],
    })
    expect(await datesOf(dora)).toEqual(['2026-12-15'])
    expect(await moveMails(studio, ana)).toEqual([])
    expect(await editClassAs(dora, id, { date: '2026-12-24', onClosedDay: true })).toMatchObject({ status: 200 })
    expect(await moveMails(studio, ana)).toHaveLength(1)
  })

  test('is refused in a shift, with all the others, until confirmed', async () => {
    const { studio, dora, id } = await beforeChristmas()
    const free = await studio.createClass({ at: '2026-12-14 18:00', title: 'Free' })
    const move = { classIds: [free, id], days: 7 }
    const before = describeClasses(await listClassesAs(dora))
    expect(await shiftAs(dora, move)).toBeRefused(timetableRefusals.studio_closed)
    expect(describeClasses(await listClassesAs(dora))).toEqual(before)
    expect(await shiftAs(dora, { ...move, onClosedDay: true })).toMatchObject({ status: 200, body: { classes: 2 } })
  })

  test('is refused if any similar class would be on a closed day', async () => {
    const { studio, dora } = await openStudio()
    const { series } = await createSeriesAndNeighbours(studio, dora)
    await close(dora, { from: '2026-12-17', to: '2026-12-17', reason: 'A rest' })
    const move = { date: '2026-12-10', applyToRecurring: true }
    expect(await editClassAs(dora, series[0] ?? 0, move)).toBeRefused(timetableRefusals.studio_closed)
    expect(await editClassAs(dora, series[0] ?? 0, { ...move, onClosedDay: true })).toMatchObject({ status: 200 })
  })

  test('needs no confirmation while inactive, or when the day does not change', async () => {
    const { studio, dora } = await beforeChristmas()
    const off = await studio.createClass({ at: '2026-12-16 18:00', title: 'Off' })
    await editClassAs(dora, off, { isActive: false })
    expect(await editClassAs(dora, off, { date: '2026-12-23' })).toMatchObject({ status: 200 })
    const kept = await studio.createClass({ at: '2026-12-21 18:00', title: 'Kept' })
    await editClassAs(dora, kept, { date: '2026-12-24', onClosedDay: true })
    const stays = { title: 'Still there', date: '2026-12-24', startTime: '17:00', endTime: '17:45', isActive: true }
    expect(await editClassAs(dora, kept, stays)).toMatchObject({ status: 200 })
  })

  test('cannot race with a concurrent closure', async () => {
    const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
    for (let week = 0; week < 5; week++) {
      const date = Temporal.PlainDate.from('2027-02-01').add({ weeks: 2 * week })
      const closed = date.add({ days: 3 }).toString()
      const [edited, shifted] = [await studio.createClass(`${date} 09:00`), await studio.createClass(`${date} 12:00`)]
      await Promise.all([
        close(dora, { from: closed, to: closed, reason: 'Illness' }),
        editClassAs(dora, edited, { date: closed }),
        shiftAs(dora, { classIds: [shifted], days: 3 }),
      ])
      expect((await listClassesAs(studio.visitor())).filter((one) => one.date === closed)).toEqual([])
    }
  })
})

describe('reactivating a class on a closed day', () => {
  test('is refused until the admin confirms it', async () => {
    const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
    const id = await studio.createClass('2026-12-23 10:00')
    await close(dora)
    expect(await editClassAs(dora, id, { isActive: true })).toBeRefused(timetableRefusals.studio_closed)
    expect(await listClassesAs(studio.visitor())).toEqual([])
    expect(await editClassAs(dora, id, { isActive: true, onClosedDay: true })).toMatchObject({
      body: { isActive: true },
    })
  })

  test('and deactivating it again keeps it off when the days are opened', async () => {
    const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
    const [byHand, other] = [await studio.createClass('2026-12-23 10:00'), await studio.createClass('2026-12-23 12:00')]
    const { body: closure } = await close(dora)
    await editClassAs(dora, byHand, { isActive: true, onClosedDay: true })
    await editClassAs(dora, byHand, { isActive: false })
    // An edit that does not change `isActive` does not count.
    await editClassAs(dora, other, { title: 'Other', isActive: false })
    expect((await dora.call(openDays, { params: { id: closure.id } })).body).toMatchObject({ classes: 1 })
    expect((await listClassesAs(studio.visitor())).map(({ id }) => id)).toEqual([other])
  })
})

test('copying a week skips closed days unless the admin includes them', async () => {
  const { dora } = await beforeChristmas()
  const weeks = { from: '2026-12-14', to: '2026-12-21' }
  expect(await copy(dora, weeks)).toMatchObject({ status: 201, body: { classes: 0, onClosedDays: 1 } })
  expect(await copy(dora, { ...weeks, onClosedDay: true })).toMatchObject({ body: { classes: 1, onClosedDays: 0 } })
  expect(await datesOf(dora)).toEqual(['2026-12-15', '2026-12-22'])
})

test('a series skips closed days even with `onClosedDay`', async () => {
  const { dora } = await beforeChristmas()
  const weekly = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '2026-12-31', onClosedDay: true }
  const form = { title: 'Weekly', date: '2026-12-16', startTime: '09:00', endTime: '09:45', ...weekly }
  await dora.call(createClass, { body: form })
  expect(await datesOf(dora)).toEqual(['2026-12-15', '2026-12-16', '2026-12-30'])
})
