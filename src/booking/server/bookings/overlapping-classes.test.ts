import { expect, test } from 'vitest'
import { copyWeek, extendSeries, shiftClassesInBulk } from '#schedule/contract-bulk.ts'
import { describeClasses, editClassAs, listClassesAs } from '#schedule/server/classes-under-test.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { createClass, timetableRefusals } from '#timetable/contract.ts'

const create = (admin: Person, body: object) =>
  admin.call(createClass, { body: { title: 'New', date: '2026-12-15', startTime: '18:30', endTime: '19:15', ...body } })
const WEEKLY = { isRepeating: true, repeatFrequency: 'weekly' }
const ASKS = { ifNoOverlap: true }

/** A class on Tuesday 15 December from 18:00 to 18:45. */
async function evening() {
  const story = await openStudio({ now: 'Monday 09:00' })
  const id = await story.studio.createClass({ at: '2026-12-15 18:00', title: 'Evening' })
  return { ...story, id }
}

test('accepts a class at the time of another', async () => {
  const { dora } = await evening()
  expect(await create(dora, {})).toMatchObject({ status: 201 })
})

test('refuses it with `ifNoOverlap`, naming the classes it overlaps', async () => {
  const { dora } = await evening()
  const refused = await create(dora, ASKS)
  expect(refused).toBeRefused(timetableRefusals.classes_overlap)
  expect(refused.body.errors).toEqual([
    { path: 'ifNoOverlap', message: 'Overlaps with Evening on Tuesday 15 December, 18:00 to 18:45' },
  ])
  expect(await listClassesAs(dora)).toHaveLength(1)
})

test('a class that ends when the next starts does not overlap it', async () => {
  const { dora } = await evening()
  expect(await create(dora, { ...ASKS, startTime: '18:45', endTime: '19:30' })).toMatchObject({ status: 201 })
  expect(await create(dora, { ...ASKS, startTime: '17:15', endTime: '18:00' })).toMatchObject({ status: 201 })
})

test('ignores inactive and deleted classes', async () => {
  const { dora, id } = await evening()
  await editClassAs(dora, id, { isActive: false })
  expect(await create(dora, ASKS)).toMatchObject({ status: 201 })
  // Reactivated, it would overlap the new one.
  expect(await editClassAs(dora, id, { isActive: true, ...ASKS })).toBeRefused(timetableRefusals.classes_overlap)
})

test('names at most three overlapping classes of a series', async () => {
  const { dora } = await evening()
  await create(dora, { ...WEEKLY, startTime: '18:00', endTime: '18:45', repeatUntilDate: '2027-01-12' })
  const refused = await create(dora, { ...WEEKLY, ...ASKS, repeatUntilDate: '2027-01-12' })
  expect(refused.body.errors?.[0]?.message).toBe(
    'Overlaps with Evening on Tuesday 15 December, 18:00 to 18:45; New on Tuesday 15 December, 18:00 to 18:45; New on Tuesday 22 December, 18:00 to 18:45 and 3 more',
  )
})

test('checks an edit only if it moves or activates the class', async () => {
  const { studio, dora, id } = await evening()
  const other = await studio.createClass({ at: '2026-12-15 12:00', title: 'Noon' })
  const move = { startTime: '18:30', endTime: '19:15' }
  expect(await editClassAs(dora, other, { ...move, ...ASKS })).toBeRefused(timetableRefusals.classes_overlap)
  expect(await editClassAs(dora, other, move)).toMatchObject({ status: 200 })
  expect(await editClassAs(dora, other, { title: 'Later', ...ASKS })).toMatchObject({ status: 200 })
  expect(await editClassAs(dora, id, { ...ASKS, startTime: '17:00', endTime: '17:45' })).toMatchObject({ status: 200 })
})

test('does not compare classes shifted together', async () => {
  const { studio, dora, id } = await evening()
  const beside = await studio.createClass({ at: '2026-12-15 18:15', title: 'Beside' })
  await studio.createClass({ at: '2026-12-16 18:15', title: 'Tomorrow' })
  const shift = (days: number) =>
    dora.call(shiftClassesInBulk, { body: { classIds: [id, beside], days, minutes: 0, ...ASKS } })
  expect(await shift(1)).toBeRefused(timetableRefusals.classes_overlap)
  expect(await shift(2)).toMatchObject({ status: 200, body: { classes: 2 } })
})

test('checks copied weeks and extended series, which are accepted without `ifNoOverlap`', async () => {
  const { studio, dora } = await evening()
  const { body: series } = await create(dora, { ...WEEKLY, date: '2026-12-16', repeatUntilDate: '2026-12-17' })
  await studio.createClass({ at: '2026-12-22 18:15', title: 'Next week' })
  await studio.createClass({ at: '2026-12-30 18:15', title: 'Later still' })
  const copy = { from: '2026-12-14', to: '2026-12-21' }
  const before = describeClasses(await listClassesAs(dora))
  expect(await dora.call(copyWeek, { body: { ...copy, ...ASKS } })).toBeRefused(timetableRefusals.classes_overlap)
  const extend = (body: object) =>
    dora.call(extendSeries, { params: { id: series.id }, body: { until: '2027-01-01', ...body } })
  expect(await extend(ASKS)).toBeRefused(timetableRefusals.classes_overlap)
  expect(describeClasses(await listClassesAs(dora))).toEqual(before)
  expect(await extend({})).toMatchObject({ status: 200, body: { classes: 2 } })
  expect(await dora.call(copyWeek, { body: copy })).toMatchObject({
    status: 201,
    body: { classes: 1, alreadyThere: 1 },
  })
})
