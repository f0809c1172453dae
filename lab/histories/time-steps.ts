import fc from 'fast-check'
import { cancelForMember } from '#booking/contract.ts'
import type { Snapshot } from './snapshot.ts'
import { defineStep, itemIndex, pick } from './step.ts'
import { findOutlived, findUnbooked } from './together-changes.ts'
import type { World } from './world.ts'

const JUMPS = [1, 1, 5, 5, 12, 24, 72, 24 * 32]
/** Minutes before (or after) the start of a class, around every edge there is. */
const EDGES = [12 * 60, 12 * 60 - 1, 24 * 60, 200, 180, 179, 121, 120, 119, 1, 0, -44, -46]

async function jumpTo(world: World, then: Temporal.Instant, line: string) {
  await world.travelTo(then)
  // The jobs of each minute and each night.
  const { workers } = world.studio.server
  await workers['complete-classes']({}, 'history')
  await workers['remind-members']({}, 'history')
  // Long before the pass that pays expires.
  await workers['end-holds']({}, 'history')
  await workers['expire-passes']({}, 'history')
  await workers['offer-held-places']({}, 'history')
  await workers['book-for-regulars']({}, 'history')
  const unbooked = findUnbooked(world, await world.snapshot())
  await workers['email-regulars']({}, 'history')
  return {
    line: `${line}: it is ${then}`,
    responses: [],
    check: (_: Snapshot, after: Snapshot) => [
      ...findUnexpired(after, then),
      ...findUnreminded(after, then),
      ...findHeldTooLong(after, then),
      ...findOutlived(world, after),
      ...unbooked,
    ],
  }
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
  const held = classes.filter(({ id, heldPlaces }) => {
    const line = waiting.filter(({ classId }) => classId === id)
    const offers = line.filter(({ offeredUntil }) => offeredUntil && Temporal.Instant.compare(now, offeredUntil) < 0)
    return heldPlaces > offers.length && !(isQuiet(now) && line.length > 0)
  })
  return held.map(({ title }) => `a place in ${title} is still held for its waiting list`)
}

/** Source: docs/studio-rules.md#reminders. */
const REMINDER_HOURS = 24

function findUnreminded({ bookings, classes }: Snapshot, now: Temporal.Instant): string[] {
  const due = bookings.filter(({ status, classId, remindedAt, bookedAt, movedAt }) => {
    const start = classes.find(({ id }) => id === classId)?.startsAt
    if (status !== 'confirmed' || !start || Temporal.Instant.compare(start, now) <= 0) return false
    // A reminder of the time before a move does not count.
    if (remindedAt && (!movedAt || Temporal.Instant.compare(remindedAt, movedAt) > 0)) return false
    const from = start.subtract({ hours: REMINDER_HOURS })
    const wasJustEmailed = [bookedAt, movedAt].some((at) => at && Temporal.Instant.compare(at, from) >= 0)
    return !wasJustEmailed && Temporal.Instant.compare(now, from) >= 0
  })
  return due.map(({ id }) => `booking ${id} got no reminder`)
}

export const timePassesStep = defineStep(
  'timePasses',
  4,
  { hours: fc.constantFrom(...JUMPS) },
  async (world, _state, { hours }) => jumpTo(world, world.now.add({ hours }), `${hours} hours go by`),
)

/** Jumps to an edge before or after the start of a class that is booked or awaited. */
export const jumpToEdgeStep = defineStep(
  'comesTo',
  6,
  { which: itemIndex, minutesBefore: fc.constantFrom(...EDGES) },
  async (world, state, { which, minutesBefore }) => {
    const awaited = new Set([...state.bookings, ...state.waiting].map(({ classId }) => classId))
    const ends = state.companions
      .filter(({ state: of }) => of === 'held')
      .map(({ id, heldUntil }) => ({
        title: `the end of place ${id}`,
        at: heldUntil.subtract({ minutes: minutesBefore === 1 ? 1 : 0 }),
      }))
    const moments = state.classes
      .filter(({ id }) => awaited.has(id))
      .map(({ startsAt, title }) => ({ title, at: startsAt.subtract({ minutes: minutesBefore }) }))
      .concat(ends)
      .filter(({ at }) => Temporal.Instant.compare(at, world.now) > 0)
      .sort((a, b) => Temporal.Instant.compare(a.at, b.at))
    // Mostly the next ones, so that little is skipped.
    const moment = pick(moments.slice(0, 2), which)
    return moment && jumpTo(world, moment.at, `${minutesBefore} minutes before ${moment.title}`)
  },
)

/** Hours before the start at which a freed place is offered in turn. */
const HOURS_OF_TURNS = 5

/**
 * The owner cancels a booking of an awaited class in the hours in which its place is offered along the waiting list.
 */
export const freeAwaitedPlaceStep = defineStep(
  'freesAwaited',
  10,
  { which: itemIndex },
  async (world, state, { which }) => {
    const awaited = state.classes.filter(
      ({ id, isActive, startsAt }) =>
        isActive &&
        state.waiting.some(({ classId, unconfirmedSince }) => classId === id && !unconfirmedSince) &&
        Temporal.Instant.compare(startsAt.subtract({ hours: HOURS_OF_TURNS }), world.now) > 0,
    )
    const found = pick(awaited, which)
    const held = state.bookings.find(({ classId, status }) => classId === found?.id && status === 'confirmed')
    if (!found || !held) return undefined
    const then = found.startsAt.subtract({ hours: HOURS_OF_TURNS })
    const jump = await jumpTo(world, then, `Dora cancels booking ${held.id} of ${found.title}`)
    return {
      ...jump,
      isSeveral: true,
      responses: [await world.owner.call(cancelForMember, { params: { id: held.id }, body: {} })],
    }
  },
)
