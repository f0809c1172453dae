import fc from 'fast-check'
import { bookClass, cancelBooking, rescheduleBooking, undoCancel } from '#booking/contract.ts'
import { declineOffer, joinWaitingList, leaveWaitingList } from '#booking/contract-waiting.ts'
import { editClass } from '#schedule/contract.ts'
import type { Person } from '#testing/person.ts'
import type { Snapshot } from './snapshot.ts'
import {
  combine,
  defineStep,
  findShortPasses,
  hasPassEnded,
  itemIndex,
  memberIndex,
  pick,
  timetableOf,
  titleOf,
  toResult,
} from './step.ts'
import type { World } from './world.ts'

/** Source: docs/studio-rules.md#cancelling. Deliberately repeated here, to check the code. */
const LATE_MINUTES = 120

const bookingsOf = ({ bookings }: Snapshot, { id }: Person) =>
  bookings.filter(({ userId, status }) => userId === id && status === 'confirmed')

const isBooked = (after: Snapshot, id: number, userId: string, classId: number) =>
  after.bookings.some(
    (row) => row.id === id && row.userId === userId && row.classId === classId && row.status === 'confirmed',
  )

export const bookStep = defineStep('books', 12, { who: memberIndex, which: itemIndex })(
  async (world, state, { who, which }) => {
    const member = world.member(who)
    const wanted = pick(which, timetableOf(state, world.now))
    if (!wanted) return undefined
    const response = await member.call(bookClass, { body: { classId: wanted.id } })
    return toResult(`${member.name} books ${wanted.title}`, response, (_before, after) =>
      isBooked(after, response.body.id, member.id, wanted.id)
        ? []
        : [`${member.name} got a booking that does not exist`],
    )
  },
)

export const cancelStep = defineStep('cancels', 7, { who: memberIndex, which: itemIndex })(
  async (world, state, { who, which }) => {
    const member = world.member(who)
    const own = pick(which, bookingsOf(state, member))
    if (!own) return undefined
    const response = await member.call(cancelBooking, { params: { id: own.id } })
    await world.expireUndo()
    return toResult(`${member.name} cancels ${titleOf(state, own.classId)}`, response, (before, after) =>
      outcomeOf(world, before, after, own.id),
    )
  },
)

/** A member cancels and undoes it, perhaps while another member books the place or the owner changes the class. */
export const undoStep = defineStep('undoes', 5, {
  who: memberIndex,
  which: itemIndex,
  rival: fc.constantFrom('none', 'books', 'changes'),
  twice: fc.boolean(),
})(async (world, state, { who, which, rival, twice }) => {
  const member = world.member(who)
  const own = pick(which, bookingsOf(state, member))
  if (!own) return undefined
  const cancelled = await member.call(cancelBooking, { params: { id: own.id } })
  const undo = () => member.call(undoCancel, { params: { id: own.id } })
  const rivals = {
    none: [],
    books: [() => world.member(who + 1).call(bookClass, { body: { classId: own.classId } })],
    changes: [
      () => world.owner.call(editClass, { params: { id: own.classId }, body: { description: 'Bring a towel' } }),
    ],
  }[rival]
  const [first, ...others] = await Promise.all([undo, ...(twice ? [undo] : []), ...rivals].map((call) => call()))
  await world.expireUndo()
  const responses = [cancelled, ...(first ? [first] : []), ...others]
  const line = `${member.name} cancels ${titleOf(state, own.classId)} and undoes it, rival: ${rival}`
  const undone = (twice ? [first, others[0]] : [first]).filter((response) => response?.status === 200).length
  return {
    line: `${line}: ${responses.map(({ status }) => status).join(', ')}`,
    responses,
    check: (_before, after) => {
      const isBack = isBooked(after, own.id, member.id, own.classId)
      return [
        ...(undone > 1 ? ['a cancellation was undone twice'] : []),
        ...(cancelled.status < 400 && undone === 1 && !isBack ? ['the booking was not brought back'] : []),
        ...(cancelled.status < 400 && undone === 0 && isBack ? ['the booking is back although Undo was refused'] : []),
      ]
    },
  }
})

function outcomeOf(world: World, before: Snapshot, after: Snapshot, id: number): string[] {
  const row = after.bookings.find((booking) => booking.id === id)
  const given = before.classes.find((one) => one.id === row?.classId)
  if (row?.status !== 'cancelled' || !given) return [`booking ${id} was answered as cancelled but is ${row?.status}`]
  const minutes = world.now.until(given.startsAt).total('minutes')
  const isMoved = world.movedBookings.has(id)
  const hasEnded = hasPassEnded(before, row.passId)
  const due = (minutes > LATE_MINUTES || isMoved) && !hasEnded ? 'refunded' : 'forfeited'
  const isLost = row.paymentStatus !== due
  return [
    ...(isLost ? [`cancelled ${minutes} minutes before the start, but ${row.paymentStatus}`] : []),
    ...(isMoved && !hasEnded ? findShortPasses(after, row.passId, world.now) : []),
  ]
}

export const moveStep = defineStep('moves', 6, { who: memberIndex, which: itemIndex, to: itemIndex })(
  async (world, state, { who, which, to }) => {
    const member = world.member(who)
    const own = pick(which, bookingsOf(state, member))
    const wanted = pick(to, timetableOf(state, world.now))
    if (!own || !wanted) return undefined
    const response = await member.call(rescheduleBooking, { params: { id: own.id }, body: { classId: wanted.id } })
    const line = `${member.name} moves from ${titleOf(state, own.classId)} to ${wanted.title}`
    return toResult(line, response, (_before, after) => [
      ...(isBooked(after, response.body.id, member.id, wanted.id) ? [] : ['the new booking does not exist']),
      ...(isBooked(after, own.id, member.id, own.classId) ? ['the old booking is still confirmed'] : []),
    ])
  },
)

export const waitStep = defineStep('waits', 8, { who: memberIndex, which: itemIndex })(
  async (world, state, { who, which }) => {
    const member = world.member(who)
    const unsure = state.waiting.filter(({ userId, unconfirmedSince }) => userId === member.id && unconfirmedSince)
    const listed = timetableOf(state, world.now)
    const full = listed.filter(
      ({ id, bookedCount, maxParticipants }) =>
        bookedCount >= maxParticipants || unsure.some(({ classId }) => classId === id),
    )
    // Sometimes for a class that is not full, which is refused.
    const wanted = pick(which, full.length > 0 ? full : listed)
    if (!wanted) return undefined
    const response = await member.call(joinWaitingList, { params: { id: wanted.id } })
    return toResult(`${member.name} joins the waiting list of ${wanted.title}`, response, (_before, after) => {
      const own = ({ userId, classId }: { userId: string; classId: number }) =>
        userId === member.id && classId === wanted.id
      const isThere = after.waiting.some(own) || after.bookings.some((row) => own(row) && row.status === 'confirmed')
      return isThere ? [] : [`${member.name} got a position but is not on the list`]
    })
  },
)

export const leaveStep = defineStep('leaves', 2, { who: memberIndex, which: itemIndex })(
  async (world, state, { who, which }) => {
    const member = world.member(who)
    const entry = pick(
      which,
      state.waiting.filter(({ userId }) => userId === member.id),
    )
    if (!entry) return undefined
    const response = await member.call(leaveWaitingList, { params: { id: entry.classId } })
    return toResult(
      `${member.name} leaves the waiting list of ${titleOf(state, entry.classId)}`,
      response,
      (_before, after) => (after.waiting.some(({ id }) => id === entry.id) ? [`${member.name} still waits`] : []),
    )
  },
)

/** A member declines the place that is offered to them, or books it. */
export const answerOfferStep = defineStep('answersOffer', 6, { which: itemIndex, books: fc.boolean() })(
  async (world, state, { which, books }) => {
    const entry = pick(
      which,
      state.waiting.filter(({ offeredUntil }) => offeredUntil && Temporal.Instant.compare(world.now, offeredUntil) < 0),
    )
    const member = world.members.find(({ id }) => id === entry?.userId)
    if (!entry || !member) return undefined
    const response = books
      ? await member.book(entry.classId)
      : await member.call(declineOffer, { params: { id: entry.classId } })
    const line = `${member.name} ${books ? 'books' : 'declines'} the place in ${titleOf(state, entry.classId)}`
    return toResult(line, response, (_before, after) => {
      const left = after.waiting.find(({ id }) => id === entry.id)
      const isRight = books ? left === undefined : left?.offeredUntil === null
      return response.status >= 400 || isRight ? [] : [`${member.name} still has the offer`]
    })
  },
)

const CONTEST = { first: memberIndex, second: memberIndex, which: itemIndex, gives: fc.boolean() }

/** Two members book the same class concurrently, or one cancels while the other books. */
export const contestStep = defineStep(
  'contest',
  4,
  CONTEST,
)(async (world, state, { first, second, which, gives }) => {
  const giving = gives ? cancelStep.of({ who: first, which }) : bookStep.of({ who: first, which })
  const deeds = await Promise.all([giving.take(world, state), bookStep.of({ who: second, which }).take(world, state)])
  return combine(deeds)
})

/** A member books two classes concurrently, perhaps with one credit. */
export const bookTwoStep = defineStep('booksTwo', 3, { who: memberIndex, which: itemIndex, other: itemIndex })(
  async (world, state, { who, which, other }) =>
    combine(await Promise.all([which, other].map((one) => bookStep.of({ who, which: one }).take(world, state)))),
)
