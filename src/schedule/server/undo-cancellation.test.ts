import { describe, expect, test } from 'vitest'
import { blockMember } from '#booking/contract.ts'
import { joinWaitingList, listWaiting } from '#booking/contract-waiting.ts'
import { undoRefusals } from '#booking/refusals.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { deletePass, listPasses } from '#passes/contract.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { listClosures } from '#timetable/contract.ts'
import { listUndoable, type Undoable, undoCancellation } from '../contract.ts'
import { closeDays, openDays } from '../contract-closures.ts'
import { editClassAs, historyOf, listClassesAs, mailSubjectsTo, remove, upcomingOf } from './classes-under-test.ts'

const undoAs = (admin: Person, { id }: Pick<Undoable, 'id'>) => admin.call(undoCancellation, { params: { id } })
const joinAs = (person: Person, id: number) => person.call(joinWaitingList, { params: { id } })
const emails = (studio: StudioUnderTest) => studio.server.workers['email-cancellations']({}, 'by hand')
/** Queued emails about cancellations. */
const queued = (studio: StudioUnderTest) =>
  studio.count(`select count(*) from pgboss.job where name = 'mail'
    and data ->> 'mail' in ('class-cancelled', 'studio-closed', 'awaited-class-cancelled', 'booking-cancelled', 'credit-returned')`)

/** Ana has the only place on Tuesday at 18:00, with a pass that expires soon; Boris waits for it. */
async function fullClass() {
  const story = await openStudio()
  const { studio, boris } = story
  await studio.completeHealth(boris)
  await studio.grantCredits(boris, 1)
  const carl = await studio.member('Carl', { health: true })
  await studio.grantCredits(carl, 1, 1)
  await studio.server.database.pool.query("update passes set expires_at = '2026-12-10T23:59:59Z' where user_id = $1", [
    carl.id,
  ])
  const id = await studio.createClass({ at: 'Tuesday 18:00', places: 1 })
  const booking: number = (await carl.book(id)).body.id
  await joinAs(boris, id)
  await studio.mailbox()
  return { ...story, carl, id, booking }
}

/** What the members can see. */
async function loggedInAs(...people: Person[]) {
  return await Promise.all(
    people.map(async (person) => ({
      bookings: await upcomingOf(person),
      waiting: await person.read(listWaiting),
      passes: await person.read(listPasses),
    })),
  )
}

const ways = [
  ['a deleted class', async (admin: Person, id: number) => (await remove(admin, id)).body.undo],
  [
    'closed days',
    async (admin: Person) => {
      const body = { from: '2026-12-08', to: '2026-12-08', reason: 'Illness' }
      return (await admin.call(closeDays, { body })).body.undo
    },
  ],
] as const

describe.each(ways)('undoing %s', (_what, cancels) => {
  test('restores class, bookings, credits and waiting list within a minute, without emails', async () => {
    const { studio, boris, carl, dora, id, booking } = await fullClass()
    const [before, classes] = [await loggedInAs(boris, carl), await listClassesAs(dora)]
    const undo = await cancels(dora, id)
    expect(undo).toMatchObject({ classes: 1, bookings: 1, until: '2026-12-07T09:01:00Z' })
    expect(await upcomingOf(carl)).toEqual([])
    expect(await studio.creditsOf(carl)).toBe(1)
    expect(await dora.read(listUndoable)).toEqual([undo])
    studio.clock.advance({ seconds: 59 })
    await emails(studio)
    expect(await undoAs(dora, undo)).toMatchObject({
      status: 200,
      body: { message: 'Undone. Nobody was emailed.', classes: 1, bookings: 1, notBroughtBack: 0 },
    })
    expect(await loggedInAs(boris, carl)).toEqual(before)
    expect(await listClassesAs(dora)).toEqual(classes.map((one) => ({ ...one, updatedAt: expect.any(String) })))
    expect(await dora.read(listClosures)).toEqual([])
    expect(await dora.read(listUndoable)).toEqual([])
    studio.clock.advance({ minutes: 5 })
    await emails(studio)
    expect(await queued(studio)).toBe(0)
    expect(await brokenInvariants(studio.server.database.pool)).toEqual([])

    // The booking can be used as before.
    expect((await carl.cancel(booking)).body).toMatchObject({ paymentStatus: 'refunded' })
    await studio.endUndo()
    expect(await upcomingOf(boris)).toMatchObject([{ classId: id }])
    expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
  })

  test('is refused after the minute, when everyone is emailed once', async () => {
    const { studio, boris, carl, dora, id } = await fullClass()
    const undo = await cancels(dora, id)
    studio.clock.advance({ seconds: 60 })
    expect(await undoAs(dora, undo)).toBeRefused(undoRefusals.undo_expired)
    expect(await dora.read(listUndoable)).toEqual([])
    await Promise.all([emails(studio), emails(studio)])
    await emails(studio)
    expect(await queued(studio)).toBe(2)
    expect(await undoAs(dora, undo)).toBeRefused(undoRefusals.undo_expired)
    for (const person of [boris, carl]) {
      expect((await mailSubjectsTo(studio, person)).filter((subject) => /cancelled/.test(subject))).toHaveLength(1)
    }
  })

  test('works once, for any admin, even concurrently and after a restart', async () => {
    const { studio, carl, dora, id } = await fullClass()
    const eve = await studio.admin('Eve')
    const undo = await cancels(dora, id)
    const again = await studio.startSecondProcess()
    const responses = await Promise.all([undoAs(dora, undo), undoAs(again.loggedInAs(eve), undo)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await undoAs(dora, undo)).toBeRefused(undoRefusals.already_undone)
    expect(await upcomingOf(carl)).toHaveLength(1)
    expect(await studio.creditsOf(carl)).toBe(0)
  })

  test('skips a booking whose credit is spent: its member is emailed, the waiting list gets the place', async () => {
    const { studio, boris, carl, dora, id } = await fullClass()
    const undo = await cancels(dora, id)
    const other = await studio.createClass('Wednesday 10:00')
    expect((await carl.book(other)).status).toBe(201)
    expect((await undoAs(dora, undo)).body).toMatchObject({
      message: 'Undone, but 1 booking could not be brought back. We will email those members.',
      bookings: 0,
      notBroughtBack: 1,
    })
    expect(await upcomingOf(carl)).toMatchObject([{ classId: other }])
    expect(await upcomingOf(boris)).toMatchObject([{ classId: id }])
    const subjects = await mailSubjectsTo(studio, carl)
    expect(
      subjects.filter((subject) => subject === 'Your class on Tuesday 8 December at 18:00 is cancelled'),
    ).toHaveLength(1)
    expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
  })

  test('restores a class that has started in the meantime, without its waiting list', async () => {
    const { studio, boris, carl, dora, id } = await fullClass()
    studio.travelTo('Tuesday 17:59:30')
    await studio.logIn(dora)
    const undo = await cancels(dora, id)
    studio.travelTo('Tuesday 18:00:20')
    expect((await undoAs(dora, undo)).body).toMatchObject({ bookings: 1 })
    expect((await historyOf(carl))[0]).toMatchObject({ classId: id, status: 'confirmed' })
    expect(await boris.read(listWaiting)).toEqual([])
  })

  test('does not restore blocked or erased members to the waiting list', async () => {
    const { studio, boris, carl, dora, id } = await fullClass()
    const undo = await cancels(dora, id)
    await dora.call(blockMember, { params: { id: boris.id }, body: { reason: 'Did not come five times' } })
    expect((await dora.request('DELETE', `/api/admin/users/${carl.id}`)).status).toBe(200)
    expect((await undoAs(dora, undo)).body).toMatchObject({ classes: 1, bookings: 0, notBroughtBack: 0 })
    expect(await studio.count('select count(*) from waiting_list')).toBe(0)
    expect(await listClassesAs(dora)).toMatchObject([{ id, bookedCount: 0 }])
  })

  test('restores a booking of a voided pass, and forfeits late credits again', async () => {
    const { studio, ana, dora } = await openStudio()
    const boris = await studio.member('Bella', { health: true })
    const passId = await studio.grantCredits(boris, 1)
    const id = await studio.createClass('Tuesday 18:00')
    await boris.book(id)
    const late: number = (await ana.book(id)).body.id
    await dora.call(deletePass, { params: { id: passId } })
    studio.travelTo('Tuesday 17:00')
    await studio.logIn(dora)
    await ana.cancel(late)
    const undo = await cancels(dora, id)
    expect(await studio.creditsOf(ana)).toBe(10)
    await undoAs(dora, undo)
    expect(await studio.creditsOf(ana)).toBe(9)
    expect(await historyOf(ana)).toMatchObject([{ id: late, status: 'cancelled', paymentStatus: 'forfeited' }])
    expect(await upcomingOf(boris)).toMatchObject([{ classId: id }])
    expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
    await editClassAs(dora, id, { isActive: false })
    expect(await studio.creditsOf(ana)).toBe(10)
    expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
  })

  test('is for admins', async () => {
    const { studio, ana, dora, id } = await fullClass()
    const undo = await cancels(dora, id)
    expect(await undoAs(ana, undo)).toBeRefused(commonRefusals.forbidden)
    expect(await undoAs(studio.visitor(), undo)).toBeRefused(commonRefusals.unauthorized)
    expect(await undoAs(dora, { id: 999 })).toBeRefused(undoRefusals.undo_expired)
  })
})

test('undoing leaves a spent late credit with the member, and emails them', async () => {
  const { studio, dora } = await openStudio()
  const boris = await studio.member('Bella', { health: true, credits: 1 })
  const id = await studio.createClass('Monday 10:30')
  await boris.cancel((await boris.book(id)).body.id)
  const undo = (await remove(dora, id)).body.undo
  await boris.book(await studio.createClass('Wednesday 10:00'))
  await undoAs(dora, undo)
  expect((await historyOf(boris)).map(({ paymentStatus }) => paymentStatus)).toEqual(['paid', 'refunded'])
  const [mail] = (await studio.mailTo(boris)).filter(({ subject }) => /^Your credit for .* is back$/.test(subject))
  expect(mail?.text).toContain('We had cancelled this class for a moment.')
})

test('undoing a closure leaves classes cancelled that a later closure covers, and emails their members', async () => {
  const { studio, carl, dora, id } = await fullClass()
  const close = async (reason: string) =>
    (await dora.call(closeDays, { body: { from: '2026-12-08', to: '2026-12-08', reason } })).body
  const first = await close('Illness')
  await close('A funeral')
  expect((await undoAs(dora, first.undo)).body).toMatchObject({ classes: 0, bookings: 0, notBroughtBack: 1 })
  expect(await listClassesAs(studio.visitor())).toEqual([])
  expect((await listClassesAs(dora)).map((one) => [one.id, one.isActive])).toEqual([[id, false]])
  expect(await studio.creditsOf(carl)).toBe(1)
  const cancellations = (await mailSubjectsTo(studio, carl)).filter((subject) => /is cancelled/.test(subject))
  expect(cancellations).toEqual(['We are sorry: your class on Tuesday 8 December at 18:00 is cancelled'])
})

test('drops a closure email once the days are open, and emails booked members a cancellation instead', async () => {
  const { studio, boris, carl, dora } = await fullClass()
  const body = { from: '2026-12-08', to: '2026-12-08', reason: 'The boiler has given up.' }
  const closure = (await dora.call(closeDays, { body })).body
  studio.clock.advance({ minutes: 1 })
  await emails(studio)
  expect(await queued(studio)).toBe(2)
  await dora.call(openDays, { params: { id: closure.id } })
  const mails = await studio.mailbox()
  expect(mails.filter(({ text }) => text.includes('The boiler has given up.'))).toEqual([])
  const cancelled = (person: Person) =>
    mails.filter(({ to, subject }) => to === person.email && /cancelled/.test(subject)).map(({ text }) => text)
  expect(cancelled(carl)).toMatchObject([expect.stringContaining('Your booking is cancelled')])
  expect(cancelled(boris)).toEqual([])
})
