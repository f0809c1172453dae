import fc from 'fast-check'
import { bookClass, cancelBooking, rescheduleBooking } from '#booking/contract.ts'
import { joinWaitingList, leaveWaitingList } from '#booking/contract-waiting.ts'
import type { Person } from '../person.ts'
import type { Snapshot } from './snapshot.ts'
import { type Deed, deed, pick, someone, something, stepKind, timetableOf, titleOf } from './step.ts'
import type { World } from './world.ts'

/** Source: docs/studio-rules.md#cancelling. Written down a second time on purpose: here it judges the code. */
const LATE_MINUTES = 120
const GRACE_DAYS = 14

const heldBy = ({ bookings }: Snapshot, { id }: Person) =>
  bookings.filter(({ userId, status }) => userId === id && status === 'confirmed')

const isBooked = (after: Snapshot, id: number, userId: string, classId: number) =>
  after.bookings.some(
    (row) => row.id === id && row.userId === userId && row.classId === classId && row.status === 'confirmed',
  )

/** Books a place. */
export const books = stepKind('books', 12, { who: someone, which: something }, async (world, state, { who, which }) => {
  const member = world.who(who)
  const wanted = pick(timetableOf(state, world.now), which)
  if (!wanted) return undefined
  const answer = await member.call(bookClass, { body: { classId: wanted.id } })
  return deed(`${member.name} books ${wanted.title}`, answer, (_before, after) =>
    isBooked(after, answer.body.id, member.id, wanted.id)
      ? []
      : [`${member.name} was told of a booking that is not there`],
  )
})

/** Gives an own place back. */
export const cancels = stepKind(
  'cancels',
  7,
  { who: someone, which: something },
  async (world, state, { who, which }) => {
    const member = world.who(who)
    const own = pick(heldBy(state, member), which)
    if (!own) return undefined
    const answer = await member.call(cancelBooking, { params: { id: own.id } })
    return deed(`${member.name} cancels ${titleOf(state, own.classId)}`, answer, (before, after) =>
      outcomeOf(world, before, after, own.id),
    )
  },
)

function outcomeOf(world: World, before: Snapshot, after: Snapshot, id: number): string[] {
  const row = after.bookings.find((booking) => booking.id === id)
  const given = before.classes.find((one) => one.id === row?.classId)
  if (row?.status !== 'cancelled' || !given) return [`booking ${id} was said to be cancelled and is ${row?.status}`]
  const minutes = world.now.until(given.startsAt).total('minutes')
  const isMoved = world.movedBookings.has(id)
  const hasEnded = endedPass(before, row.passId)
  const due = (minutes > LATE_MINUTES || isMoved) && !hasEnded ? 'refunded' : 'forfeited'
  const isLost = row.paymentStatus !== due
  return [
    ...(isLost ? [`cancelled ${minutes} minutes before the start, yet ${row.paymentStatus}`] : []),
    ...(isMoved && !hasEnded ? tooShort(after, row.passId, world.now) : []),
  ]
}

/** Whether a pass was voided or refunded: no credit goes back to it. */
export function endedPass({ passes }: Snapshot, passId: number): boolean {
  const pass = passes.find(({ id }) => id === passId)
  return Boolean(pass?.voidedAt ?? pass?.refundedAt)
}

/** A pass that got a credit back because of the studio stays valid at least 14 days. */
export function tooShort({ passes }: Snapshot, passId: number, now: Temporal.Instant): string[] {
  const until = passes.find(({ id }) => id === passId)?.expiresAt ?? now
  const days = now.until(until).total('hours') / 24
  return days >= GRACE_DAYS ? [] : [`pass ${passId} got a credit back from the studio and ends in ${days} days`]
}

/** Moves an own place to another class. */
export const moves = stepKind(
  'moves',
  6,
  { who: someone, which: something, to: something },
  async (world, state, { who, which, to }) => {
    const member = world.who(who)
    const own = pick(heldBy(state, member), which)
    const wanted = pick(timetableOf(state, world.now), to)
    if (!own || !wanted) return undefined
    const answer = await member.call(rescheduleBooking, { params: { id: own.id }, body: { classId: wanted.id } })
    const line = `${member.name} moves from ${titleOf(state, own.classId)} to ${wanted.title}`
    return deed(line, answer, (_before, after) => [
      ...(isBooked(after, answer.body.id, member.id, wanted.id) ? [] : ['the place moved to is not there']),
      ...(isBooked(after, own.id, member.id, own.classId) ? ['the place moved from is still held'] : []),
    ])
  },
)

/** Takes a place in a line. */
export const waits = stepKind('waits', 8, { who: someone, which: something }, async (world, state, { who, which }) => {
  const member = world.who(who)
  const unsure = state.waiting.filter(({ userId, unconfirmedSince }) => userId === member.id && unconfirmedSince)
  const listed = timetableOf(state, world.now)
  const full = listed.filter(
    ({ id, bookedCount, maxParticipants }) =>
      bookedCount >= maxParticipants || unsure.some(({ classId }) => classId === id),
  )
  // Sometimes for one that is not full: that is refused.
  const wanted = pick(full.length > 0 ? full : listed, which)
  if (!wanted) return undefined
  const answer = await member.call(joinWaitingList, { params: { id: wanted.id } })
  return deed(`${member.name} waits for ${wanted.title}`, answer, (_before, after) => {
    const own = ({ userId, classId }: { userId: string; classId: number }) =>
      userId === member.id && classId === wanted.id
    const isThere = after.waiting.some(own) || after.bookings.some((row) => own(row) && row.status === 'confirmed')
    return isThere ? [] : [`${member.name} was told to be in line and is not`]
  })
})

/** Leaves a line. */
export const leaves = stepKind(
  'leaves',
  2,
  { who: someone, which: something },
  async (world, state, { who, which }) => {
    const member = world.who(who)
    const entry = pick(
      state.waiting.filter(({ userId }) => userId === member.id),
      which,
    )
    if (!entry) return undefined
    const answer = await member.call(leaveWaitingList, { params: { id: entry.classId } })
    return deed(`${member.name} leaves the line for ${titleOf(state, entry.classId)}`, answer, (_before, after) =>
      after.waiting.some(({ id }) => id === entry.id) ? [`${member.name} still waits`] : [],
    )
  },
)

const CONTEST = { first: someone, second: someone, which: something, gives: fc.boolean() }

/** Two want the same class at once, or one gives a place back while another books. */
export const contest = stepKind('contest', 4, CONTEST, async (world, state, { first, second, which, gives }) => {
  const giving = gives ? cancels.of({ who: first, which }) : books.of({ who: first, which })
  const deeds = await Promise.all([giving.take(world, state), books.of({ who: second, which }).take(world, state)])
  return together(deeds)
})

/** Somebody books two classes at once, perhaps with one credit. */
export const booksTwo = stepKind(
  'booksTwo',
  3,
  { who: someone, which: something, other: something },
  async (world, state, { who, which, other }) =>
    together(await Promise.all([which, other].map((one) => books.of({ who, which: one }).take(world, state)))),
)

/** Several deeds at once as one: what each was answered must be so at the end, unless another undid it. */
export function together(deeds: (Deed | undefined)[]): Deed | undefined {
  const done = deeds.filter((one) => one !== undefined)
  if (done.length === 0) return undefined
  return {
    line: `at once: ${done.map(({ line }) => line).join(' | ')}`,
    answers: done.flatMap(({ answers }) => answers),
    check: (before, after) => done.flatMap(({ check }) => check?.(before, after) ?? []),
  }
}
