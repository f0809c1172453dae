import { describe, expect, test } from 'vitest'
import { deleteClass, editClass } from '#schedule/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { listClasses, timetableRefusals } from '#timetable/contract.ts'
import { blockMember, rescheduleBooking } from '../../contract.ts'
import { joinWaitingList, leaveWaitingList, listWaiting, waitingRefusals } from '../../contract-waiting.ts'
import { bookingRefusals } from '../../refusals.ts'
import { findWaitingMembers } from '../booking.ts'

const joinAs = (person: Person, id: number) => person.call(joinWaitingList, { params: { id } })
const leaveAs = (person: Person, id: number) => person.call(leaveWaitingList, { params: { id } })
const listWaitingAs = async (person: Person) =>
  (await person.call(listWaiting)).body.map((entry: { classId: number; position: number }) => [
    entry.classId,
    entry.position,
  ])
const upcoming = async (person: Person) =>
  (await person.request('GET', '/api/bookings/upcoming')).body.map((booking: { classId: number }) => booking.classId)
const mailsAbout = async (studio: StudioUnderTest, person: Person, subject: RegExp) =>
  (await studio.mailTo(person)).filter((mail) => subject.test(mail.subject))
const GIVEN = /^A place for you/
const FREE = /^A place is free/
const SKIPPED = /^We could not give you a place/

/** Carl has the only place of a class; Ana (credits, health) and the given members wait in this order. */
async function fullClass(at = 'Tuesday 18:00', now = 'Monday 09:00') {
  const story = await openStudio({ now })
  const carl = await story.studio.member('Carl', { health: true, credits: 2 })
  const full = await story.studio.createClass({ at, places: 1 })
  const booking: number = (await carl.book(full)).body.id
  return { ...story, carl, full, booking }
}

test('a member can join the waiting list of a full class, see their position, and leave', async () => {
  const { studio, ana, boris, full } = await fullClass()
  const { status, body } = await joinAs(boris, full)
  expect(status).toBe(201)
  expect(body).toEqual({
    classId: full,
    position: 1,
    joinedAt: '2026-12-07T09:00:00Z',
    needsConfirming: false,
    offeredUntil: null,
    wouldBeSkipped: 'no_credit',
    isBooked: false,
    class: {
      title: 'Reformer',
      date: '2026-12-08',
      startTime: '18:00',
      endTime: '18:45',
      instructorName: expect.any(String),
      startsAt: '2026-12-08T18:00:00Z',
      endsAt: '2026-12-08T18:45:00Z',
    },
  })
  expect((await joinAs(ana, full)).body).toMatchObject({ position: 2 })
  expect(await listWaitingAs(ana)).toEqual([[full, 2]])
  const line = await studio.server.database.transaction((tx) => findWaitingMembers(tx, full))
  expect(line).toMatchObject([
    { position: 1, userId: boris.id, firstName: 'Boris', email: boris.email },
    { position: 2, userId: ana.id, firstName: 'Ana' },
  ])

  expect(await leaveAs(boris, full)).toMatchObject({ status: 200 })
  expect(await listWaitingAs(boris)).toEqual([])
  expect(await listWaitingAs(ana)).toEqual([[full, 1]])
  expect(await leaveAs(boris, full)).toBeRefused(waitingRefusals.not_on_waiting_list)
  expect(await leaveAs(ana, 999_999)).toBeRefused(timetableRefusals.class_not_found)
})

test('lists waiting lists next class first, without started or inactive classes', async () => {
  const { studio, ana, carl, dora, full } = await fullClass('Tuesday 18:00')
  const later = await studio.createClass({ at: 'Wednesday 10:00', places: 1 })
  await carl.book(later)
  await joinAs(ana, later)
  await joinAs(ana, full)
  expect(await listWaitingAs(ana)).toEqual([
    [full, 1],
    [later, 1],
  ])
  await dora.call(deleteClass, { params: { id: later }, body: {} })
  expect(await listWaitingAs(ana)).toEqual([[full, 1]])
  studio.travelTo('Tuesday 18:00')
  expect(await listWaitingAs(ana)).toEqual([])
  await studio.server.workers['complete-classes']({}, 'job')
  await studio.server.workers['complete-classes']({}, 'job')
  expect(await studio.count('select count(*) from waiting_list')).toBe(0)
})

test('joining is refused in this order: no class, booked, waiting, started, inactive, not full', async () => {
  const { studio, ana, boris, carl, full } = await fullClass()
  await joinAs(ana, full)
  const free = await studio.createClass('Tuesday 12:00')
  const off = await studio.createClass({ at: 'Tuesday 12:00', isActive: false })
  expect(await joinAs(ana, 999_999)).toBeRefused(timetableRefusals.class_not_found)
  expect(await joinAs(ana, full)).toBeRefused(waitingRefusals.already_on_waiting_list)
  expect(await joinAs(ana, off)).toBeRefused(waitingRefusals.class_inactive)
  expect(await joinAs(ana, free)).toBeRefused(waitingRefusals.class_has_free_place)
  studio.travelTo('Tuesday 18:00')
  expect(await joinAs(carl, full)).toBeRefused(waitingRefusals.already_booked)
  expect(await joinAs(ana, full)).toBeRefused(waitingRefusals.already_on_waiting_list)
  expect(await joinAs(boris, full)).toBeRefused(waitingRefusals.class_started)
  expect(await joinAs(boris, off)).toBeRefused(waitingRefusals.class_started)
})

describe('a freed place', () => {
  test('is assigned at least 12 hours before the start to the first who can take it: paid, emailed, off the list', async () => {
    const { studio, ana, boris, carl, full, booking } = await fullClass('Tuesday 19:00')
    const eve = await studio.member('Eve', { health: true, credits: 1 })
    const unwell = await studio.member('Noa', { credits: 1 })
    // Boris has no credit, Noa no health information: both are skipped, emailed why, and keep their positions.
    for (const person of [boris, unwell, ana, eve]) await joinAs(person, full)
    studio.travelTo('Tuesday 07:00')
    await carl.cancel(booking)
    await studio.endUndo()

    expect(await upcoming(ana)).toEqual([full])
    expect(await studio.creditsOf(ana)).toBe(9)
    expect(await studio.creditsOf(eve)).toBe(1)
    expect(await listWaitingAs(ana)).toEqual([])
    expect(await listWaitingAs(boris)).toEqual([[full, 1]])
    expect(await listWaitingAs(unwell)).toEqual([[full, 2]])
    expect(await listWaitingAs(eve)).toEqual([[full, 3]])
    const [mail, ...more] = await mailsAbout(studio, ana, GIVEN)
    expect(more).toEqual([])
    expect(mail?.text).toContain('To get your credit back, cancel before 17:00 on Tuesday 8 December')
    expect(mail?.attachments.map(({ filename }) => filename)).toEqual(['class.ics'])
    expect(await mailsAbout(studio, eve, /place/)).toEqual([])
    const [toBoris] = await mailsAbout(studio, boris, SKIPPED)
    expect(toBoris?.subject).toBe('We could not give you a place on Tuesday 8 December at 19:00')
    expect(toBoris?.text).toContain('you do not have a credit that is valid on the day of the class')
    expect(toBoris?.html).toContain('/pricing')
    const [toNoa] = await mailsAbout(studio, unwell, SKIPPED)
    expect(toNoa?.text).toContain('your health information is not complete')
    expect((await boris.book(full)).status).toBe(400)
  })

  test('is announced to the whole list in the last 3 hours, and the first to book gets it', async () => {
    const { studio, ana, boris, carl, full, booking } = await fullClass('Tuesday 19:00')
    await joinAs(boris, full)
    await joinAs(ana, full)
    studio.travelTo('Tuesday 16:00')
    await carl.cancel(booking)
    await studio.endUndo()
    expect(await upcoming(ana)).toEqual([])
    for (const person of [ana, boris]) expect(await mailsAbout(studio, person, FREE)).toHaveLength(1)
    expect(await listWaitingAs(ana)).toEqual([[full, 2]])

    expect((await ana.book(full)).status).toBe(201)
    expect(await listWaitingAs(ana)).toEqual([])
    expect(await listWaitingAs(boris)).toEqual([[full, 1]])
    expect(await mailsAbout(studio, ana, GIVEN)).toEqual([])
  })

  test('is announced earlier if no member on the list can take it', async () => {
    const { studio, boris, carl, full, booking } = await fullClass('Tuesday 18:00')
    await joinAs(boris, full)
    await carl.cancel(booking)
    await studio.endUndo()
    const [mail, ...more] = await mailsAbout(studio, boris, FREE)
    expect(more).toEqual([])
    expect(mail?.text).toContain('We could not book it for you because you do not have a credit')
    expect(await mailsAbout(studio, boris, SKIPPED)).toEqual([])
    expect(await listWaitingAs(boris)).toEqual([[full, 1]])
    expect((await carl.book(full)).status).toBe(201)
  })

  test('is assigned after a move, and a member who moves here leaves the list', async () => {
    const { studio, ana, carl, full, booking } = await fullClass('Tuesday 18:00')
    const other = await studio.createClass({ at: 'Friday 10:00', places: 1 })
    const hers = (await ana.book(other)).body.id
    await joinAs(ana, full)
    await joinAs(carl, other)
    await ana.cancel(hers)
    await studio.endUndo()
    expect(await upcoming(carl)).toEqual([full, other])

    const third = await studio.createClass('Friday 12:00')
    const moved = await carl.call(rescheduleBooking, { params: { id: booking }, body: { classId: third } })
    expect(moved.status).toBe(201)
    expect(await upcoming(ana)).toEqual([full])
    expect(await upcoming(carl)).toEqual([other, third])
  })

  test('is assigned after an account is deleted, never to that account', async () => {
    const { studio, ana, boris, carl, dora, full } = await fullClass('Tuesday 18:00')
    const also = await studio.createClass({ at: 'Wednesday 10:00', places: 1 })
    await ana.book(also)
    await joinAs(carl, also)
    await joinAs(boris, full)
    await joinAs(ana, full)
    expect((await dora.request('DELETE', `/api/admin/users/${carl.id}`)).status).toBe(200)
    expect(await upcoming(ana)).toEqual([full, also])
    expect(await mailsAbout(studio, ana, GIVEN)).toHaveLength(1)
    expect(await studio.count('select count(*) from waiting_list')).toBe(1)
  })

  test('is assigned when a class gets more places; an edit without new places sends no email', async () => {
    const { studio, ana, boris, dora, full } = await fullClass('Tuesday 18:00')
    await joinAs(boris, full)
    await joinAs(ana, full)
    await dora.call(editClass, { params: { id: full }, body: { title: 'Duo' } })
    expect(await studio.mailTo(boris)).toHaveLength(1)
    await dora.call(editClass, { params: { id: full }, body: { maxParticipants: 2 } })
    expect(await upcoming(ana)).toEqual([full])
    expect(await listWaitingAs(boris)).toEqual([[full, 1]])
    await dora.call(editClass, { params: { id: full }, body: { maxParticipants: 2 } })
    expect(await mailsAbout(studio, boris, SKIPPED)).toHaveLength(1)
    expect(await studio.mailTo(boris)).toHaveLength(2)
  })

  test('is not offered when the studio cancels: the list ends, and its members are emailed', async () => {
    const { studio, ana, boris, dora, full } = await fullClass('Tuesday 18:00')
    const deleted = await studio.createClass({ at: 'Wednesday 10:00', places: 1, title: 'Flow' })
    await ana.book(deleted)
    await joinAs(ana, full)
    await joinAs(boris, full)
    await joinAs(boris, deleted)
    await dora.call(editClass, { params: { id: full }, body: { isActive: false } })
    await dora.call(deleteClass, { params: { id: deleted }, body: {} })
    expect(await studio.count('select count(*) from waiting_list')).toBe(0)
    expect(await upcoming(ana)).toEqual([])
    const offs = async (person: Person) =>
      (await mailsAbout(studio, person, /^(Flow|Reformer) on .* is cancelled$/)).map(({ subject }) => subject).sort()
    expect(await offs(ana)).toEqual(['Reformer on Tuesday 8 December at 18:00 is cancelled'])
    expect(await offs(boris)).toEqual([
      'Flow on Wednesday 9 December at 10:00 is cancelled',
      'Reformer on Tuesday 8 December at 18:00 is cancelled',
    ])
    // Reactivated, it has neither bookings nor waiting list.
    await dora.call(editClass, { params: { id: full }, body: { isActive: true } })
    expect(await listWaitingAs(ana)).toEqual([])
    expect(await offs(ana)).toHaveLength(1)
  })

  test("does not email members of a started class's list when it is cancelled", async () => {
    const { studio, ana, dora, full } = await fullClass('Monday 10:00')
    await joinAs(ana, full)
    studio.travelTo('Monday 10:00')
    await dora.call(deleteClass, { params: { id: full }, body: {} })
    expect(await mailsAbout(studio, ana, /cancelled/)).toEqual([])
    expect(await studio.count('select count(*) from waiting_list')).toBe(0)
  })
})

describe('a waiting member is skipped, and emailed why', () => {
  test('if another booking overlaps', async () => {
    const { studio, ana, boris, carl, full, booking } = await fullClass('Tuesday 18:00')
    await studio.completeHealth(boris)
    await studio.grantCredits(boris, 1)
    await ana.book(await studio.createClass('Tuesday 17:30'))
    for (const person of [ana, boris]) await joinAs(person, full)
    await carl.cancel(booking)
    await studio.endUndo()
    expect(await upcoming(boris)).toEqual([full])
    expect((await mailsAbout(studio, ana, SKIPPED))[0]?.text).toContain('you have booked another class at that time')
    expect(await listWaitingAs(ana)).toEqual([[full, 1]])
  })

  test('if blocked while joining, and removed, even within 12 hours of the start', async () => {
    const { studio, ana, boris, carl, dora, full, booking } = await fullClass('Tuesday 18:00')
    await dora.call(blockMember, { params: { id: boris.id }, body: { reason: 'Did not come five times' } })
    await studio.server.database.pool.query(
      `insert into waiting_list (user_id, class_id, joined_at) values ($1, $2, '2026-12-07T09:00:00Z')`,
      [boris.id, full],
    )
    await joinAs(ana, full)
    await carl.cancel(booking)
    await studio.endUndo()
    expect(await upcoming(ana)).toEqual([full])
    const [mail] = await mailsAbout(studio, boris, SKIPPED)
    expect(mail?.text).toContain('your account is on hold')
    expect(mail?.text).not.toContain('five times')
    const soon = await studio.createClass({ at: 'Monday 20:00', places: 1 })
    const last: number = (await carl.book(soon)).body.id
    await studio.server.database.pool.query(
      `insert into waiting_list (user_id, class_id, joined_at) values ($1, $2, '2026-12-07T09:00:00Z')`,
      [boris.id, soon],
    )
    await carl.cancel(last)
    await studio.endUndo()
    expect(await mailsAbout(studio, boris, FREE)).toEqual([])
    expect(await studio.count('select count(*) from waiting_list')).toBe(0)
  })
})

test('warns a member without a valid credit on joining and in their list', async () => {
  const { studio, ana, boris, full } = await fullClass('Tuesday 18:00')
  const warnings = async (person: Person) =>
    (await person.read(listWaiting)).map(({ wouldBeSkipped }) => wouldBeSkipped)
  expect((await joinAs(ana, full)).body.wouldBeSkipped).toBeNull()
  expect((await joinAs(boris, full)).body.wouldBeSkipped).toBe('no_credit')
  const pass = await studio.grantCredits(boris, 1)
  await studio.server.database.pool.query("update passes set expires_at = '2026-12-08T17:59:59Z' where id = $1", [pass])
  expect(await warnings(boris)).toEqual(['no_credit'])
  await studio.grantCredits(boris, 1)
  expect(await warnings(boris)).toEqual(['health_missing'])
  await studio.completeHealth(boris)
  expect(await warnings(boris)).toEqual([null])
})

describe('a place freed at night', () => {
  const handsOut = (studio: StudioUnderTest) => studio.server.workers['offer-reserved-places']({}, 'by hand')

  test('is held until 07:00, then assigned to the first on the list', async () => {
    const { studio, ana, boris, carl, dora, full, booking } = await fullClass('Tuesday 20:00')
    const eve = await studio.member('Eve', { health: true, credits: 1 })
    await joinAs(ana, full)
    studio.travelTo('Tuesday 03:00')
    await carl.cancel(booking)
    await studio.endUndo()
    await handsOut(studio)
    expect(await mailsAbout(studio, ana, /place/)).toEqual([])
    expect(await ana.read(listClasses)).toMatchObject([
      { id: full, bookedCount: 0, availableSpots: 0, reservedPlaces: 1 },
    ])
    for (const person of [eve, ana]) expect(await person.book(full)).toBeRefused(bookingRefusals.class_full)
    expect(await dora.book(full, { userId: eve.id })).toBeRefused(bookingRefusals.class_full)
    expect((await joinAs(boris, full)).status).toBe(201)

    studio.travelTo('Tuesday 07:00')
    await handsOut(studio)
    expect(await upcoming(ana)).toEqual([full])
    expect(await mailsAbout(studio, ana, GIVEN)).toHaveLength(1)
    expect(await ana.read(listClasses)).toMatchObject([{ bookedCount: 1, availableSpots: 0, reservedPlaces: 0 }])
  })

  test('is announced at 07:00 if the class is then within 3 hours', async () => {
    const { studio, ana, boris, carl, full, booking } = await fullClass('Tuesday 10:00')
    for (const person of [ana, boris]) await joinAs(person, full)
    studio.travelTo('Monday 22:00')
    await carl.cancel(booking)
    await studio.endUndo()
    expect(await mailsAbout(studio, ana, /place/)).toEqual([])
    studio.travelTo('Tuesday 07:00')
    await handsOut(studio)
    for (const person of [ana, boris]) expect(await mailsAbout(studio, person, FREE)).toHaveLength(1)
    expect((await ana.book(full)).status).toBe(201)
  })

  test('is announced immediately for a class before 10:00', async () => {
    const { studio, ana, boris, carl, full, booking } = await fullClass('Tuesday 09:30')
    for (const person of [ana, boris]) await joinAs(person, full)
    studio.travelTo('Monday 23:00')
    await carl.cancel(booking)
    await studio.endUndo()
    for (const person of [ana, boris]) expect(await mailsAbout(studio, person, FREE)).toHaveLength(1)
    expect((await ana.book(full)).status).toBe(201)
  })

  test('is free for anyone once the list ends, or the class is reduced, moved or cancelled', async () => {
    const { studio, ana, carl, dora, full, booking } = await fullClass('Tuesday 20:00')
    const [smaller, moved, off] = await Promise.all([1, 2, 3].map(() => studio.createClass('Wednesday 20:00')))
    studio.travelTo('Monday 23:00')
    await joinAs(ana, full)
    await carl.cancel(booking)
    await studio.endUndo()
    await leaveAs(ana, full)
    await handsOut(studio)
    expect((await carl.book(full)).status).toBe(201)
    const { pool } = studio.server.database
    await pool.query('update classes set reserved_places = 1 where id = any($1)', [[smaller, moved, off]])
    await pool.query(
      `insert into waiting_list (user_id, class_id, joined_at) select $1, unnest($2::int[]), '2026-12-07T09:00:00Z'`,
      [ana.id, [smaller, moved, off]],
    )
    const edit = (id: number | undefined, body: object) => dora.call(editClass, { params: { id: id ?? 0 }, body })
    expect((await edit(smaller, { maxParticipants: 1 })).body).toMatchObject({ reservedPlaces: 1, availableSpots: 0 })
    expect((await edit(moved, { date: '2026-12-10' })).body).toMatchObject({ reservedPlaces: 0, availableSpots: 2 })
    expect((await edit(off, { isActive: false })).body).toMatchObject({ reservedPlaces: 0, availableSpots: 2 })
  })

  test('cannot be sold twice, as the database checks', async () => {
    const { studio, full, booking, carl, ana } = await fullClass('Tuesday 20:00')
    await joinAs(ana, full)
    studio.travelTo('Monday 23:00')
    await carl.cancel(booking)
    await studio.endUndo()
    const holds = studio.server.database.pool.query('update classes set reserved_places = 2 where id = $1', [full])
    await expect(holds).rejects.toMatchObject({ constraint: 'a_class_is_never_oversold' })
  })
})
