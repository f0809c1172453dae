import fc from 'fast-check'
import { cancelForMember } from '#booking/contract.ts'
import { heldPlaces, type Snapshot } from './snapshot.ts'
import { defineStep, itemIndex, pick } from './step.ts'
import { findOutlived, findUnbooked } from './together-changes.ts'
import type { World } from './world.ts'

const JUMPS = [1, 1, 5, 5, 12, 24, 72, 24 * 32]
/** Minutes before (or after) the start of a class, around every edge there is. */
const EDGES = [12 * 60, 12 * 60 - 1, 24 * 60, 200, 180, 179, 121, 120, 119, 1, 0, -44, -46]

/** The jobs of each minute. Holds end long before the pass that pays expires. */
const EVERY_MINUTE = [
  'complete-classes',
  'remind-members',
  'end-holds',
  'expire-passes',
  'offer-reserved-places',
] as const

async function jumpTo(world: World, state: Snapshot, then: Temporal.Instant, line: string) {
  const faults: string[] = []
  const run = async (job: (typeof EVERY_MINUTE)[number] | 'book-for-regulars' | 'email-regulars') =>
    world.studio.server.workers[job]({}, 'history')
  const moments = momentsUntil(world, state, then)
  for (const { at, job } of [...moments, { at: then, job: undefined }]) {
    await world.travelTo(at)
    for (const each of EVERY_MINUTE) await run(each)
    if (!job) continue
    const before = await world.snapshot()
    await run(job)
    if (job === 'book-for-regulars') faults.push(...findUnbooked(world, before, await world.snapshot()))
  }
  return {
    line: `${line}: it is ${then}`,
    responses: [],
    isSeveral: moments.length > 0,
    check: (_: Snapshot, after: Snapshot) => [
      ...findUnexpired(after, then),
      ...findUnreminded(after, then),
      ...findHeldTooLong(after, then),
      ...findOutlived(world, after),
      ...faults,
    ],
  }
}

type Moment = { at: Temporal.Instant; job?: 'book-for-regulars' | 'email-regulars' | undefined }

/** When something happens in the meantime: the nights and mornings of regular bookings, and the ends of held places. */
function momentsUntil({ now }: World, state: Snapshot, then: Temporal.Instant): Moment[] {
  const today = now.toZonedDateTimeISO('Europe/London').startOfDay()
  const days = state.regulars.length > 0 ? Math.ceil(now.until(then).total('hours') / 24) + 1 : 0
  const nights = Array.from({ length: days }, (_, i) => today.add({ days: i })).flatMap((day): Moment[] => [
    { at: day.withPlainTime('00:20').toInstant(), job: 'book-for-regulars' },
    { at: day.withPlainTime('09:00').toInstant(), job: 'email-regulars' },
  ])
  const ends = heldPlaces(state).map(({ openUntil: at }): Moment => ({ at }))
  return [...nights, ...ends]
    .filter(({ at }) => Temporal.Instant.compare(at, now) > 0 && Temporal.Instant.compare(at, then) <= 0)
    .sort((a, b) => Temporal.Instant.compare(a.at, b.at))
}

function findUnexpired(after: Snapshot, now: Temporal.Instant): string[] {
  const missed = after.passes.filter(
    ({ expiresAt, creditsRemaining, frozenAt }) =>
      creditsRemaining > 0 && !frozenAt && Temporal.Instant.compare(expiresAt, now) < 0,
  )
  return missed.map(({ id }) => `pass ${id} has expired but still has credits`)
}

/** Source: docs/studio-rules.md#waiting-list. Places are held from 22:00 to 07:00. */
export function isQuiet(now: Temporal.Instant): boolean {
  const { hour } = now.toZonedDateTimeISO('Europe/London')
  return hour < 7 || hour >= 22
}

function findHeldTooLong({ classes, waiting }: Snapshot, now: Temporal.Instant): string[] {
  const held = classes.filter(({ id, reservedPlaces }) => {
    const line = waiting.filter(({ classId }) => classId === id)
    const offers = line.filter(({ offeredUntil }) => offeredUntil && Temporal.Instant.compare(now, offeredUntil) < 0)
    return reservedPlaces > offers.length && !(isQuiet(now) && line.length > 0)
  })
  return held.map(({ title }) => `a place in ${title} is still held for its waiting list`)
}

/** Source: docs/studio-rules.md#reminders. */
const REMINDER_HOURS = 24

function findUnreminded({ bookings, classes }: Snapshot, now: Temporal.Instant): string[] {
  const due = bookings.filter(({ status, classId, remindedAt, announcedAt, movedAt }) => {
    const start = classes.find(({ id }) => id === classId)?.startsAt
    if (status !== 'confirmed' || !start || !announcedAt || Temporal.Instant.compare(start, now) <= 0) return false
    // A reminder of the time before a move does not count.
    if (remindedAt && (!movedAt || Temporal.Instant.compare(remindedAt, movedAt) > 0)) return false
    const from = start.subtract({ hours: REMINDER_HOURS })
    const wasJustEmailed = [announcedAt, movedAt].some((at) => at && Temporal.Instant.compare(at, from) >= 0)
    return !wasJustEmailed && Temporal.Instant.compare(now, from) >= 0
  })
  return due.map(({ id }) => `booking ${id} got no reminder`)
}

export const timePassesStep = defineStep('timePasses', 4, { hours: fc.constantFrom(...JUMPS) })(
  async (world, state, { hours }) => jumpTo(world, state, world.now.add({ hours }), `${hours} hours go by`),
)

/** Jumps to an edge before or after the start of a class that is booked or awaited. */
export const jumpToEdgeStep = defineStep('comesTo', 6, { which: itemIndex, minutesBefore: fc.constantFrom(...EDGES) })(
  async (world, state, { which, minutesBefore }) => {
    const awaited = new Set([...state.bookings, ...state.waiting].map(({ classId }) => classId))
    const ends = heldPlaces(state).map(({ place, openUntil }) => ({
      title: `the end of place ${place.id}`,
      at: openUntil.subtract({ minutes: minutesBefore === 1 ? 1 : 0 }),
    }))
    const moments = state.classes
      .filter(({ id }) => awaited.has(id))
      .map(({ startsAt, title }) => ({ title, at: startsAt.subtract({ minutes: minutesBefore }) }))
      .concat(ends)
      .filter(({ at }) => Temporal.Instant.compare(at, world.now) > 0)
      .sort((a, b) => Temporal.Instant.compare(a.at, b.at))
    // Mostly the next ones, so that little is skipped.
    const moment = pick(which, moments.slice(0, 2))
    return moment && jumpTo(world, state, moment.at, `${minutesBefore} minutes before ${moment.title}`)
  },
)

/** Hours before the start at which a freed place is offered in turn. */
const HOURS_OF_TURNS = 5

/**
 * The owner cancels a booking of an awaited class in the hours in which its place is offered along the waiting list.
 */
export const freeAwaitedPlaceStep = defineStep('freesAwaited', 10, { which: itemIndex })(
  async (world, state, { which }) => {
    const awaited = state.classes.filter(
      ({ id, isActive, startsAt }) =>
        isActive &&
        state.waiting.some(({ classId, unconfirmedSince }) => classId === id && !unconfirmedSince) &&
        Temporal.Instant.compare(startsAt.subtract({ hours: HOURS_OF_TURNS }), world.now) > 0,
    )
    const found = pick(which, awaited)
    const held = state.bookings.find(({ classId, status }) => classId === found?.id && status === 'confirmed')
    if (!found || !held) return undefined
    const then = found.startsAt.subtract({ hours: HOURS_OF_TURNS })
    const jump = await jumpTo(world, state, then, `Dora cancels booking ${held.id} of ${found.title}`)
    return {
      ...jump,
      isSeveral: true,
      responses: [await world.owner.call(cancelForMember, { params: { id: held.id }, body: {} })],
    }
  },
)
