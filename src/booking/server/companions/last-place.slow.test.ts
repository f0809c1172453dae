import { expect, test } from 'vitest'
import { MINUTE_TASKS } from '#app/queues.ts'
import { studioTime } from '#foundation/instants.ts'
import { editClassAs, remove } from '#schedule/server/classes-under-test.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { cancelForMember } from '../../contract.ts'
import { addCompanion, listHeldPlaces } from '../../contract-companions.ts'
import { setRegularBooking } from '../../contract-regular.ts'
import { joinWaitingList } from '../../contract-waiting.ts'

const endHolds = (studio: StudioUnderTest) => studio.server.workers['end-holds']({}, 'by hand')
const invite = (person: Person, id: number, name = 'ben') => {
  const body = { firstName: 'Ben', lastName: 'Beck', email: `${name}@people.example` }
  return person.call(addCompanion, { params: { id }, body })
}
const wait = (person: Person, id: number) => person.call(joinWaitingList, { params: { id } })

/** A member invites at most five people an hour, so three take turns. */
const INVITERS = ['Ida', 'Ian', 'Ivy']
const MINUTES_A_ROUND = 5
/** First rounds a day ahead, when a place goes to the first on the list; then some on the day, when it is offered. */
const [DAY_BEFORE, ON_THE_DAY] = [120, 80]
const ROUNDS = DAY_BEFORE + ON_THE_DAY

const timeOf = (round: number) => {
  const [start, since] =
    round < DAY_BEFORE ? (['2026-12-10T09:00', round] as const) : (['2026-12-11T07:00', round - DAY_BEFORE] as const)
  return Temporal.PlainDateTime.from(start)
    .add({ minutes: since * MINUTES_A_ROUND })
    .toString()
    .replace('T', ' ')
}

async function openRace() {
  const { studio, dora } = await openStudio()
  const cast = async (name: string) => await studio.member(name, { health: true, credits: 2 * ROUNDS })
  const [eva, fay, gus, hal] = [await cast('Eva'), await cast('Fay'), await cast('Gus'), await cast('Hal')]
  const inviters = await Promise.all(INVITERS.map(cast))
  // Fay comes every Friday.
  const [friday = 0] = [await studio.createClass('Friday 18:00'), await studio.createClass('2026-12-18 18:00')]
  expect((await fay.call(setRegularBooking, { body: { classId: friday } })).status).toBe(201)
  await remove(dora, friday)
  return { studio, dora, eva, gus, hal, inviters }
}

/** Who got, holds or is offered a place in a class. */
async function winnersIn(studio: StudioUnderTest, classId: number): Promise<string[]> {
  const { rows } = await studio.server.database.pool.query<{ winner: string }>(
    `select first_name as winner from bookings join users on users.id = user_id where class_id = $1 and status = 'confirmed'
     union all select 'Companion' from bookings where class_id = $1 and status = 'held'
     union all select first_name from waiting_list join users on users.id = user_id where class_id = $1 and turn = 'offered'`,
    [classId],
  )
  return rows.map(({ winner }) => winner).filter((winner) => !INVITERS.includes(winner))
}

test(`${ROUNDS} races of a member, an invitation, a regular booking and the waiting list sell the last place once`, async () => {
  const { studio, dora, eva, gus, hal, inviters } = await openRace()
  const wins = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    studio.travelTo(timeOf(round))
    const inviter = inviters[round % inviters.length] as Person
    const id = await studio.createClass('Friday 18:00')
    const own = (await inviter.book(id)).body.id
    const isFree = round % 2 === 0
    const freed = isFree ? undefined : (await hal.book(id)).body.id
    if (!isFree) await wait(gus, id)

    const contenders = [
      () => eva.book(id),
      () => invite(inviter, own),
      () => studio.server.workers['book-for-regulars']({}, 'by hand'),
      () => (isFree ? wait(gus, id) : dora.call(cancelForMember, { params: { id: freed }, body: {} })),
    ]
    // Each starts first in turn, and in every fifth round the others start only when it has finished.
    const turn = (round >> 1) % contenders.length
    const [first, ...others] = [...contenders.slice(turn), ...contenders.slice(0, turn)]
    const started = first?.()
    if (round % 5 === 0) await started
    await Promise.all([started, ...others.map((start) => start())])
    const winners = await winnersIn(studio, id)
    expect(winners, `round ${round} ${studio.faults()}`).toHaveLength(1)
    const taken = await studio.count('select booked_count + reserved_places from classes where id = $1', [id])
    expect(taken, `round ${round}`).toBe(2)
    for (const winner of winners) wins.add(winner)

    await remove(dora, id)
    if (round % 8 === 0) {
      await studio.server.workers['email-cancellations']({}, 'by hand')
      await endHolds(studio)
    }
  }
  expect([...wins].sort()).toEqual(['Companion', 'Eva', 'Fay', 'Gus'])
  expect(studio.faults()).toBe('')
  expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
})

test.each([
  ['spring', '2027-03-27', ['11:00', '12:00', '10:00', '10:00'], '2027-03-29T09:00:00Z'],
  ['autumn', '2027-10-30', ['11:00', '12:00', '10:00', '08:00'], '2027-11-01T08:00:00Z'],
])(
  'held places end at their time, and within a minute, when the clocks change in %s',
  async (_, saturday, times, last) => {
    const { studio, ana, dora } = await openStudio({ now: `${saturday} 09:00` })
    expect(MINUTE_TASKS).toContain('end-holds')
    const [sunday, thursday] = [1, 5].map((days) => Temporal.PlainDate.from(saturday).add({ days }).toString())
    const held: number[] = []
    for (const [i, at] of [
      `${thursday} 08:00`,
      `${thursday} 10:00`,
      `${sunday} 12:00`,
      `${thursday} 18:00`,
    ].entries()) {
      const id = await studio.createClass(at)
      expect((await invite(ana, (await ana.book(id)).body.id, `ben${i}`)).status).toBe(201)
      held.push(id)
    }
    // Moved to in an hour: until the start; moved to in four hours: two hours are left to answer.
    studio.travelTo(`${saturday} 10:00`)
    await editClassAs(dora, held[0] ?? 0, { date: saturday, startTime: '11:00', endTime: '11:45' })
    await editClassAs(dora, held[1] ?? 0, { date: saturday, startTime: '14:00', endTime: '14:45' })
    const ends = (await dora.read(listHeldPlaces)).map(({ heldUntil }) => Temporal.Instant.from(heldUntil))
    expect(ends.map((end) => studioTime(end))).toEqual(times)
    expect(ends.at(-1)?.toString()).toBe(last)
    for (const [i, end] of ends.entries()) {
      studio.clock.set(end.subtract({ minutes: 1 }))
      await endHolds(studio)
      expect(await dora.read(listHeldPlaces)).toHaveLength(ends.length - i)
      studio.clock.set(end)
      await endHolds(studio)
      expect(await dora.read(listHeldPlaces)).toHaveLength(ends.length - i - 1)
    }
    expect(await studio.creditsOf(ana)).toBe(6)
    expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
  },
)
