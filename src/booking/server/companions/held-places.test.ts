import { describe, expect, test } from 'vitest'
import { editUser } from '#accounts/contract.ts'
import { editClass } from '#schedule/contract.ts'
import { shiftClassesInBulk } from '#schedule/contract-bulk.ts'
import { remove, upcomingOf } from '#schedule/server/classes-under-test.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { bookClass, cancelForMember, rescheduleBooking } from '../../contract.ts'
import {
  acceptInvitation,
  addCompanion,
  cancelCompanion,
  confirmHeldPlace,
  listHeldPlaces,
  listPaidPlaces,
} from '../../contract-companions.ts'
import { companionRefusals } from '../../refusals.ts'

const bookForTwo = (person: Person, classId: number, companion: { email: string }) =>
  person.call(bookClass, {
    body: { classId, companion: { firstName: 'Ben', lastName: 'Beck', email: companion.email } },
  })
const tokenFor = async (studio: StudioUnderTest, person: { email: string }) =>
  (await studio.mailTo(person)).flatMap(({ text }) => /#invitation=([\w.-]+)/.exec(text)?.[1] ?? []).at(-1) ?? ''
const endHolds = (studio: StudioUnderTest) => studio.server.workers['end-holds']({}, 'by hand')
const expectSound = async (studio: StudioUnderTest) =>
  expect(await brokenInvariants(studio.server.database.pool)).toEqual([])

/** Passes of a member by their age: credits, and the day until which they are valid. */
async function passesOf(studio: StudioUnderTest, { id }: Person) {
  const { rows } = await studio.server.database.pool.query<{ credits: number; until: string }>(
    'select credits_remaining as credits, expires_at::date::text as until from passes where user_id = $1 order by id',
    [id],
  )
  return rows
}
const expires = (studio: StudioUnderTest, pass: number, day: string) =>
  studio.server.database.pool.query('update passes set expires_at = $2 where id = $1', [pass, `${day}T23:59:59Z`])

describe('the credit of a held place', () => {
  test('can be used for 14 days after the studio has cancelled the class, like that of a booking', async () => {
    const { studio, boris, dora } = await openStudio({ now: 'Monday 09:00' })
    const eve = await studio.member('Eve', { health: true })
    await expires(studio, await studio.grantCredits(eve, 1), '2026-12-11')
    await expires(studio, await studio.grantCredits(eve, 1), '2026-12-12')
    const id = await studio.createClass('Friday 18:00')
    expect((await bookForTwo(eve, id, boris)).status).toBe(201)
    await remove(dora, id)
    expect(await passesOf(studio, eve)).toEqual(Array(2).fill({ credits: 1, until: '2026-12-21' }))
    studio.travelTo('Monday 09:02')
    await studio.server.workers['email-cancellations']({}, 'by hand')
    const subjects = (await studio.mailTo(boris)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.endsWith('has ended'))).toHaveLength(1)
    await expectSound(studio)
  })

  test('can be used after the class was moved past the end of its pass and nobody took the place', async () => {
    const { studio, boris, dora } = await openStudio({ now: 'Thursday 09:00' })
    const eve = await studio.member('Eve', { health: true })
    await expires(studio, await studio.grantCredits(eve, 2), '2026-12-11')
    const id = await studio.createClass('Friday 18:00')
    await bookForTwo(eve, id, boris)
    studio.travelTo('Friday 15:00')
    await dora.call(editClass, {
      params: { id },
      body: { date: '2026-12-12', startTime: '10:00', endTime: '10:45' },
    })
    studio.travelTo('Saturday 08:01')
    await endHolds(studio)
    expect(await passesOf(studio, eve)).toEqual([{ credits: 1, until: '2026-12-26' }])
    await expectSound(studio)
  })
})

describe('a held place of a member whose booking the owner has cancelled', () => {
  test('ends at once, so the class can be moved with others and nobody can accept it', async () => {
    const { studio, ana, boris, dora } = await openStudio({ now: 'Monday 09:00' })
    await studio.completeHealth(boris)
    const eve = await studio.member('Eve', { health: true, credits: 1 })
    const [one, two] = [await studio.createClass('Thursday 18:00'), await studio.createClass('Friday 18:00')]
    const { body: booking } = await bookForTwo(ana, one, boris)
    await eve.book(two)
    const token = await tokenFor(studio, boris)
    expect((await dora.call(cancelForMember, { params: { id: booking.id }, body: {} })).status).toBe(200)
    expect(await dora.read(listHeldPlaces)).toEqual([])
    expect(await studio.creditsOf(ana)).toBe(10)
    expect(await boris.call(acceptInvitation, { body: { token } })).toBeRefused(companionRefusals.invitation_ended)
    const moved = await dora.call(shiftClassesInBulk, { body: { classIds: [one, two], days: 0, minutes: 30 } })
    expect(moved).toMatchObject({ status: 200, body: { classes: 2 } })
    await expectSound(studio)
  })
})

test('holds a place at the desk to the end of a class that the owner lets run longer', async () => {
  const { studio, ana, boris, dora } = await openStudio({ now: 'Monday 09:00' })
  const id = await studio.createClass('Monday 18:00')
  const { body: booking } = await ana.book(id)
  studio.travelTo('Monday 18:05')
  await studio.logIn(dora)
  const body = { firstName: 'Ben', lastName: 'Beck', email: boris.email, override: true }
  expect((await dora.call(addCompanion, { params: { id: booking.id }, body })).status).toBe(201)
  studio.travelTo('Monday 18:10')
  expect((await dora.call(editClass, { params: { id }, body: { endTime: '19:00' } })).status).toBe(200)
  expect(await dora.read(listHeldPlaces)).toMatchObject([{ heldUntil: '2026-12-07T19:00:00Z' }])
})

test.each(['accepts it', 'is booked by the owner'])(
  'an invited person who has changed their address since %s',
  async (how) => {
    const { studio, ana, boris, dora } = await openStudio({ now: 'Monday 09:00' })
    await studio.completeHealth(boris)
    const id = await studio.createClass('Thursday 18:00')
    await bookForTwo(ana, id, boris)
    const token = await tokenFor(studio, boris)
    const body = { email: 'bo@people.example' }
    expect((await dora.call(editUser, { params: { id: boris.id }, body })).status).toBe(200)
    const [held] = await dora.read(listHeldPlaces)
    const accepted = await (how === 'accepts it'
      ? boris.call(acceptInvitation, { body: { token } })
      : dora.call(confirmHeldPlace, { params: { id: held?.id ?? 0 } }))
    expect(accepted.status).toBeLessThan(300)
    expect(await upcomingOf(boris)).toMatchObject([{ classId: id, bookedBy: { firstName: 'Ana' } }])
  },
)

describe('a place that a member pays for', () => {
  test('is listed and can be cancelled after the member has moved their own booking', async () => {
    const { studio, ana, boris } = await openStudio({ now: 'Monday 09:00' })
    await studio.completeHealth(boris)
    const [id, other] = [await studio.createClass('Thursday 18:00'), await studio.createClass('Friday 18:00')]
    const { body: booking } = await bookForTwo(ana, id, boris)
    await boris.call(acceptInvitation, { body: { token: await tokenFor(studio, boris) } })
    expect(await ana.read(listPaidPlaces)).toEqual([])
    await ana.call(rescheduleBooking, { params: { id: booking.id }, body: { classId: other } })
    const [paid, ...more] = await ana.read(listPaidPlaces)
    expect(more).toEqual([])
    expect(paid).toMatchObject({
      bookingId: booking.id,
      classId: id,
      companion: { firstName: 'Ben' },
      state: 'confirmed',
    })
    expect(JSON.stringify(paid)).not.toContain('Boris')
    expect(await boris.read(listPaidPlaces)).toEqual([])
    expect((await boris.call(cancelCompanion, { params: { id: booking.id } })).status).toBe(404)
    expect((await ana.call(cancelCompanion, { params: { id: booking.id } })).status).toBe(200)
    expect(await ana.read(listPaidPlaces)).toEqual([])
    expect(await upcomingOf(boris)).toEqual([])
    expect(await studio.creditsOf(ana)).toBe(9)
    await expectSound(studio)
  })
})
