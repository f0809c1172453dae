import { describe, expect, test } from 'vitest'
import { commonRefusals } from '../../foundation/refusal.ts'
import type { Answer, Person } from '../../testing/person.ts'
import { openStudio, type StudioUnderTest, shareStudio } from '../../testing/studio-under-test.ts'
import { listClasses, type StudioClass, timetableRefusals } from '../../timetable/contract.ts'
import { bookingRefusals, listBookings, listUpcomingBookings } from '../contract.ts'
import { deleteClass, editClass } from '../contract-classes.ts'

/** For tests that only look whether something is refused. */
const story = shareStudio()

const edits = (admin: Person, id: number, body: object) => admin.call(editClass, { params: { id }, body })
const deletes = (admin: Person, id: number, body?: object) => admin.call(deleteClass, { params: { id }, body })
const listed = (person: Person) => person.reads(listClasses)
const historyOf = (person: Person) => person.reads(listBookings)
const upcomingOf = (person: Person) => person.reads(listUpcomingBookings)
const subjectsTo = async (studio: StudioUnderTest, person: Person) =>
  (await studio.mailTo(person)).map(({ subject }) => subject)
const apologies = async (studio: StudioUnderTest, person: Person) =>
  (await subjectsTo(studio, person)).filter((subject) => /^We are sorry.* is cancelled$/.test(subject))
/** Three Tuesdays at 18:00 as one series; beside them Tuesdays that end later, start earlier or are later, and a Wednesday. */
async function seriesAndNeighbours(studio: StudioUnderTest, admin: Person) {
  const repeat = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '2026-12-22' }
  const form = { title: 'Series', date: '2026-12-08', startTime: '18:00', endTime: '18:45' }
  await admin.request('POST', '/api/classes', { ...form, ...repeat })
  const alone = await studio.class({ at: '2026-12-29 18:00', title: 'Alone' })
  await studio.class({ at: '2026-12-15 18:00', ends: '19:00', title: 'Longer' })
  await studio.class({ at: '2026-12-15 19:00', title: 'Later' })
  await studio.class({ at: '2026-12-15 17:45', ends: '18:45', title: 'Ahead' })
  await studio.class({ at: '2026-12-16 18:00', title: 'Wednesday' })
  const classes = await listed(admin)
  return { series: classes.filter(({ title }) => title === 'Series').map(({ id }) => id), alone }
}
const untouched = [
  'Ahead 2026-12-15 17:45-18:45',
  'Later 2026-12-15 19:00-19:45',
  'Longer 2026-12-15 18:00-19:00',
  'Wednesday 2026-12-16 18:00-18:45',
]
const inWords = (classes: StudioClass[]) =>
  classes.map((one) => `${one.title} ${one.date} ${one.startTime}-${one.endTime}`).sort()

describe('an edit', () => {
  test('changes what is sent and nothing else', async () => {
    const { studio, dora, ana } = await openStudio()
    const id = await studio.class('Tuesday 18:00')
    const [before] = await listed(ana)
    studio.clock.advance({ minutes: 5 })
    const { status, body } = await edits(dora, id, { title: 'Gentle Reformer', bookedCount: 2, colour: 'blue' })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, title: 'Gentle Reformer', updatedAt: '2026-12-07T09:05:00Z' })
    const more = { description: 'Socks', price: '70.5', passPrice: 55, instructorName: 'Guest', maxParticipants: 1 }
    expect((await edits(dora, id, more)).body).toMatchObject({
      title: 'Gentle Reformer',
      description: 'Socks',
      price: '70.50',
      passPrice: '55.00',
      instructorName: 'Guest',
      maxParticipants: 1,
      availableSpots: 1,
    })
    expect((await edits(dora, id, { description: '' })).body.description).toBeNull()
  })

  test('moves a class by wall time; its bookings go with it, and who booked is told', async () => {
    const { studio, dora, ana } = await openStudio()
    const id = await studio.class('Tuesday 18:00')
    await studio.books(ana, id)
    const moved = { date: '2027-03-28', startTime: '09:30', endTime: '10:15' }
    expect((await edits(dora, id, moved)).body).toMatchObject({ ...moved, bookedCount: 1 })
    expect(await upcomingOf(ana)).toMatchObject([
      {
        class: { ...moved, startsAt: '2027-03-28T08:30:00Z' },
        movedFrom: { date: '2026-12-08', startTime: '18:00', endTime: '18:45' },
      },
    ])
    const subjects = (await subjectsTo(studio, ana)).filter((subject) => subject.includes('moved'))
    expect(subjects).toEqual(['Your class on Tuesday 8 December at 18:00 has moved to Sunday 28 March at 09:30'])
  })

  test('may lie in the past where nobody has booked, and may end before it starts', async () => {
    const { studio, dora } = await openStudio()
    const id = await studio.class('Tuesday 18:00')
    const wall = { date: '2020-01-01', startTime: '18:00', endTime: '17:00' }
    expect(await edits(dora, id, wall)).toMatchObject({ status: 200, body: wall })
  })

  test('of one class leaves those alike alone', async () => {
    const { studio, dora } = await openStudio()
    const { series } = await seriesAndNeighbours(studio, dora)
    await edits(dora, series[1] ?? 0, { title: 'Only me', applyToRecurring: false })
    const titles = (await listed(dora)).map(({ title }) => title)
    expect(titles.filter((title) => title === 'Only me')).toHaveLength(1)
    expect(titles.filter((title) => title === 'Series')).toHaveLength(2)
  })

  test('of all alike takes every class not yet started at the same weekday, start and end, series or not', async () => {
    const { studio, dora } = await openStudio()
    const { series } = await seriesAndNeighbours(studio, dora)
    // At its very start the first one has started.
    studio.itIs('2026-12-08 18:00')
    const answer = await edits(dora, series[1] ?? 0, { startTime: '17:30', endTime: '18:15', applyToRecurring: true })
    expect(answer).toMatchObject({ status: 200, body: { id: series[1], startTime: '17:30' } })
    expect(inWords(await listed(dora))).toEqual([
      untouched[0],
      'Alone 2026-12-29 17:30-18:15',
      ...untouched.slice(1, 3),
      'Series 2026-12-08 18:00-18:45',
      'Series 2026-12-15 17:30-18:15',
      'Series 2026-12-22 17:30-18:15',
      ...untouched.slice(3),
    ])
  })

  test('of all alike with another date shifts all by as many days', async () => {
    const { studio, dora } = await openStudio()
    const { series } = await seriesAndNeighbours(studio, dora)
    await edits(dora, series[1] ?? 0, { date: '2026-12-17', applyToRecurring: true })
    expect(inWords(await listed(dora))).toEqual([
      untouched[0],
      'Alone 2026-12-31 18:00-18:45',
      ...untouched.slice(1, 3),
      'Series 2026-12-10 18:00-18:45',
      'Series 2026-12-17 18:00-18:45',
      'Series 2026-12-24 18:00-18:45',
      ...untouched.slice(3),
    ])
  })

  test('of all alike leaves every other field of each as it is: an inactive one stays off, a renamed one keeps its name', async () => {
    const { studio, dora } = await openStudio()
    const { series } = await seriesAndNeighbours(studio, dora)
    const [first = 0, holiday = 0, special = 0] = series
    await edits(dora, holiday, { isActive: false })
    await edits(dora, special, { title: 'Candlelight', maxParticipants: 1 })
    await edits(dora, first, { startTime: '17:30', endTime: '18:15', applyToRecurring: true })
    const three = (await listed(dora)).filter(({ id }) => series.includes(id))
    expect(
      three.map(({ title, isActive, maxParticipants, startTime }) => [title, isActive, maxParticipants, startTime]),
    ).toEqual([
      ['Series', true, 2, '17:30'],
      ['Series', false, 2, '17:30'],
      ['Candlelight', true, 1, '17:30'],
    ])
  })

  test('cannot leave fewer places than are booked, in any class it means, and then changes none', async () => {
    const { studio, dora, ana, boris } = await openStudio()
    const { series, alone } = await seriesAndNeighbours(studio, dora)
    await studio.completesHealth(boris)
    await studio.grants(boris, 1)
    await studio.books(ana, alone)
    await studio.books(boris, alone)
    const before = await listed(dora)
    const edit = { maxParticipants: 1, title: 'Private', applyToRecurring: true }
    expect(await edits(dora, series[0] ?? 0, edit)).toBeRefused(timetableRefusals.below_booked)
    expect(await edits(dora, alone, { ...edit, applyToRecurring: false })).toBeRefused(timetableRefusals.below_booked)
    expect(await listed(dora)).toEqual(before)
    expect((await edits(dora, series[0] ?? 0, { maxParticipants: 1 })).body).toMatchObject({ availableSpots: 1 })
  })

  test.each([
    [{ title: '' }, 'title', 'Title is required'],
    [{ title: null }, 'title', 'Title is required'],
    [{ date: '' }, 'date', 'Date is required'],
    [{ startTime: '25:00' }, 'startTime', 'Start time is required'],
    [{ endTime: null }, 'endTime', 'End time is required'],
    [{ maxParticipants: 3 }, 'maxParticipants', 'Please choose 1 or 2 participants'],
    [{ maxParticipants: 0 }, 'maxParticipants', 'Please choose 1 or 2 participants'],
    [{ isActive: 'no' }, 'isActive', 'Please send true or false'],
    [{ applyToRecurring: 'all' }, 'applyToRecurring', 'Please send true or false'],
  ])('with %j is refused beside the field', async (body, path, message) => {
    const { studio, dora } = story
    const id = await studio.class('Tuesday 18:00')
    const before = await listed(dora)
    expect(await edits(dora, id, body)).toMatchObject({ status: 400, body: { message, errors: [{ path, message }] } })
    expect(await listed(dora)).toEqual(before)
  })

  test('is an admin’s, and of a class that exists', async () => {
    const { studio, dora, ana } = await openStudio()
    const id = await studio.class('Tuesday 18:00')
    for (const [person, refusal] of [
      [ana, commonRefusals.forbidden],
      [studio.visitor(), commonRefusals.unauthorized],
    ] as const) {
      expect(await edits(person, id, { title: 'Mine' })).toBeRefused(refusal)
      expect(await deletes(person, id)).toBeRefused(refusal)
    }
    expect(await listed(ana)).toMatchObject([{ title: 'Reformer' }])
    await deletes(dora, id)
    for (const unknown of [id, 987_654]) {
      expect(await edits(dora, unknown, { title: 'x' })).toBeRefused(timetableRefusals.class_not_found)
      expect(await deletes(dora, unknown)).toBeRefused(timetableRefusals.class_not_found)
    }
  })
})

describe('a class taken off the timetable', () => {
  const ways: [string, (admin: Person, id: number) => Promise<Answer>][] = [
    ['deleted', (admin, id) => deletes(admin, id)],
    ['deactivated', (admin, id) => edits(admin, id, { isActive: false })],
  ]

  test.each(ways)(
    '%s, cancels its bookings for the members: credit back, pass long enough, a mail each',
    async (_way, takesOff) => {
      const { studio, dora, ana, boris } = await openStudio()
      await studio.completesHealth(boris)
      await studio.grants(boris, 1, 1)
      const id = await studio.class('2027-01-05 18:00')
      const [anas, boriss] = [await studio.books(ana, id), await studio.books(boris, id)]
      // Thirty hours before the class, two days before Boris's pass ends.
      studio.itIs('2027-01-04 12:00')
      expect((await takesOff(dora, id)).status).toBe(200)

      expect(await upcomingOf(ana)).toEqual([])
      expect(await historyOf(ana)).toMatchObject([
        {
          id: anas.body.id,
          status: 'cancelled',
          paymentStatus: 'refunded',
          cancelledAt: '2027-01-04T12:00:00Z',
          class: { title: 'Reformer', date: '2027-01-05', startTime: '18:00' },
        },
      ])
      expect(await studio.creditsOf(ana)).toBe(10)
      expect(await studio.creditsOf(boris)).toBe(1)
      const passOf = async (person: Person) => (await person.request('GET', '/api/user/passes')).body[0]
      expect((await passOf(boris)).expiresAt).toBe('2027-01-18T23:59:59Z')
      expect((await passOf(ana)).expiresAt).toBe('2027-12-07T23:59:59Z')
      expect(await apologies(studio, ana)).toHaveLength(1)
      expect(await apologies(studio, boris)).toHaveLength(1)
      expect(await subjectsTo(studio, dora)).toHaveLength(1)
      expect(await studio.cancels(boris, boriss.body.id)).toBeRefused(bookingRefusals.booking_not_confirmed)
      expect(await apologies(studio, ana)).toHaveLength(1)
    },
  )

  test('a late one is the studio’s too: inside 120 minutes, and while it runs, the credit comes back', async () => {
    const { studio, dora, ana } = await openStudio()
    const [soon, running] = [await studio.class('Monday 10:00'), await studio.class('Monday 09:15')]
    await studio.books(ana, soon)
    await studio.books(ana, running)
    studio.itIs('Monday 09:30')
    await deletes(dora, soon)
    await deletes(dora, running)
    expect(await studio.creditsOf(ana)).toBe(10)
    expect((await historyOf(ana)).map(({ paymentStatus }) => paymentStatus)).toEqual(['refunded', 'refunded'])
  })

  test('one that is over keeps its history and its credits', async () => {
    const { studio, dora, ana } = await openStudio()
    const id = await studio.class('Monday 10:00')
    await studio.books(ana, id)
    studio.itIs('Monday 11:00')
    await deletes(dora, id)
    await studio.server.workers['complete-classes']({}, 'by hand')
    expect(await historyOf(ana)).toMatchObject([{ status: 'completed', paymentStatus: 'paid' }])
    expect(await studio.creditsOf(ana)).toBe(9)
    expect(await apologies(studio, ana)).toEqual([])
  })

  test('what a member had cancelled before stays as it was: no second credit, no mail', async () => {
    const { studio, dora, ana } = await openStudio()
    const [early, late] = [await studio.class('Tuesday 18:00'), await studio.class('Monday 10:30')]
    await studio.cancels(ana, (await studio.books(ana, early)).body.id)
    await studio.cancels(ana, (await studio.books(ana, late)).body.id)
    await deletes(dora, early)
    await edits(dora, late, { isActive: false })
    expect(await studio.creditsOf(ana)).toBe(9)
    expect((await historyOf(ana)).map(({ paymentStatus }) => paymentStatus)).toEqual(['refunded', 'forfeited'])
    expect(await apologies(studio, ana)).toEqual([])
  })

  test('deleted, it leaves every list; deactivated, the admin keeps it and can bring it back, empty', async () => {
    const { studio, dora, ana } = await openStudio()
    const [gone, hidden] = [await studio.class('Tuesday 18:00'), await studio.class('Wednesday 18:00')]
    await studio.books(ana, hidden)
    expect(await deletes(dora, gone)).toMatchObject({ status: 200, body: { message: 'Class deleted successfully' } })
    expect((await edits(dora, hidden, { isActive: false })).body).toMatchObject({
      isActive: false,
      bookedCount: 0,
      availableSpots: 2,
    })
    expect(await listed(ana)).toEqual([])
    expect(await listed(dora)).toMatchObject([{ id: hidden, isActive: false }])
    expect(await studio.books(ana, gone)).toBeRefused(timetableRefusals.class_not_found)
    expect(await studio.books(ana, hidden)).toBeRefused(bookingRefusals.class_inactive)
    await edits(dora, hidden, { isActive: true })
    expect(await listed(ana)).toMatchObject([{ id: hidden, bookedCount: 0 }])
    expect((await studio.books(ana, hidden)).status).toBe(201)
  })

  test('deactivated with fewer places at once, it is empty before it is smaller', async () => {
    const { studio, dora, ana, boris } = await openStudio()
    await studio.completesHealth(boris)
    await studio.grants(boris, 1)
    const id = await studio.class('Tuesday 18:00')
    await studio.books(ana, id)
    await studio.books(boris, id)
    const { body } = await edits(dora, id, { isActive: false, maxParticipants: 1 })
    expect(body).toMatchObject({ isActive: false, maxParticipants: 1, bookedCount: 0 })
  })

  test('all alike deleted: those not yet started at the same weekday, start and end', async () => {
    const { studio, dora, ana } = await openStudio()
    const { series, alone } = await seriesAndNeighbours(studio, dora)
    for (const id of series) await studio.books(ana, id)
    await studio.books(ana, alone)
    studio.itIs('2026-12-08 18:00')
    await deletes(dora, series[2] ?? 0, { applyToRecurring: true })
    expect(inWords(await listed(dora))).toEqual([
      ...untouched.slice(0, 3),
      'Series 2026-12-08 18:00-18:45',
      ...untouched.slice(3),
    ])
    expect(await studio.creditsOf(ana)).toBe(9)
    expect(await apologies(studio, ana)).toHaveLength(3)
  })
})

describe('at the same moment', () => {
  test('members book while the studio deletes: whoever is first, nobody loses a credit or keeps a place', async () => {
    const { studio, dora, ana, boris } = await openStudio()
    await studio.completesHealth(boris)
    await studio.grants(boris, 10)
    const classes = await Promise.all(
      Array.from({ length: 8 }, (_, day) => studio.class(`2026-12-${String(10 + day)} 18:00`)),
    )
    const answers = await Promise.all(
      classes.flatMap((id) => [studio.books(ana, id), deletes(dora, id), studio.books(boris, id)]),
    )
    for (const { status } of answers) expect([200, 201, 404]).toContain(status)
    expect(await upcomingOf(ana)).toEqual([])
    expect(await upcomingOf(boris)).toEqual([])
    expect([await studio.creditsOf(ana), await studio.creditsOf(boris)]).toEqual([10, 10])
    expect(await studio.count(`select count(*) from bookings where status = 'confirmed'`)).toBe(0)
    expect(await studio.count('select coalesce(sum(booked_count), 0) from classes')).toBe(0)
    expect(await apologies(studio, ana)).toHaveLength((await historyOf(ana)).length)
  })

  test('members cancel while the studio deletes: one credit comes back, not two', async () => {
    const { studio, dora, ana } = await openStudio()
    const classes = await Promise.all(
      Array.from({ length: 8 }, (_, day) => studio.class(`2026-12-${String(10 + day)} 18:00`)),
    )
    const booked: { id: number; classId: number }[] = []
    for (const id of classes) booked.push((await studio.books(ana, id)).body)
    await Promise.all(booked.flatMap(({ id, classId }) => [studio.cancels(ana, id), deletes(dora, classId)]))
    expect(await studio.creditsOf(ana)).toBe(10)
    expect((await historyOf(ana)).every(({ paymentStatus }) => paymentStatus === 'refunded')).toBe(true)
  })

  test('two book while the places are reduced: never more booked than places', async () => {
    const { studio, dora, ana, boris } = await openStudio()
    await studio.completesHealth(boris)
    await studio.grants(boris, 10)
    const classes = await Promise.all(
      Array.from({ length: 8 }, (_, day) => studio.class(`2026-12-${String(10 + day)} 18:00`)),
    )
    const answers = await Promise.all(
      classes.flatMap((id) => [
        studio.books(ana, id),
        edits(dora, id, { maxParticipants: 1 }),
        studio.books(boris, id),
      ]),
    )
    for (const { status } of answers) expect([200, 201, 400]).toContain(status)
    for (const one of await listed(dora)) {
      expect(one.bookedCount).toBeLessThanOrEqual(one.maxParticipants)
      expect(one.bookedCount).toBeGreaterThan(0)
    }
  })
})
