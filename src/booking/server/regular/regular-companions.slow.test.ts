import { expect, test } from 'vitest'
import { deleteUser } from '#privacy/contract.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { listClasses } from '#timetable/contract.ts'
import { blockMember, bookClass, cancelBooking, listUpcomingBookings } from '../../contract.ts'
import { acceptInvitation, declineInvitation } from '../../contract-companions.ts'
import {
  endRegularBooking,
  listRegularBookings,
  listRegularHolders,
  setRegularBooking,
  setRegularBookingFor,
  skipRegularDate,
} from '../../contract-regular.ts'
import { companionRefusals } from '../../refusals.ts'

const FRIDAYS = ['2026-12-11', '2026-12-18', '2026-12-25', '2027-01-01']

/** Four Fridays for two at 08:00; Eva has 12 credits, Bea none. */
async function openFridays(credits = 12) {
  const story = await openStudio()
  const { studio, dora } = story
  const eva = await studio.member('Eva', { health: true, credits })
  const bea = await studio.member('Bea', { health: true })
  const repeat = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: FRIDAYS[3] }
  const form = {
    title: 'Fridays',
    date: FRIDAYS[0],
    startTime: '08:00',
    endTime: '08:45',
    maxParticipants: 2,
    ...repeat,
  }
  expect((await dora.request('POST', '/api/classes', form)).status).toBe(201)
  const byDate = new Map((await dora.read(listClasses)).map((one) => [one.date, one.id]))
  return { ...story, eva, bea, on: (date: string) => byDate.get(date) ?? 0 }
}

const companionOf = (person: Person) => ({ firstName: 'Bea', lastName: 'Best', email: person.email })
const dates = async (person: Person) => (await person.read(listUpcomingBookings)).map((one) => one.class.date)
const mine = async (person: Person) => (await person.read(listRegularBookings))[0]
const subjectsTo = async (studio: StudioUnderTest, person: Person, words: string) =>
  (await studio.mailTo(person)).map(({ subject }) => subject).filter((subject) => subject.includes(words))
const expectSound = async (studio: StudioUnderTest) =>
  expect(await brokenInvariants(studio.server.database.pool)).toEqual([])

async function tokenFor(studio: StudioUnderTest, person: Person): Promise<string> {
  await studio.mailbox()
  const texts = (await studio.mailTo(person)).map(({ text }) => /#invitation=([\w.-]+)/.exec(text)?.[1])
  return texts.findLast((found) => found !== undefined) ?? 'none'
}

type Together = Awaited<ReturnType<typeof openTogether>>

/** Eva has booked every Friday with Bea, who has accepted. */
async function openTogether(credits = 12) {
  const story = await openFridays(credits)
  const { studio, eva, bea, on } = story
  const body = { classId: on('2026-12-11'), withCompanion: true, companion: companionOf(bea) }
  const made = await eva.call(setRegularBooking, { body })
  expect(made).toMatchObject({ status: 201, body: { companion: { firstName: 'Bea', state: 'held' } } })
  expect(made.body.booked).toHaveLength(Math.min(4, credits - 1))
  const token = await tokenFor(studio, bea)
  expect((await bea.call(acceptInvitation, { body: { token } })).status).toBe(201)
  await studio.runQueue('book-for-companion')
  return { ...story, id: made.body.id as number }
}

test('invites a companion to the first class, who comes along to the later ones once they accept', async () => {
  const { studio, eva, bea, dora } = await openTogether()
  expect(await dates(bea)).toEqual(FRIDAYS)
  expect(await studio.creditsOf(eva)).toBe(4)
  expect(await mine(eva)).toMatchObject({ companion: { firstName: 'Bea', state: 'confirmed' }, bookedBy: null })
  expect((await mine(eva))?.dates.every(({ companionBookingId }) => companionBookingId !== null)).toBe(true)
  expect(await mine(bea)).toMatchObject({ bookedBy: { firstName: 'Eva' }, companion: null, bookedUntil: '2027-01-01' })
  expect((await eva.read(listUpcomingBookings))[3]?.companion).toMatchObject({ firstName: 'Bea', state: 'confirmed' })
  expect((await bea.read(listUpcomingBookings))[3]?.bookedBy).toEqual({ firstName: 'Eva' })
  expect(await dora.read(listRegularHolders)).toMatchObject([{ user: { firstName: 'Eva' }, companion: { id: bea.id } }])
  // Each is emailed once which dates were booked for Bea.
  await studio.runQueue('book-for-companion')
  expect(await subjectsTo(studio, bea, 'New classes every Friday at 08:00 with Eva are booked')).toHaveLength(1)
  expect(await subjectsTo(studio, eva, 'every Friday')).toEqual([
    'You are booked every Friday at 08:00',
    'New classes every Friday at 08:00 are booked',
  ])
  await expectSound(studio)
})

test('brings the companion of the booked class along, and books the member alone where a place or a credit is missing', async () => {
  const { studio, eva, bea, on, ana } = await openFridays(6)
  await ana.call(bookClass, { body: { classId: on('2026-12-18') } })
  await eva.call(bookClass, { body: { classId: on('2026-12-11'), companion: companionOf(bea) } })
  await bea.call(acceptInvitation, { body: { token: await tokenFor(studio, bea) } })
  const made = await eva.call(setRegularBooking, { body: { classId: on('2026-12-11'), withCompanion: true } })
  expect(made.status).toBe(201)
  expect(await dates(eva)).toEqual(FRIDAYS)
  // Bea has accepted one class, and is asked before every week.
  expect(await dates(bea)).toEqual(['2026-12-11'])
  await bea.call(acceptInvitation, { body: { token: await tokenFor(studio, bea) } })
  await studio.runQueue('book-for-companion')
  expect(await dates(bea)).toEqual(['2026-12-11', '2026-12-25'])
  expect(await studio.creditsOf(eva)).toBe(0)
  // A credit later, Bea's place of 1 January is booked as well.
  await studio.grantCredits(eva, 1)
  studio.travelTo('Tuesday 00:20')
  await studio.server.workers['book-for-regulars']({}, 'by hand')
  expect(await dates(bea)).toEqual(['2026-12-11', '2026-12-25', '2027-01-01'])
  // No invitation was sent for these, so Eva can still invite others.
  const more = await studio.createClass('2026-12-14 18:00')
  await studio.grantCredits(eva, 2)
  const body = { classId: more, companion: { ...companionOf(bea), email: 'cleo@example.com' } }
  expect((await eva.call(bookClass, { body })).status).toBe(201)
  await expectSound(studio)
})

test('refuses a companion whom the booked class does not have, and leaves nothing behind', async () => {
  const { studio, eva, bea, on, dora } = await openFridays()
  const body = { classId: on('2026-12-11'), withCompanion: true }
  expect(await eva.call(setRegularBooking, { body })).toMatchObject({
    status: 404,
    body: { message: companionRefusals.companion_not_found.message },
  })
  const self = { ...body, companion: companionOf(eva) }
  expect(await eva.call(setRegularBooking, { body: self })).toMatchObject({
    status: 400,
    body: { message: companionRefusals.companion_is_self.message },
  })
  expect(await mine(eva)).toBeUndefined()
  expect(await dates(eva)).toEqual([])
  expect(await studio.creditsOf(eva)).toBe(12)
  // The owner sets it up with a companion too; declining leaves the member's own places.
  const forEva = { params: { id: eva.id }, body: { ...body, companion: companionOf(bea) } }
  expect((await dora.call(setRegularBookingFor, forEva)).status).toBe(201)
  await bea.call(declineInvitation, { body: { token: await tokenFor(studio, bea) } })
  expect(await mine(eva)).toMatchObject({ companion: null })
  expect(await dates(eva)).toEqual(FRIDAYS)
  await expect(
    studio.server.database.pool.query('update regular_bookings set companion_user_id = user_id'),
  ).rejects.toThrow('a_member_brings_another_person')
})

test('lets the companion leave one date for good, or all of them', async () => {
  const { studio, eva, bea, on, id } = await openTogether()
  const skipped = await bea.call(skipRegularDate, { params: { id }, body: { classId: on('2026-12-18') } })
  expect(skipped).toMatchObject({ status: 200, body: { cancelled: { status: 'cancelled' } } })
  studio.travelTo('2026-12-08 09:00')
  await studio.runQueue('end-undo')
  await studio.server.workers['book-for-regulars']({}, '', undefined as never)
  expect(await dates(bea)).toEqual(['2026-12-11', '2026-12-25', '2027-01-01'])
  expect(await dates(eva)).toEqual(FRIDAYS)
  expect(await studio.creditsOf(eva)).toBe(5)
  const left = await bea.call(endRegularBooking, { params: { id }, query: { cancelBookings: 'true' } })
  expect(left.body.cancelledBookingIds).toHaveLength(3)
  expect(await mine(bea)).toBeUndefined()
  expect(await dates(bea)).toEqual([])
  expect(await mine(eva)).toMatchObject({ companion: null })
  expect(await studio.creditsOf(eva)).toBe(8)
  expect(await subjectsTo(studio, eva, 'no longer coming every')).toEqual([
    'Bea is no longer coming every Friday at 08:00',
  ])
  expect(await subjectsTo(studio, bea, 'has ended')).toHaveLength(1)
  await expectSound(studio)
})

const keepingBookings = (id: number) => ({ params: { id }, query: { cancelBookings: 'false' as const } })

test.each([
  {
    what: 'companion leaves',
    act: ({ bea, id }: Together) => bea.call(endRegularBooking, keepingBookings(id)),
    emailed: ['Bea'],
  },
  {
    what: 'member ends it',
    act: ({ eva, id }: Together) => eva.call(endRegularBooking, keepingBookings(id)),
    emailed: ['Bea', 'Eva'],
  },
  {
    what: 'companion is blocked',
    act: ({ dora, bea }: Together) => dora.call(blockMember, { params: { id: bea.id }, body: { reason: 'Rude' } }),
    emailed: ['Bea'],
  },
  {
    what: 'member is erased',
    act: ({ dora, eva }: Together) => dora.call(deleteUser, { params: { id: eva.id } }),
    emailed: ['Bea'],
  },
])('emails the places booked at night that stay booked when the $what', async ({ act, emailed }) => {
  const together = await openTogether()
  const { studio, eva, bea, dora } = together
  // It is booked at night, and more than four weeks ahead: its email waits for the end of the month.
  await studio.createClass('2027-01-08 08:00')
  studio.travelTo('Tuesday 00:20')
  await studio.logIn(dora)
  await studio.server.workers['book-for-regulars']({}, '', undefined as never)
  expect((await act(together)).status).toBe(200)
  expect(await dates(bea)).toContain('2027-01-08')
  for (const [name, person] of Object.entries({ Bea: bea, Eva: eva })) {
    const ended = (await studio.mailTo(person)).filter(({ subject }) => subject.includes('has ended'))
    expect(ended.map(({ text }) => text.includes('Friday 8 January'))).toEqual(emailed.includes(name) ? [true] : [])
  }
  await studio.server.workers['email-regulars']({}, '', undefined as never)
  expect(await subjectsTo(studio, bea, 'Your classes every Friday')).toEqual([])
  await expectSound(studio)
})

test('cancels both places when the member ends it with its bookings, and emails each once', async () => {
  const { studio, eva, bea, id, ana } = await openTogether()
  const other = await ana.call(endRegularBooking, { params: { id }, query: { cancelBookings: 'true' } })
  expect(other.status).toBe(404)
  const ended = await eva.call(endRegularBooking, { params: { id }, query: { cancelBookings: 'true' } })
  expect(ended.body.cancelledBookingIds).toHaveLength(8)
  expect(await dates(bea)).toEqual([])
  expect(await studio.creditsOf(eva)).toBe(12)
  expect(await subjectsTo(studio, bea, 'ended')).toEqual([
    'Your regular booking every Friday at 08:00 with Eva has ended',
  ])
  expect(await subjectsTo(studio, eva, 'ended')).toEqual(['Your regular booking every Friday at 08:00 has ended'])
  expect(await subjectsTo(studio, eva, 'cancelled')).toEqual([])
  await expectSound(studio)
})

test.each(['companion', 'member'] as const)('ends the companionship when the %s is erased or blocked', async (who) => {
  const { studio, eva, bea, dora } = await openTogether()
  const [gone, other] = who === 'companion' ? [bea, eva] : [eva, bea]
  const words = who === 'companion' ? 'no longer coming every' : 'with Eva has ended'
  await dora.call(blockMember, { params: { id: gone.id }, body: { reason: 'Rude' } })
  expect(await subjectsTo(studio, other, words)).toHaveLength(1)
  expect(await dates(bea)).toEqual(FRIDAYS)
  expect((await dora.read(listRegularHolders))[0]?.companion).toBeNull()
  await expectSound(studio)
})

test.each(['companion', 'member'] as const)(
  'emails the other once about all dates when the %s is erased',
  async (who) => {
    const { studio, eva, bea, dora } = await openTogether()
    const [gone, other] = who === 'companion' ? [bea, eva] : [eva, bea]
    const before = (await studio.mailTo(other)).length
    expect((await dora.call(deleteUser, { params: { id: gone.id } })).status).toBe(200)
    expect((await studio.mailTo(other)).length - before).toBe(1)
    expect(await dates(other)).toEqual(FRIDAYS)
    if (who === 'companion') expect(await studio.creditsOf(eva)).toBe(8)
    await expectSound(studio)
  },
)

test('cancelling one own place keeps the companion’s', async () => {
  const { studio, eva, bea } = await openTogether()
  const [first] = await eva.read(listUpcomingBookings)
  await eva.call(cancelBooking, { params: { id: first?.id ?? 0 } })
  expect(await dates(bea)).toEqual(FRIDAYS)
  expect(await mine(bea)).toMatchObject({ bookedUntil: '2027-01-01' })
  await expectSound(studio)
})
