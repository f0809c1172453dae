import { expect, test } from 'vitest'
import { editUser } from '#accounts/contract.ts'
import { cancelForMember, rescheduleBooking } from '#booking/contract.ts'
import { saveQuestionnaire } from '#health/contract.ts'
import { deleteOwnAccount, deleteUser, exportOwnData } from '#privacy/contract.ts'
import { deleteClass, editClass } from '#schedule/contract.ts'
import type { Person } from '#testing/person.ts'
import { readCalendar } from '#testing/read-calendar.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { calendarRefusals, createCalendar, endCalendar, getCalendar } from '../contract.ts'
import { busyTimesIn } from './busy-times.ts'

/** The path of a new address of a person's feed. */
async function subscribe(person: Person): Promise<string> {
  const { status, body } = await person.call(createCalendar)
  expect([status, Object.keys(body)]).toEqual([201, ['url']])
  return new URL(body.url).pathname
}

/** Read as calendars do, without a cookie. */
async function read(anybody: Person, path: string) {
  const { status, headers, body } = await anybody.request('GET', path)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  return readCalendar(body)
}

test("a member's feed shows their bookings as they are: booked, moved by either side, cancelled", async () => {
  const { studio, ana, dora } = await openStudio()
  const carl = await studio.member('Carl', { health: true, credits: 3 })
  const classes = await Promise.all(
    ['Tuesday 10:00', 'Wednesday 10:00', 'Thursday 10:00'].map((at) => studio.createClass(at)),
  )
  const [tuesday = 0, wednesday = 0, thursday = 0] = classes
  await carl.book(tuesday)
  const path = await subscribe(ana)
  const calendar = studio.visitor()
  expect((await read(calendar, path)).events).toEqual([])

  const first = (await ana.book(tuesday)).body
  const second = (await ana.book(wednesday)).body
  const before = await read(calendar, path)
  expect(before).toMatchObject({
    method: 'PUBLISH',
    name: 'Aldergate Pilates',
    events: [
      { status: 'CONFIRMED', startsAt: '2026-12-08T10:00:00Z', alarms: ['2026-12-08T09:00:00Z'] },
      { status: 'CONFIRMED', startsAt: '2026-12-09T10:00:00Z' },
    ],
  })
  const [tuesdays, wednesdays] = before.events.map(({ uid }) => uid)

  await ana.call(rescheduleBooking, { params: { id: first.id }, body: { classId: thursday } })
  await dora.call(editClass, { params: { id: thursday }, body: { startTime: '12:00', endTime: '12:45' } })
  await ana.cancel(second.id)
  const after = await read(calendar, path)
  expect(after.events).toMatchObject([
    { uid: wednesdays, status: 'CANCELLED', summary: 'Cancelled: Reformer with Eleanor Marsh', alarms: [] },
    { uid: tuesdays, status: 'CONFIRMED', startsAt: '2026-12-10T12:00:00Z', alarms: ['2026-12-10T11:00:00Z'] },
  ])
  for (const event of after.events) {
    expect(event.sequence).toBeGreaterThan(before.events.find(({ uid }) => uid === event.uid)?.sequence ?? 99)
  }
})

test('a feed matches the emailed calendar files', async () => {
  const { studio, ana, dora } = await openStudio()
  const path = await subscribe(ana)
  const { id } = (await ana.book(await studio.createClass('Tuesday 10:00'))).body
  const [mailed] = (await studio.mailTo(ana)).flatMap(({ attachments }) => attachments)
  expect((await read(ana, path)).events).toEqual(readCalendar(mailed?.content ?? '').events)
  await dora.call(cancelForMember, { params: { id }, body: {} })
  const last = (await studio.mailTo(ana)).find(({ subject }) => subject.includes('cancelled'))?.attachments[0]
  expect((await read(ana, path)).events).toEqual(readCalendar(last?.content ?? '').events)
})

test('shows London wall times correctly on both clock change days', async () => {
  const { studio, ana, dora } = await openStudio({ now: '2026-10-20 09:00' })
  const times = ['2026-10-24 07:00', '2026-10-25 07:00', '2027-03-27 07:00', '2027-03-28 07:00']
  for (const at of times) await ana.book(await studio.createClass(at))
  const instants = [
    ['2026-10-24T06:00:00Z', '2026-10-24T06:45:00Z'],
    ['2026-10-25T07:00:00Z', '2026-10-25T07:45:00Z'],
    ['2027-03-27T07:00:00Z', '2027-03-27T07:45:00Z'],
    ['2027-03-28T06:00:00Z', '2027-03-28T06:45:00Z'],
  ]
  for (const person of [ana, dora]) {
    const { events } = await read(person, await subscribe(person))
    expect(events.map(({ startsAt, endsAt }) => [startsAt, endsAt])).toEqual(instants)
  }
})

test('includes the last ninety days only', async () => {
  const { studio, ana } = await openStudio({ now: '2026-09-01 09:00' })
  await ana.book(await studio.createClass('2026-09-02 10:00'))
  await ana.book(await studio.createClass('2026-09-03 10:00'))
  const path = await subscribe(ana)
  studio.travelTo('2026-12-02 09:00')
  await studio.server.workers['complete-classes']({}, 'by hand')
  expect((await read(ana, path)).events).toMatchObject([{ startsAt: '2026-09-03T09:00:00Z', status: 'CONFIRMED' }])
})

test("the owner's feed shows all classes with participants' names and nothing else", async () => {
  const { studio, ana, dora } = await openStudio()
  const carl = await studio.member('Carl', { health: true, credits: 3 })
  await ana.call(saveQuestionnaire, { body: { allergies: 'Latex', previousInjuries: 'Left knee' } })
  const [full, empty] = [
    await studio.createClass('Tuesday 10:00'),
    await studio.createClass({ at: 'Wednesday 10:00', places: 1 }),
  ]
  const [taken, never] = [await studio.createClass('Thursday 10:00'), await studio.createClass('Friday 10:00')]
  await ana.book(full)
  await carl.book(full)
  await carl.book(taken)
  const path = await subscribe(dora)
  const before = await read(studio.visitor(), path)
  expect(before.events).toMatchObject([
    { summary: 'Reformer (2 of 2)', description: 'Ana Cast\nCarl Cast', status: 'CONFIRMED', alarms: [] },
    { summary: 'Reformer (0 of 1)', description: 'Nobody yet' },
    { summary: 'Reformer (1 of 2)', description: 'Carl Cast' },
    { summary: 'Reformer (0 of 2)' },
  ])
  studio.travelTo('Monday 10:00')
  await dora.call(editClass, { params: { id: empty }, body: { startTime: '11:00', endTime: '11:45' } })
  for (const id of [taken, never]) await dora.call(deleteClass, { params: { id }, body: {} })
  const after = await read(studio.visitor(), path)
  expect(after.events).toMatchObject([
    { status: 'CONFIRMED', sequence: before.events[0]?.sequence },
    { status: 'CONFIRMED', startsAt: '2026-12-09T11:00:00Z' },
    { status: 'CANCELLED', summary: 'Cancelled: Reformer', description: 'Nobody yet' },
  ])
  expect(after.events.map(({ uid }) => uid)).toEqual(before.events.slice(0, 3).map(({ uid }) => uid))
  for (const i of [1, 2]) expect(after.events[i]?.sequence).toBeGreaterThan(before.events[i]?.sequence ?? Infinity)
  const { body } = await studio.visitor().request('GET', path)
  expect(body).not.toMatch(/Latex|knee|@people\.example/)
})

test('feeds name the teacher of a class that was given away, with a higher sequence', async () => {
  const { studio, ana, dora } = await openStudio()
  const id = await studio.createClass('Tuesday 10:00')
  await ana.book(id)
  const [owners, anas] = [await subscribe(dora), await subscribe(ana)]
  const events = async () => [
    ...(await read(studio.visitor(), owners)).events,
    ...(await read(studio.visitor(), anas)).events,
  ]
  const before = await events()
  studio.travelTo('Monday 20:00')
  await dora.request('PUT', `/api/classes/${id}`, { instructorName: 'Jo Hart' })
  const after = await events()
  expect(after).toMatchObject([{ description: 'With Jo Hart\nAna Cast' }, { summary: 'Reformer with Jo Hart' }])
  for (const i of [0, 1]) expect(after[i]?.sequence).toBeGreaterThan(before[i]?.sequence ?? Infinity)
})

test("the owner's feed takes none of her time when it comes back in her own calendar", async () => {
  const { studio, dora } = await openStudio()
  await studio.createClass('Tuesday 10:00')
  const { body } = await studio.visitor().request('GET', await subscribe(dora))
  const days = { from: '2026-12-01', to: '2026-12-31' }
  expect(busyTimesIn(body, days)).toEqual({ times: [], unreadEvents: 0, firstUnread: [] })
  expect(busyTimesIn(body.replaceAll('UID:class', 'UID:lesson.class'), days).times).toHaveLength(1)
})

test("stops working for a former admin; a new admin's address keeps showing own bookings", async () => {
  const { studio, ana, dora } = await openStudio()
  await ana.book(await studio.createClass('Tuesday 10:00'))
  const emil = await studio.admin('Emil')
  const [emils, anas] = [await subscribe(emil), await subscribe(ana)]
  expect((await read(studio.visitor(), emils)).events).toMatchObject([{ description: 'Ana Cast' }])
  const createFeed = (person: Person, isAdmin: boolean) =>
    dora.call(editUser, { params: { id: person.id }, body: { isAdmin } })
  await createFeed(emil, false)
  await createFeed(ana, true)
  expect(await studio.visitor().request('GET', emils)).toBeRefused(calendarRefusals.calendar_feed_not_found)
  expect((await read(studio.visitor(), anas)).events).toMatchObject([{ summary: 'Reformer with Eleanor Marsh' }])
  expect((await ana.call(getCalendar)).body).toMatchObject({ shows: 'own_bookings' })
  expect((await read(studio.visitor(), await subscribe(ana))).events).toMatchObject([{ description: 'Ana Cast' }])
  expect((await read(studio.visitor(), await subscribe(emil))).events).toEqual([])
})

test('a new address replaces the old one; it can be removed; the database keeps only a hash', async () => {
  const { studio, ana, boris } = await openStudio()
  expect((await ana.call(getCalendar)).body).toBeNull()
  const first = await subscribe(ana)
  const boriss = await subscribe(boris)
  const second = await subscribe(ana)
  expect(await ana.request('GET', first)).toBeRefused(calendarRefusals.calendar_feed_not_found)
  await read(ana, second)
  expect((await ana.call(getCalendar)).body).toEqual({ shows: 'own_bookings', createdAt: '2026-12-07T09:00:00Z' })
  expect((await ana.call(exportOwnData)).body.calendarAddress).toEqual((await ana.call(getCalendar)).body)
  const { rows } = await studio.server.database.pool.query('select t::text as row from calendar_feeds t')
  const secret = second.slice('/api/calendar/'.length, -'.ics'.length)
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(JSON.stringify(rows)).not.toContain(secret)

  expect((await ana.call(endCalendar)).status).toBe(200)
  expect((await ana.call(endCalendar)).status).toBe(200)
  expect(await ana.request('GET', second)).toBeRefused(calendarRefusals.calendar_feed_not_found)
  await read(ana, boriss)
})

test('of ten addresses created concurrently one works', async () => {
  const { ana } = await openStudio()
  const paths = await Promise.all(Array.from({ length: 10 }, () => subscribe(ana)))
  const statuses = await Promise.all(paths.map(async (path) => (await ana.request('GET', path)).status))
  expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 404)])
})

test('rejects wrong secrets of any shape', async () => {
  const { ana } = await openStudio()
  const path = await subscribe(ana)
  const wrong = [
    'x',
    '%00',
    '%F0%9F%8E%89',
    'a'.repeat(43),
    'a'.repeat(5000),
    "'--",
    '..%2F..%2Fsecret',
    path.slice(14, 40),
  ]
  for (const secret of wrong) {
    const { status, body } = await ana.request('GET', `/api/calendar/${secret}.ics`)
    expect([secret, status, typeof body.message]).toEqual([secret, 404, 'string'])
  }
  for (const other of [path.slice(0, -4), path.toUpperCase(), `${path}/`]) {
    expect((await ana.request('GET', other)).status).toBe(404)
  }
})

test('stops working for members who were erased, by their own request or by an admin', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const [anas, boriss] = [await subscribe(ana), await subscribe(boris)]
  await ana.call(deleteOwnAccount)
  await dora.call(deleteUser, { params: { id: boris.id } })
  for (const path of [anas, boriss]) {
    expect(await studio.visitor().request('GET', path)).toBeRefused(calendarRefusals.calendar_feed_not_found)
  }
  expect(await studio.count('select count(*) from calendar_feeds')).toBe(0)
})

test('does not resend an unchanged feed, and forbids shared caches', async () => {
  const { studio, ana } = await openStudio()
  const path = await subscribe(ana)
  const first = await ana.request('GET', path)
  const etag = first.headers.get('etag') ?? ''
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await ana.request('GET', path, undefined, { 'if-none-match': known })
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag])
  }
  await ana.book(await studio.createClass('Tuesday 10:00'))
  const changed = await ana.request('GET', path, undefined, { 'if-none-match': etag })
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(etag)
})

test('keeps the secret out of the log', async () => {
  const { studio, ana, boris } = await openStudio()
  const paths = [await subscribe(ana), await subscribe(boris)]
  await subscribe(ana)
  for (const path of paths) {
    for (const asked of [path, `${path}?from=1`, `${path}/more`, path.slice(0, -4)]) await ana.request('GET', asked)
    expect(studio.logged.join('')).not.toContain(path.slice('/api/calendar/'.length, -'.ics'.length))
  }
  expect(studio.logged.join('')).toContain('/api/calendar/…')
})
