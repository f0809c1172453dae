import { describe, expect, test } from 'vitest'
import { getClassForAdmin } from '#booking/contract-classes.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { openStudio, shareStudio } from '#testing/studio-under-test.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import {
  createSeriesAndNeighbours,
  describeClasses,
  editClassAs,
  listClassesAs,
  mailSubjectsTo,
  remove,
  UNTOUCHED,
  upcomingOf,
} from './classes-under-test.ts'

/** For tests of refusals only. */
const story = shareStudio()

describe('editing a class', () => {
  test('changes only the fields sent', async () => {
    const { studio, dora, ana } = await openStudio()
    const id = await studio.createClass('Tuesday 18:00')
    const [before] = await listClassesAs(ana)
    studio.clock.advance({ minutes: 5 })
    const { status, body } = await editClassAs(dora, id, { title: 'Gentle Reformer', bookedCount: 2, colour: 'blue' })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, title: 'Gentle Reformer', updatedAt: '2026-12-07T09:05:00Z' })
    const more = { description: 'Socks', price: '70.5', passPrice: 55, instructorName: 'Guest', maxParticipants: 1 }
    expect((await editClassAs(dora, id, more)).body).toMatchObject({
      title: 'Gentle Reformer',
      description: 'Socks',
      price: '70.50',
      passPrice: '55.00',
      instructorName: 'Guest',
      maxParticipants: 1,
      availableSpots: 1,
    })
    expect((await editClassAs(dora, id, { description: '' })).body.description).toBeNull()
  })

  test('moves a class by wall time with its bookings, and emails their members', async () => {
    const { studio, dora, ana } = await openStudio()
    const id = await studio.createClass('Tuesday 18:00')
    await ana.book(id)
    const moved = { date: '2027-03-28', startTime: '09:30', endTime: '10:15' }
    expect((await editClassAs(dora, id, moved)).body).toMatchObject({ ...moved, bookedCount: 1 })
    expect(await upcomingOf(ana)).toMatchObject([
      {
        class: { ...moved, startsAt: '2027-03-28T08:30:00Z' },
        movedFrom: { date: '2026-12-08', startTime: '18:00', endTime: '18:45' },
      },
    ])
    const subjects = (await mailSubjectsTo(studio, ana)).filter((subject) => subject.includes('moved'))
    expect(subjects).toEqual(['Your class on Tuesday 8 December at 18:00 has moved to Sunday 28 March at 09:30'])
  })

  test('can move an empty class into the past, and end it before it starts', async () => {
    const { studio, dora } = await openStudio()
    const id = await studio.createClass('Tuesday 18:00')
    const wall = { date: '2020-01-01', startTime: '18:00', endTime: '17:00' }
    expect(await editClassAs(dora, id, wall)).toMatchObject({ status: 200, body: wall })
  })

  test('leaves similar classes alone', async () => {
    const { studio, dora } = await openStudio()
    const { series } = await createSeriesAndNeighbours(studio, dora)
    await editClassAs(dora, series[1] ?? 0, { title: 'Only me', applyToRecurring: false })
    const titles = (await listClassesAs(dora)).map(({ title }) => title)
    expect(titles.filter((title) => title === 'Only me')).toHaveLength(1)
    expect(titles.filter((title) => title === 'Series')).toHaveLength(2)
  })

  test('can include every class not yet started at the same weekday, start and end, in a series or not', async () => {
    const { studio, dora } = await openStudio()
    const { series } = await createSeriesAndNeighbours(studio, dora)
    // At its very start the first class counts as started.
    studio.travelTo('2026-12-08 18:00')
    const response = await editClassAs(dora, series[1] ?? 0, {
      startTime: '17:30',
      endTime: '18:15',
      applyToRecurring: true,
    })
    expect(response).toMatchObject({ status: 200, body: { id: series[1], startTime: '17:30' } })
    expect(describeClasses(await listClassesAs(dora))).toEqual([
      UNTOUCHED[0],
      'Alone 2026-12-29 17:30-18:15',
      ...UNTOUCHED.slice(1, 3),
      'Series 2026-12-08 18:00-18:45',
      'Series 2026-12-15 17:30-18:15',
      'Series 2026-12-22 17:30-18:15',
      ...UNTOUCHED.slice(3),
    ])
  })

  test('can include only the later ones, which must not have started', async () => {
    const { studio, dora } = await openStudio()
    const { series } = await createSeriesAndNeighbours(studio, dora)
    const later = { startTime: '17:30', endTime: '18:15', applyToRecurring: 'later' }
    expect(await editClassAs(dora, series[1] ?? 0, later)).toMatchObject({ status: 200, body: { id: series[1] } })
    expect(describeClasses(await listClassesAs(dora))).toEqual([
      UNTOUCHED[0],
      'Alone 2026-12-29 17:30-18:15',
      ...UNTOUCHED.slice(1, 3),
      'Series 2026-12-08 18:00-18:45',
      'Series 2026-12-15 17:30-18:15',
      'Series 2026-12-22 17:30-18:15',
      ...UNTOUCHED.slice(3),
    ])
    // The named class has started, and so has the second; only later classes that have not started follow it.
    await editClassAs(dora, series[0] ?? 0, { startTime: '17:30', endTime: '18:15' })
    studio.travelTo('2026-12-15 17:30')
    await editClassAs(dora, series[0] ?? 0, { title: 'Named', applyToRecurring: 'later' })
    const named = (await listClassesAs(dora)).filter(({ title }) => title === 'Named')
    expect(named.map(({ date }) => date)).toEqual(['2026-12-08', '2026-12-22', '2026-12-29'])
  })

  test('takes the later dates of a monthly series, as counted beforehand, and nothing else on its weekday', async () => {
    const { studio, dora } = await openStudio()
    const repeat = { isRepeating: true, repeatFrequency: 'monthly', repeatUntilDate: '2027-06-15' }
    const form = { title: 'Monthly', date: '2027-01-15', startTime: '10:00', endTime: '10:45' }
    await dora.request('POST', '/api/classes', { ...form, ...repeat })
    await studio.createClass({ at: '2027-02-22 10:00', title: 'Alone' })
    const monthly = async () => (await listClassesAs(dora)).filter(({ title }) => title === 'Monthly')
    const [, february, march] = (await monthly()).map(({ id }) => id)
    await editClassAs(dora, march ?? 0, { date: '2027-03-16', startTime: '12:00', endTime: '12:45' })
    const { touches } = await dora.read(getClassForAdmin, { params: { id: february ?? 0 } })
    // On the same Monday slot is only the neighbour.
    expect([touches.later.classes, touches.all.classes]).toEqual([5, 2])

    const times = { startTime: '11:00', endTime: '11:45' }
    await editClassAs(dora, february ?? 0, { ...times, applyToRecurring: 'later' })
    const starts = (await listClassesAs(dora)).map(({ title, date, startTime }) => `${title} ${date} ${startTime}`)
    expect(starts.sort()).toEqual([
      'Alone 2027-02-22 10:00',
      'Monthly 2027-01-15 10:00',
      'Monthly 2027-02-15 11:00',
      'Monthly 2027-03-16 11:00',
      'Monthly 2027-04-15 11:00',
      'Monthly 2027-05-15 11:00',
      'Monthly 2027-06-15 11:00',
    ])

    studio.travelTo('2027-03-16 11:00')
    await studio.logIn(dora)
    // March has started.
    expect((await remove(dora, february ?? 0, { applyToRecurring: 'later' })).status).toBe(200)
    expect((await monthly()).map(({ date }) => date)).toEqual(['2027-01-15', '2027-03-16'])
  })

  test('lets one of two concurrent edits of this and the later ones through, and emails each member once', async () => {
    const { studio, dora, ana } = await openStudio()
    const { series } = await createSeriesAndNeighbours(studio, dora)
    await ana.book(series[2] ?? 0)
    const ifUpdatedAt = (await listClassesAs(dora)).find(({ id }) => id === series[1])?.updatedAt
    const times = ['17:00', '17:30']
    const responses = await Promise.all(
      times.map((startTime) =>
        editClassAs(dora, series[1] ?? 0, { startTime, endTime: '18:15', applyToRecurring: 'later', ifUpdatedAt }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    const startTime = times[responses.findIndex(({ status }) => status === 200)]
    const later = (await listClassesAs(dora)).filter(({ id }) => series.slice(1).includes(id))
    expect(later.map((one) => one.startTime)).toEqual([startTime, startTime])
    expect((await mailSubjectsTo(studio, ana)).filter((subject) => subject.includes('moved'))).toHaveLength(1)
  })

  test('shifts all similar classes by the same number of days', async () => {
    const { studio, dora } = await openStudio()
    const { series } = await createSeriesAndNeighbours(studio, dora)
    await editClassAs(dora, series[1] ?? 0, { date: '2026-12-17', applyToRecurring: true })
    expect(describeClasses(await listClassesAs(dora))).toEqual([
      UNTOUCHED[0],
      'Alone 2026-12-31 18:00-18:45',
      ...UNTOUCHED.slice(1, 3),
      'Series 2026-12-10 18:00-18:45',
      'Series 2026-12-17 18:00-18:45',
      'Series 2026-12-24 18:00-18:45',
      ...UNTOUCHED.slice(3),
    ])
  })

  test('leaves other fields of similar classes alone, such as a changed title or being inactive', async () => {
    const { studio, dora } = await openStudio()
    const { series } = await createSeriesAndNeighbours(studio, dora)
    const [first = 0, holiday = 0, special = 0] = series
    await editClassAs(dora, holiday, { isActive: false })
    await editClassAs(dora, special, { title: 'Candlelight', maxParticipants: 1 })
    await editClassAs(dora, first, { startTime: '17:30', endTime: '18:15', applyToRecurring: true })
    const three = (await listClassesAs(dora)).filter(({ id }) => series.includes(id))
    expect(
      three.map(({ title, isActive, maxParticipants, startTime }) => [title, isActive, maxParticipants, startTime]),
    ).toEqual([
      ['Series', true, 2, '17:30'],
      ['Series', false, 2, '17:30'],
      ['Candlelight', true, 1, '17:30'],
    ])
  })

  test('cannot reduce places below bookings in any class, and then changes none', async () => {
    const { studio, dora, ana, boris } = await openStudio()
    const { series, alone } = await createSeriesAndNeighbours(studio, dora)
    await studio.completeHealth(boris)
    await studio.grantCredits(boris, 1)
    await ana.book(alone)
    await boris.book(alone)
    const before = await listClassesAs(dora)
    const edit = { maxParticipants: 1, title: 'Private', applyToRecurring: true }
    expect(await editClassAs(dora, series[0] ?? 0, edit)).toBeRefused(timetableRefusals.capacity_below_bookings)
    expect(await editClassAs(dora, alone, { ...edit, applyToRecurring: false })).toBeRefused(
      timetableRefusals.capacity_below_bookings,
    )
    expect(await listClassesAs(dora)).toEqual(before)
    expect((await editClassAs(dora, series[0] ?? 0, { maxParticipants: 1 })).body).toMatchObject({ availableSpots: 1 })
  })

  test.each([
    [{ title: '' }, 'title', 'Title is required'],
    [{ title: null }, 'title', 'Title is required'],
    [{ date: '' }, 'date', 'Date is required'],
    [{ startTime: '25:00' }, 'startTime', 'Start time is required'],
    [{ endTime: null }, 'endTime', 'End time is required'],
    [{ maxParticipants: 3 }, 'maxParticipants', 'Please choose 1 or 2 participants'],
    [{ maxParticipants: 0 }, 'maxParticipants', 'Please choose 1 or 2 participants'],
    [{ isActive: 'no' }, 'isActive', 'Enter true or false for isActive'],
    [{ applyToRecurring: 'all' }, 'applyToRecurring', 'Enter true, false or later for applyToRecurring'],
  ])('refuses %j next to the field', async (body, path, message) => {
    const { studio, dora } = story
    const id = await studio.createClass('Tuesday 18:00')
    const before = await listClassesAs(dora)
    expect(await editClassAs(dora, id, body)).toMatchObject({
      status: 400,
      body: { message, errors: [{ path, message }] },
    })
    expect(await listClassesAs(dora)).toEqual(before)
  })

  test('is for admins, and existing classes', async () => {
    const { studio, dora, ana } = await openStudio()
    const id = await studio.createClass('Tuesday 18:00')
    for (const [person, refusal] of [
      [ana, commonRefusals.forbidden],
      [studio.visitor(), commonRefusals.unauthorized],
    ] as const) {
      expect(await editClassAs(person, id, { title: 'Mine' })).toBeRefused(refusal)
      expect(await remove(person, id)).toBeRefused(refusal)
    }
    expect(await listClassesAs(ana)).toMatchObject([{ title: 'Reformer' }])
    await remove(dora, id)
    for (const unknown of [id, 987_654]) {
      expect(await editClassAs(dora, unknown, { title: 'x' })).toBeRefused(timetableRefusals.class_not_found)
      expect(await remove(dora, unknown)).toBeRefused(timetableRefusals.class_not_found)
    }
  })
})
