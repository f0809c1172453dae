import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { initialFacts } from '#studio.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, shareStudio } from '#testing/studio-under-test.ts'
import { createClass, listClasses, timetableRefusals } from '../contract.ts'

const story = shareStudio()

const form = { title: 'Evening Reformer', date: '2026-12-08', startTime: '18:00', endTime: '18:45' }
const createAs = (admin: Person, body: object) => admin.call(createClass, { body })
const listClassesAs = (person: Person, query: Record<string, string> = {}) => person.read(listClasses, { query })
/** The dates of classes with a title, as an admin sees them. */
const daysOf = async (title: string) =>
  (await listClassesAs(story.dora)).filter((one) => one.title === title).map(({ date }) => date)

describe('the list of classes', () => {
  test('is in order, with inclusive dates, and shows inactive classes to admins', async () => {
    const { studio, ana, dora } = await openStudio()
    await studio.createClass({ at: '2026-12-10 09:00', title: 'C' })
    await studio.createClass({ at: '2026-12-09 18:00', title: 'B' })
    await studio.createClass({ at: '2026-12-09 09:00', title: 'A' })
    await studio.createClass({ at: '2026-12-11 09:00', title: 'D', isActive: false })
    await studio.createClass({ at: '2026-01-02 09:00', title: 'past' })
    const titles = async (person: Person, query = {}) =>
      (await listClassesAs(person, query)).map(({ title }) => title).join(' ')
    for (const person of [studio.visitor(), ana]) {
      expect(await titles(person)).toBe('past A B C')
      expect(await titles(person, { from: '2026-12-09' })).toBe('A B C')
      expect(await titles(person, { to: '2026-12-09' })).toBe('past A B')
      expect(await titles(person, { from: '2026-12-10', to: '2026-12-10' })).toBe('C')
      expect(await titles(person, { from: '2026-12-11', to: '2026-12-09' })).toBe('')
    }
    expect(await titles(dora)).toBe('past A B C D')
    expect(await titles(dora, { from: '2026-12-10', to: '2026-12-11' })).toBe('C D')
  })

  test('shows free places as they are booked', async () => {
    const { studio, ana, dora } = await openStudio()
    const id = await studio.createClass('Tuesday 18:00')
    expect(await listClassesAs(ana)).toMatchObject([{ id, maxParticipants: 2, bookedCount: 0, availableSpots: 2 }])
    const { body } = await ana.book(id)
    expect(await listClassesAs(studio.visitor())).toMatchObject([{ id, bookedCount: 1, availableSpots: 1 }])
    await ana.cancel(body.id)
    expect(await listClassesAs(dora)).toMatchObject([{ id, bookedCount: 0, availableSpots: 2 }])
  })

  test.each(['2026-02-30', 'today', '2026-12-9', '', '2026-12-09T00:00'])(
    'answers 400 to a date of %j',
    async (from) => {
      expect((await story.ana.call(listClasses, { query: { from } })).status).toBe(400)
    },
  )
})

describe('a new class', () => {
  test('has every field, with default prices and instructor', async () => {
    const { status, body } = await createAs(story.dora, {
      ...form,
      title: 'All Fields',
      bookedCount: 2,
      colour: 'blue',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      ...form,
      title: 'All Fields',
      description: null,
      startsAt: '2026-12-08T18:00:00Z',
      endsAt: '2026-12-08T18:45:00Z',
      maxParticipants: 2,
      bookedCount: 0,
      availableSpots: 2,
      reservedPlaces: 0,
      price: '65.00',
      passPrice: '50.00',
      instructorName: initialFacts.instructor.name,
      isActive: true,
      isRepeating: false,
      repeatFrequency: null,
      repeatUntilDate: null,
      createdAt: '2026-12-07T09:00:00Z',
      updatedAt: '2026-12-07T09:00:00Z',
    })
    expect(await listClassesAs(story.studio.visitor())).toContainEqual(body)
  })

  test('keeps every value as sent', async () => {
    const sent = {
      ...form,
      title: 'Réformer “Duo” 🐈',
      description: 'Bring socks',
      maxParticipants: 1,
      isActive: false,
      price: '70.00',
      passPrice: '55.50',
      instructorName: 'Guest',
    }
    expect((await createAs(story.dora, sent)).body).toMatchObject(sent)
    const { body } = await createAs(story.dora, { ...form, price: 70.5, passPrice: 0, description: '' })
    expect(body).toMatchObject({ price: '70.50', passPrice: '0.00', description: null })
  })

  test('can be in the past, and lasts 45 minutes if it ends before it starts', async () => {
    const { studio, dora } = story
    const past = await createAs(dora, { ...form, date: '2020-02-29', startTime: '23:50', endTime: '00:35' })
    expect(past).toMatchObject({ status: 201, body: { date: '2020-02-29', startTime: '23:50', endTime: '00:35' } })
    const minutes = 'select extract(epoch from ends_at - starts_at) / 60 from classes where id = $1'
    expect(await studio.count(minutes, [past.body.id])).toBe(45)
  })

  const REPEAT = 'Repeat frequency and end date are required for repeating classes'
  const PLACES = 'Please choose 1 or 2 participants'
  test.each([
    ['title', undefined, 'Title is required'],
    ['title', ' ', 'Title is required'],
    ['title', null, 'Title is required'],
    ['title', ['x'], 'Title is required'],
    ['title', 'x'.repeat(256), 'Please use at most 255 characters'],
    ['date', undefined, 'Date is required'],
    ['date', '', 'Date is required'],
    ['date', '2026-02-30', 'Date is required'],
    ['date', '08/12/2026', 'Date is required'],
    ['date', 20261208, 'Date is required'],
    ['startTime', undefined, 'Start time is required'],
    ['startTime', '', 'Start time is required'],
    ['startTime', '24:00', 'Start time is required'],
    ['startTime', '9:30', 'Start time is required'],
    ['endTime', undefined, 'End time is required'],
    ['endTime', '18:60', 'End time is required'],
    ['maxParticipants', 0, PLACES],
    ['maxParticipants', 3, PLACES],
    ['maxParticipants', '2', PLACES],
    ['price', '', 'Please enter a price in pounds'],
    ['price', '-1', 'Please write the price in pounds, such as 45, 45.50 or 1,200'],
    ['passPrice', 'free', 'Please write the price in pounds, such as 45, 45.50 or 1,200'],
    ['isActive', 'yes', 'Enter true or false for isActive'],
    ['isRepeating', 'yes', 'Enter true or false for isRepeating'],
    ['repeatFrequency', 'daily', 'Please choose weekly, biweekly or monthly'],
    ['repeatUntilDate', 'next year', 'Please enter a date'],
  ])('is refused with %s %j: %s', async (path, value, message) => {
    const { studio, dora } = story
    const before = await studio.count('select count(*) from classes')
    const response = await createAs(dora, { ...form, [path]: value })
    expect(response).toMatchObject({ status: 400, body: { message, errors: [{ path, message }] } })
    expect(await studio.count('select count(*) from classes')).toBe(before)
  })

  test.each([
    [{}, ['repeatFrequency', 'repeatUntilDate']],
    [{ repeatFrequency: '', repeatUntilDate: '' }, ['repeatFrequency', 'repeatUntilDate']],
    [{ repeatFrequency: null, repeatUntilDate: null }, ['repeatFrequency', 'repeatUntilDate']],
    [{ repeatFrequency: 'weekly' }, ['repeatUntilDate']],
    [{ repeatUntilDate: '2027-01-01' }, ['repeatFrequency']],
  ])('is refused if repeating with %j, next to each missing field', async (repeat, paths) => {
    const response = await createAs(story.dora, { ...form, isRepeating: true, ...repeat })
    const errors = paths.map((path) => ({ path, message: REPEAT }))
    expect(response).toMatchObject({ status: 400, body: { message: REPEAT, errors } })
  })

  test('reports the repetition even if other fields are invalid', async () => {
    const { body } = await createAs(story.dora, { ...form, title: undefined, isRepeating: true })
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'repeatFrequency',
      'repeatUntilDate',
      'title',
    ])
  })

  test('reports an unknown frequency once', async () => {
    const repeat = { isRepeating: true, repeatFrequency: 'daily', repeatUntilDate: '2027-01-01' }
    const { body } = await createAs(story.dora, { ...form, ...repeat })
    expect(body.errors).toEqual([{ path: 'repeatFrequency', message: 'Please choose weekly, biweekly or monthly' }])
  })

  test.each([
    ['the day itself', '2026-12-08'],
    ['the day before', '2026-12-07'],
  ])('is refused if repeating until %s, and none is created', async (_day, repeatUntilDate) => {
    const { studio, dora } = story
    const before = await studio.count('select count(*) from classes')
    const repeat = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate }
    const message = 'Repeat until must be a day after the date of the class'
    expect(await createAs(dora, { ...form, ...repeat })).toMatchObject({
      status: 400,
      body: { message, errors: [{ path: 'repeatUntilDate', message }] },
    })
    expect(await studio.count('select count(*) from classes')).toBe(before)
    expect((await createAs(dora, { ...form, ...repeat, isRepeating: false })).status).toBe(201)
  })

  test.each([[[]], ['null'], ['"class"'], ['5']])('is not created from %j', async (body) => {
    expect((await story.dora.request('POST', '/api/classes', body)).status).toBe(400)
  })

  test('is for admins to create', async () => {
    expect(await createAs(story.ana, form)).toBeRefused(commonRefusals.forbidden)
    expect(await createAs(story.studio.visitor(), form)).toBeRefused(commonRefusals.unauthorized)
  })
})

describe('a repeating class', () => {
  test('creates a class per week including the end date, and returns the first', async () => {
    const repeat = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '2026-12-29' }
    const { status, body } = await createAs(story.dora, { ...form, title: 'Weekly', ...repeat })
    expect(status).toBe(201)
    expect(body).toMatchObject({ date: '2026-12-08', ...repeat })
    expect(await daysOf('Weekly')).toEqual(['2026-12-08', '2026-12-15', '2026-12-22', '2026-12-29'])
    const series = `select count(distinct series_id) from classes where title = 'Weekly'`
    expect(await story.studio.count(series)).toBe(1)
  })

  test.each([
    ['biweekly', '2026-12-08', '2027-01-05', ['2026-12-08', '2026-12-22', '2027-01-05']],
    ['monthly', '2027-01-31', '2027-04-30', ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']],
  ])('%s from %s until %s', async (repeatFrequency, date, repeatUntilDate, days) => {
    const repeat = { isRepeating: true, repeatFrequency, repeatUntilDate }
    await createAs(story.dora, { ...form, ...repeat, title: repeatFrequency, date })
    expect(await daysOf(repeatFrequency)).toEqual(days)
  })

  test.each([
    ['spring', '2027-03-21', '2027-04-04', ['2027-03-21T09:30:00Z', '2027-03-28T08:30:00Z', '2027-04-04T08:30:00Z']],
    ['autumn', '2027-10-24', '2027-11-07', ['2027-10-24T08:30:00Z', '2027-10-31T09:30:00Z', '2027-11-07T09:30:00Z']],
  ])('keeps its wall time over the clock change in %s', async (title, date, repeatUntilDate, instants) => {
    const repeat = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate }
    await createAs(story.dora, { ...form, ...repeat, title, date, startTime: '09:30', endTime: '10:15' })
    const { rows } = await story.studio.server.database.pool.query(
      'select start_time, starts_at, ends_at - starts_at = $2 as lasts from classes where title = $1 order by date',
      [title, '45 minutes'],
    )
    expect(rows.map((row) => Temporal.Instant.from(row.starts_at).toString())).toEqual(instants)
    expect(rows.every((row) => row.start_time === '09:30:00' && row.lasts)).toBe(true)
  })

  test('has at most 366 classes: with one more it is refused and none is created', async () => {
    const { dora } = story
    const until = (weeks: number) => Temporal.PlainDate.from(form.date).add({ weeks }).toString()
    const repeat = { ...form, title: 'Long', isRepeating: true, repeatFrequency: 'weekly' }
    expect(await createAs(dora, { ...repeat, repeatUntilDate: until(366) })).toBeRefused(
      timetableRefusals.series_too_long,
    )
    expect(await daysOf('Long')).toEqual([])
    expect((await createAs(dora, { ...repeat, repeatUntilDate: until(365) })).status).toBe(201)
    expect(await daysOf('Long')).toHaveLength(366)
  })

  test('ignores frequency and end date if not repeating', async () => {
    const repeat = { isRepeating: false, repeatFrequency: 'weekly', repeatUntilDate: '2027-12-29' }
    const { body } = await createAs(story.dora, { ...form, title: 'Once', ...repeat })
    expect(body).toMatchObject({ isRepeating: false, repeatFrequency: null, repeatUntilDate: null })
    expect(await daysOf('Once')).toEqual(['2026-12-08'])
  })
})
