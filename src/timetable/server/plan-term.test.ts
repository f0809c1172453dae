import { describe, expect, test } from 'vitest'
import { editStudio } from '#facts/contract.ts'
import { defined } from '#foundation/collections.ts'
import { deleteClass, editClass } from '#schedule/contract.ts'
import { closeDays } from '#schedule/contract-closures.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { listClasses } from '../contract.ts'
import * as contract from '../contract-term.ts'

const MONDAY = { day: 'Monday', startTime: '09:30', maxParticipants: 2 }
const FRIDAY = { day: 'Friday', startTime: '08:00', maxParticipants: 1 }

const timetablesAre = async (admin: Person, ...timetables: object[]) =>
  expect((await admin.call(editStudio, { body: { timetables } })).status).toBe(200)
const plan = async (admin: Person, body: object) => {
  const { status, body: term } = await admin.call(contract.planTerm, { body })
  expect(status).toBe(200)
  return term as contract.Term
}
const preview = (admin: Person, body: object) => admin.read(contract.previewTerm, { body })
const listed = async (person: Person) =>
  (await person.read(listClasses)).map(
    ({ date, startTime, startsAt }) => `${date} ${startTime} ${startsAt.slice(11, 16)}`,
  )

/** A studio whose timetable is Monday 09:30 and Friday 08:00 (one-on-one), on Monday 7 December. */
async function withTimetable() {
  const story = await openStudio({ now: 'Monday 12:00' })
  await timetablesAre(story.dora, { from: '2026-01-01', slots: [MONDAY, FRIDAY] })
  return story
}

describe('planning a term', () => {
  test('shows the classes first, then makes one series per slot and keeps the time when the clocks change', async () => {
    const { dora, studio } = await withTimetable()
    const term = { from: '2027-03-22', to: '2027-04-04' }
    const shown = await preview(dora, term)
    expect(shown).toMatchObject({
      classes: 4,
      slots: [
        {
          ...MONDAY,
          endTime: '10:15',
          classes: 2,
          first: '2027-03-22',
          last: '2027-03-29',
          price: '65.00',
          passPrice: '50.00',
        },
        { ...FRIDAY, endTime: '08:45', classes: 2, first: '2027-03-26', last: '2027-04-02' },
      ],
      overlaps: [],
    })
    expect(await listed(dora)).toEqual([])
    const { overlaps: _, ...made } = shown
    expect(await plan(dora, term)).toEqual(made)
    // Summer time begins on 28 March.
    expect(await listed(studio.visitor())).toEqual([
      '2027-03-22 09:30 09:30',
      '2027-03-26 08:00 08:00',
      '2027-03-29 09:30 08:30',
      '2027-04-02 08:00 07:00',
    ])
    const autumn = await plan(dora, { from: '2027-10-29', to: '2027-11-01' })
    expect(autumn.classes).toBe(2)
    expect((await listed(dora)).slice(-2)).toEqual(['2027-10-29 08:00 07:00', '2027-11-01 09:30 09:30'])
    const [first] = await dora.read(listClasses)
    expect(first).toMatchObject({
      title: 'Reformer Pilates Duo',
      isRepeating: true,
      repeatFrequency: 'weekly',
      repeatUntilDate: '2027-03-29',
      maxParticipants: 2,
    })
  })

  test('follows a timetable that changes within the term', async () => {
    const { dora } = await withTimetable()
    await timetablesAre(
      dora,
      { from: '2026-01-01', slots: [MONDAY, FRIDAY] },
      { from: '2027-01-15', slots: [MONDAY, { ...FRIDAY, startTime: '08:15' }] },
    )
    const { slots } = await plan(dora, { from: '2027-01-04', to: '2027-01-24' })
    expect(slots.map(({ startTime, classes, first, last }) => [startTime, classes, first, last])).toEqual([
      ['09:30', 3, '2027-01-04', '2027-01-18'],
      ['08:00', 1, '2027-01-08', '2027-01-08'],
      ['08:15', 2, '2027-01-15', '2027-01-22'],
    ])
  })

  test('leaves out closed days, chosen days, the past and classes that are there', async () => {
    const { dora, studio } = await withTimetable()
    await studio.createClass({ at: '2026-12-11 08:00', title: 'Mine', places: 1 })
    await dora.call(closeDays, { body: { from: '2026-12-24', to: '2026-12-27', reason: 'Christmas' } })
    const { classes, slots } = await plan(dora, { from: '2026-12-07', to: '2027-01-03', leaveOut: ['2026-12-28'] })
    expect(classes).toBe(4)
    expect(slots).toMatchObject([
      {
        classes: 2,
        inThePast: 1,
        leftOut: 1,
        onClosedDays: 0,
        alreadyThere: 0,
        first: '2026-12-14',
        last: '2026-12-21',
      },
      { classes: 2, title: 'Mine', onClosedDays: 1, alreadyThere: 1, first: '2026-12-18', last: '2027-01-01' },
    ])
  })

  test('leaves out single classes', async () => {
    const { dora } = await withTimetable()
    const leaveOutClasses = [
      { date: '2026-12-14', startTime: '09:30' },
      { date: '2026-12-18', startTime: '09:30' },
    ]
    const { slots } = await plan(dora, { from: '2026-12-14', to: '2026-12-27', leaveOutClasses })
    expect(slots).toMatchObject([
      { classes: 1, clashing: 1, leftOut: 0 },
      { classes: 2, clashing: 0 },
    ])
  })

  test('run again, makes only what is missing: not a class that was moved or deleted', async () => {
    const { dora } = await withTimetable()
    const term = { from: '2026-12-14', to: '2026-12-27' }
    expect((await plan(dora, term)).classes).toBe(4)
    const ids = new Map((await dora.read(listClasses)).map(({ id, date }) => [date, id]))
    const id = (date: string) => ({ params: { id: defined(ids.get(date)) } })
    await dora.call(editClass, { ...id('2026-12-14'), body: { startTime: '10:30', endTime: '11:15' } })
    await dora.call(deleteClass, { ...id('2026-12-18'), body: {} })
    const again = await plan(dora, { ...term, to: '2027-01-03' })
    expect(again.slots).toMatchObject([
      { classes: 1, first: '2026-12-28', alreadyThere: 1, movedOrDeleted: 1 },
      { classes: 1, first: '2027-01-01', alreadyThere: 1, movedOrDeleted: 1 },
    ])
    expect((await plan(dora, { ...term, to: '2027-01-03' })).classes).toBe(0)
    // A class moved into a slot is there.
    await dora.call(editClass, {
      ...id('2026-12-14'),
      body: { date: '2027-01-04', startTime: '09:30', endTime: '10:15' },
    })
    expect((await plan(dora, { from: '2027-01-04', to: '2027-01-04' })).slots).toMatchObject([
      { classes: 0, alreadyThere: 1 },
    ])
  })

  test('makes a class once on concurrent requests and on a repeated key', async () => {
    const { dora } = await withTimetable()
    const body = { from: '2026-12-14', to: '2026-12-20' }
    const made = await Promise.all([plan(dora, body), plan(dora, body)])
    expect(made.map(({ classes }) => classes).sort()).toEqual([0, 2])
    const key = { 'idempotency-key': 'a-term' }
    const next = { from: '2026-12-21', to: '2026-12-23' }
    const [once, twice] = [
      await dora.request('POST', '/api/admin/terms', next, key),
      await dora.request('POST', '/api/admin/terms', next, key),
    ]
    expect([once.body.classes, twice.body]).toEqual([1, once.body])
  })

  test('takes title, places and prices for each slot; two slots at one time are two classes', async () => {
    const { dora } = await withTimetable()
    await timetablesAre(dora, { from: '2026-01-01', slots: [MONDAY, MONDAY, FRIDAY] })
    const slots = [
      { day: 'Friday', startTime: '08:00', title: 'Early', maxParticipants: 2, price: '70', passPrice: 55.5 },
    ]
    const term = { from: '2026-12-14', to: '2026-12-20', slots }
    expect((await plan(dora, term)).slots).toMatchObject([
      { classes: 1, price: '65.00' },
      { classes: 1, price: '65.00' },
      { classes: 1, title: 'Early', maxParticipants: 2, price: '70.00', passPrice: '55.50' },
    ])
    expect((await dora.read(listClasses)).at(-1)).toMatchObject({ title: 'Early', maxParticipants: 2, price: '70.00' })
    expect((await plan(dora, term)).classes).toBe(0)
  })

  test('asks about overlaps if the caller wants to, and otherwise allows them', async () => {
    const { dora, studio } = await withTimetable()
    await studio.createClass({ at: '2026-12-14 09:00', title: 'Before' })
    const term = { from: '2026-12-14', to: '2026-12-20' }
    expect((await preview(dora, term)).overlaps).toEqual(['Before on Monday 14 December, 09:00 to 09:45'])
    const asked = await dora.call(contract.planTerm, { body: { ...term, ifNoOverlap: true } })
    expect(asked.body).toMatchObject({ code: 'classes_overlap', errors: [{ path: 'ifNoOverlap' }] })
    expect(await listed(dora)).toHaveLength(1)
    expect((await plan(dora, term)).classes).toBe(2)
  })

  test('makes at most 366 classes of a slot, in few statements', async () => {
    const { dora, studio } = await withTimetable()
    const last = Temporal.PlainDate.from('2026-12-14').add({ weeks: 365 }).toString()
    const tooLong = { from: '2026-12-14', to: Temporal.PlainDate.from(last).add({ weeks: 1 }).toString() }
    expect((await dora.call(contract.planTerm, { body: tooLong })).body).toMatchObject({ code: 'series_too_long' })
    expect((await plan(dora, { from: '2026-12-14', to: last })).classes).toBe(366 + 365)
    const { rows } = await studio.server.database.pool.query(
      'select count(*)::int as n, count(distinct c.series_id)::int as series from planned_classes join classes c on c.id = class_id',
    )
    expect(rows).toEqual([{ n: 731, series: 2 }])
  })

  test('keeps one class for a slot and day, and one slot for a class', async () => {
    const { dora, studio } = await withTimetable()
    await plan(dora, { from: '2026-12-14', to: '2026-12-20' })
    const copy = (nth: string, startTime: string) =>
      studio.server.database.pool
        .query(
          `insert into planned_classes select date, ${startTime}, ${nth}, class_id from planned_classes where nth = 1 limit 1`,
        )
        .then(() => undefined)
        .catch(({ constraint }) => constraint)
    expect(await copy('nth', 'start_time')).toBe('a_term_makes_a_class_once')
    expect(await copy('nth + 1', 'start_time')).toBe('a_class_is_planned_for_one_slot')
  })

  test.each([
    [{ from: '2026-12-20', to: '2026-12-14' }, 'to'],
    [{ from: '2026-12-14' }, 'to'],
    [{ from: '2026-12-14', to: '2026-12-20', leaveOut: ['Christmas'] }, 'leaveOut.0'],
    [
      { from: '2026-12-14', to: '2026-12-20', slots: [{ day: 'Monday', startTime: '09:30', price: 'much' }] },
      'slots.0.price',
    ],
  ])('refuses %j', async (body, path) => {
    const { dora } = await openStudio()
    expect(await dora.call(contract.planTerm, { body })).toMatchObject({ status: 400, body: { errors: [{ path }] } })
  })
})
