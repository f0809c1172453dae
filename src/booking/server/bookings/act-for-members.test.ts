import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { bookClass, moveForMember } from '../../contract.ts'
import { joinWaitingList } from '../../contract-waiting.ts'
import { bookingRefusals } from '../../refusals.ts'
import { memberHealthMissing } from '../places/take-places.ts'

const move = (admin: Person, id: number, classId: number) =>
  admin.call(moveForMember, { params: { id }, body: { classId } })
const bookFor = (admin: Person, person: Person, classId: number, more: object = {}) =>
  admin.call(bookClass, { body: { classId, userId: person.id, ...more } })
const record = async (story: Awaited<ReturnType<typeof openStudio>>, action: string) =>
  (
    await story.studio.server.database.pool.query(
      'select admin_id, subject_kind, subject_id, changes from audit_log where action = $1 order by id desc',
      [action],
    )
  ).rows

describe('an admin moving a booking', () => {
  test('works within the last 120 minutes and without health information: same credit, an email, an audit line', async () => {
    const story = await openStudio()
    const { studio, ana, dora } = story
    const [from, to] = [await studio.createClass('Monday 10:00'), await studio.createClass('Wednesday 10:00')]
    const { body: booked } = await ana.book(from)
    await studio.server.database.pool.query('delete from emergency_contacts where user_id = $1', [ana.id])
    studio.travelTo('Monday 09:30')
    const { status, body } = await move(dora, booked.id, to)
    expect([status, body]).toMatchObject([200, { classId: to, status: 'confirmed', user: { firstName: 'Ana' } }])
    expect(await studio.creditsOf(ana)).toBe(9)
    expect((await studio.mailTo(ana)).at(-1)?.subject).toMatch(/has moved to Wednesday 9 December at 10:00/)
    expect(await record(story, 'moved_for')).toMatchObject([
      { admin_id: dora.id, subject_kind: 'booking', subject_id: String(body.id), changes: { class: {} } },
    ])
    const { rows } = await studio.server.database.pool.query(
      'select caused_by, caused_by_admin from credit_ledger order by id desc limit 2',
    )
    expect(rows).toEqual([1, 2].map(() => ({ caused_by: 'admin', caused_by_admin: dora.id })))
  })

  test('offers the freed place to the waiting list, and moves once on concurrent requests', async () => {
    const { studio, ana, boris, dora } = await openStudio()
    await studio.completeHealth(boris)
    await studio.grantCredits(boris, 1)
    const from = await studio.createClass({ at: 'Wednesday 10:00', places: 1 })
    const to = await studio.createClass('Friday 10:00')
    const { body: booked } = await ana.book(from)
    await boris.call(joinWaitingList, { params: { id: from } })
    const twice = await Promise.all([move(dora, booked.id, to), move(dora, booked.id, to)])
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(twice.find(({ status }) => status === 400)).toBeRefused(bookingRefusals.booking_not_confirmed)
    expect(
      await studio.count('select count(*) from bookings where class_id = $1 and status = $2', [from, 'confirmed']),
    ).toBe(1)
    expect(await studio.creditsOf(ana)).toBe(9)
    expect(await studio.creditsOf(boris)).toBe(0)
  })

  test('is refused from a started class, and into a full, inactive, started or the same class, changing nothing', async () => {
    const { studio, ana, boris, dora } = await openStudio()
    const carl = await studio.member('Carl', { health: true, credits: 1 })
    const [from, full, off, started] = [
      await studio.createClass('Monday 10:00'),
      await studio.createClass({ at: 'Friday 10:00', places: 1 }),
      await studio.createClass({ at: 'Friday 12:00', isActive: false }),
      await studio.createClass('Monday 09:00'),
    ]
    await carl.book(full)
    const { body: booked } = await ana.book(from)
    expect(await move(dora, booked.id, full)).toBeRefused(bookingRefusals.class_full)
    expect(await move(dora, booked.id, off)).toBeRefused(bookingRefusals.class_inactive)
    expect(await move(dora, booked.id, started)).toBeRefused(bookingRefusals.class_started)
    expect(await move(dora, booked.id, from)).toBeRefused(bookingRefusals.already_booked)
    expect(await move(boris, booked.id, full)).toBeRefused(commonRefusals.forbidden)
    studio.travelTo('Monday 10:00')
    const free = await studio.createClass('Friday 14:00')
    expect(await move(dora, booked.id, free)).toBeRefused(bookingRefusals.too_late_to_cancel)
    expect(await studio.creditsOf(ana)).toBe(9)
  })
})

describe('an admin booking a walk-in', () => {
  test('can book until the class ends, on record in the audit log', async () => {
    const story = await openStudio({ now: 'Monday 10:30' })
    const { studio, ana, dora } = story
    const started = await studio.createClass('Monday 10:00')
    expect(await bookFor(dora, ana, started)).toBeRefused(bookingRefusals.class_started)
    const { status, body } = await bookFor(dora, ana, started, { override: true })
    expect([status, body]).toMatchObject([201, { status: 'confirmed', classId: started }])
    expect(await studio.creditsOf(ana)).toBe(9)
    expect(await record(story, 'booked_for')).toMatchObject([{ changes: { override: { after: true } } }])
    expect((await studio.mailTo(ana)).at(-1)?.text).not.toMatch(/cancel|credit back/)
    studio.travelTo('Monday 10:45')
    const carl = await studio.member('Carl', { health: true, credits: 1 })
    expect(await bookFor(dora, carl, started, { override: true })).toBeRefused(bookingRefusals.class_started)
  })

  test('can skip health information, but never the pass, and not into a full or inactive class', async () => {
    const { studio, boris, dora } = await openStudio()
    const [full, off, free] = [
      await studio.createClass({ at: 'Friday 10:00', places: 1 }),
      await studio.createClass({ at: 'Friday 12:00', isActive: false }),
      await studio.createClass('Friday 14:00'),
    ]
    await (await studio.member('Carl', { health: true, credits: 1 })).book(full)
    const admits = (classId: number) => bookFor(dora, boris, classId, { override: true })
    expect(await admits(free)).toBeRefused(bookingRefusals.no_class_pass)
    await studio.grantCredits(boris, 1)
    expect(await bookFor(dora, boris, free)).toBeRefused(memberHealthMissing)
    expect(await admits(full)).toBeRefused(bookingRefusals.class_full)
    expect(await admits(off)).toBeRefused(bookingRefusals.class_inactive)
    expect((await admits(free)).status).toBe(201)
  })

  test('ignores `override` from a member', async () => {
    const { studio, ana, boris } = await openStudio({ now: 'Monday 10:30' })
    await studio.grantCredits(boris, 1)
    const [started, free] = [await studio.createClass('Monday 10:00'), await studio.createClass('Friday 14:00')]
    const bookAnyway = (person: Person, classId: number) =>
      person.call(bookClass, { body: { classId, override: true } })
    expect(await bookAnyway(ana, started)).toBeRefused(bookingRefusals.class_started)
    expect(await bookAnyway(boris, free)).toBeRefused(bookingRefusals.health_information_missing)
  })
})
