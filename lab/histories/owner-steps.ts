import fc from 'fast-check'
import { cancelForMember, markAttendance, returnForfeitedCredit } from '#booking/contract.ts'
import type { PlaceRow } from '#booking/tables.ts'
import { studioDate } from '#foundation/instants.ts'
import { deletePass, extendPass, giftCredits, resumePass } from '#passes/contract.ts'
import { deleteClass, editClass, undoCancellation } from '#schedule/contract.ts'
import { closeDays, openDays } from '#schedule/contract-closures.ts'
import { pausePass } from '#schedule/contract-pauses.ts'
import { createClass } from '#timetable/contract.ts'
import { bookStep } from './member-steps.ts'
import type { Snapshot } from './snapshot.ts'
import {
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

export const giftStep = defineStep('gifts', 6, {
  who: memberIndex,
  credits: fc.integer({ min: 1, max: 3 }),
  months: fc.constantFrom(1, 12),
})(async (world, _state, { who, credits, months }) => {
  const member = world.member(who)
  const packageId = world.packages[0]?.id
  const body = { packageId, creditsToGift: credits, expiryMonths: months }
  const response = await world.owner.call(giftCredits, { params: { userId: member.id }, body })
  return toResult(`Dora gives ${member.name} ${credits} credits for ${months} months`, response)
})

const rarely = fc.constantFrom(false, false, true)
const scope = fc.constantFrom(false, false, false, true, 'later' as const)
const SCOPES = { false: '', true: 'all similar to ', later: 'this and later: ' }

/** In minutes. */
const SHIFTS = [-24 * 60, -120, 120, 24 * 60, 7 * 24 * 60, 28 * 24 * 60, 15]

export const moveClassStep = defineStep('reschedulesClass', 6, {
  which: itemIndex,
  by: fc.constantFrom(...SHIFTS),
  applyToRecurring: scope,
  onClosedDay: rarely,
})(async (world, state, { which, by, applyToRecurring, onClosedDay }) => {
  const moved = pick(which, timetableOf(state, world.now))
  if (!moved) return undefined
  const start = Temporal.PlainDate.from(moved.date).toPlainDateTime(moved.startTime).add({ minutes: by })
  const time = (at: Temporal.PlainDateTime) => at.toPlainTime().toString({ smallestUnit: 'minute' })
  const body = {
    date: start.toPlainDate().toString(),
    startTime: time(start),
    endTime: time(start.add({ minutes: 45 })),
    applyToRecurring,
    onClosedDay,
  }
  const response = await world.owner.call(editClass, { params: { id: moved.id }, body })
  const line = `Dora moves ${SCOPES[`${applyToRecurring}`]}${moved.title} to ${body.date} ${body.startTime}`
  const isThere = ({ classes }: Snapshot) =>
    classes.some((row) => row.id === moved.id && row.date === body.date && row.startTime === body.startTime)
  const check = (_before: Snapshot, after: Snapshot) => (isThere(after) ? [] : [`${moved.title} did not move`])
  return { ...toResult(line, response, check), onClosedDay }
})

/** The owner deletes or deactivates a class. */
export const takeOffStep = defineStep('takesOff', 4, {
  which: itemIndex,
  forGood: fc.boolean(),
  applyToRecurring: scope,
})(async (world, state, { which, forGood, applyToRecurring }) => {
  const { owner } = world
  const off = pick(which, timetableOf(state, world.now))
  if (!off) return undefined
  const params = { id: off.id }
  const response = forGood
    ? await owner.call(deleteClass, { params, body: { applyToRecurring } })
    : await owner.call(editClass, { params, body: { isActive: false, applyToRecurring } })
  await world.expireUndo()
  const ends = Temporal.Instant.compare(off.endsAt, world.now) > 0
  return toResult(`Dora ${forGood ? 'deletes' : 'deactivates'} ${off.title}`, response, (before, after) =>
    ends
      ? before.places
          .filter((row) => row.classId === off.id)
          .flatMap((row) => checkCancelled(row, { before, after }, world.now))
      : [],
  )
})

/** Source: docs/studio-rules.md#the-studio-cancels */
function checkCancelled(
  was: PlaceRow,
  { before, after }: { before: Snapshot; after: Snapshot },
  now: Temporal.Instant,
): string[] {
  const row = after.places.find(({ id }) => id === was.id)
  const due = hasPassEnded(before, was.passId) ? 'forfeited' : 'refunded'
  if (was.status === 'cancelled' && was.paymentStatus === 'forfeited') {
    return row?.paymentStatus === due
      ? []
      : [`the studio cancelled, but late cancellation ${was.id} is ${row?.paymentStatus}`]
  }
  if (was.status !== 'confirmed' && was.status !== 'held') return []
  if (row?.status !== 'cancelled' || row.paymentStatus !== due)
    return [`the studio cancelled, but place ${was.id} is ${row?.status} and ${row?.paymentStatus}`]
  return due === 'refunded' ? findShortPasses(after, was.passId, now) : []
}

/** The owner deletes a class or closes its day, and undoes it, perhaps after a member has booked in between. */
export const undoStep = defineStep('deletesAndUndoes', 5, {
  which: itemIndex,
  closes: fc.boolean(),
  who: memberIndex,
  books: fc.option(itemIndex, { nil: undefined }),
})(async (world, state, { which, closes, who, books }) => {
  const { owner, now } = world
  const off = pick(
    which,
    timetableOf(state, now).filter(({ startsAt }) => Temporal.Instant.compare(startsAt, now) > 0),
  )
  if (!off) return undefined
  const days = { from: off.date, to: off.date, reason: 'Illness' }
  const taken = closes
    ? await owner.call(closeDays, { body: days })
    : await owner.call(deleteClass, { params: { id: off.id }, body: { applyToRecurring: false } })
  const line = `Dora ${closes ? 'closes the day of' : 'deletes'} ${off.title} and undoes it`
  if (taken.status >= 400) return toResult(line, taken)
  const between =
    books === undefined ? undefined : await bookStep.of({ who, which: books }).take(world, await world.snapshot())
  const response = await owner.call(undoCancellation, { params: { id: taken.body.undo.id } })
  const undone = toResult(`${line}${between ? `, after ${between.line}` : ''}`, response, (before, after) =>
    between ? [] : findUnrestored(before, after),
  )
  return { ...undone, responses: [...(between?.responses ?? []), ...undone.responses] }
})

/** Classes, bookings, credits and waiting lists must be restored. */
function findUnrestored(before: Snapshot, after: Snapshot): string[] {
  const facts = ({ classes, places, invitations, waiting, passes }: Snapshot) => [
    ...classes.map(({ updatedAt: _, ...row }) => ['class', row] as const),
    ...places.map(({ calendarSequence: _, reinstatements: __, ...row }) => ['place', row] as const),
    ...invitations.map((row) => ['invitation', row] as const),
    ...waiting.map((row) => ['waiting list', row] as const),
    ...passes.map((row) => ['pass', row] as const),
  ]
  const [was, is] = [facts(before), facts(after)].map((rows) => rows.map((row) => JSON.stringify(row)))
  return (was ?? []).filter((row) => !is?.includes(row)).map((row) => `undone, but not restored: ${row}`)
}

export const reactivateStep = defineStep('putsBackOn', 2, { which: itemIndex, onClosedDay: rarely })(
  async (world, state, { which, onClosedDay }) => {
    const off = pick(
      which,
      timetableOf(state, world.now).filter(({ isActive }) => !isActive),
    )
    if (!off) return undefined
    const response = await world.owner.call(editClass, {
      params: { id: off.id },
      body: { isActive: true, onClosedDay },
    })
    return { ...toResult(`Dora reactivates ${off.title}`, response), onClosedDay }
  },
)

/** The owner closes the day of a class, or two days. */
export const closeDaysStep = defineStep('closesDays', 2, { which: itemIndex, days: fc.constantFrom(1, 2) })(
  async (world, state, { which, days }) => {
    const first = pick(which, timetableOf(state, world.now))
    if (!first) return undefined
    const to = Temporal.PlainDate.from(first.date)
      .add({ days: days - 1 })
      .toString()
    const response = await world.owner.call(closeDays, { body: { from: first.date, to, reason: 'A cold' } })
    await world.expireUndo()
    return toResult(`Dora closes ${first.date} to ${to}`, response)
  },
)

export const openDaysStep = defineStep('opensDays', 2, { which: itemIndex })(async (world, state, { which }) => {
  const closure = pick(which, state.closures)
  if (!closure) return undefined
  const response = await world.owner.call(openDays, { params: { id: closure.id } })
  return toResult(`Dora opens ${closure.from} to ${closure.to} again`, response)
})

export const resizeStep = defineStep('resizes', 5, { which: itemIndex, places: fc.constantFrom(1, 2, 2) })(
  async (world, state, { which, places }) => {
    const sized = pick(which, timetableOf(state, world.now))
    if (!sized) return undefined
    const body = { maxParticipants: places }
    const response = await world.owner.call(editClass, { params: { id: sized.id }, body })
    return toResult(`Dora gives ${sized.title} ${places} places`, response)
  },
)

/** The owner cancels for a member, with or without an override. */
export const cancelForStep = defineStep('cancelsFor', 2, {
  which: itemIndex,
  returnCredit: fc.constantFrom(undefined, true, false),
})(async (world, state, { which, returnCredit }) => {
  const held = pick(
    which,
    state.bookings.filter(({ status }) => status === 'confirmed'),
  )
  if (!held) return undefined
  const response = await world.owner.call(cancelForMember, { params: { id: held.id }, body: { returnCredit } })
  return toResult(
    `Dora cancels booking ${held.id} of ${titleOf(state, held.classId)} (credit: ${returnCredit})`,
    response,
  )
})

export const markAttendanceStep = defineStep('marks', 3, {
  which: itemIndex,
  status: fc.constantFrom('completed' as const, 'no_show' as const),
})(async (world, state, { which, status }) => {
  const started = state.bookings.filter((row) => {
    const held = state.classes.find(({ id }) => id === row.classId)
    return row.status !== 'cancelled' && held && Temporal.Instant.compare(held.startsAt, world.now) <= 0
  })
  const seen = pick(which, started)
  if (!seen) return undefined
  const response = await world.owner.call(markAttendance, { params: { id: seen.id }, body: { status } })
  return toResult(`Dora marks booking ${seen.id} of ${titleOf(state, seen.classId)} ${status}`, response)
})

export const returnCreditStep = defineStep('forgives', 3, { which: itemIndex })(async (world, state, { which }) => {
  const kept = state.bookings.filter(({ paymentStatus }) => paymentStatus === 'forfeited')
  // Sometimes for a credit that was not forfeited, or is already returned, which is refused.
  const forgiven = pick(which, kept.length > 0 ? kept : state.bookings)
  if (!forgiven) return undefined
  const body = { reason: 'The bus broke down' }
  const response = await world.owner.call(returnForfeitedCredit, { params: { id: forgiven.id }, body })
  const held = ({ passes }: Snapshot) => passes.find(({ id }) => id === forgiven.passId)
  return toResult(`Dora returns the credit of booking ${forgiven.id}`, response, (_before, after) =>
    (held(after)?.creditsRemaining ?? 0) > 0 ? [] : ['a returned credit is missing'],
  )
})

export const voidPassStep = defineStep('voids', 1, { which: itemIndex })(async (world, state, { which }) => {
  const voided = pick(which, state.passes)
  if (!voided) return undefined
  const response = await world.owner.call(deletePass, { params: { id: voided.id } })
  return toResult(`Dora voids pass ${voided.id}`, response, (_before, after) =>
    after.passes.some((row) => row.id === voided.id && row.creditsRemaining > 0) ? ['a void pass has credits'] : [],
  )
})

/** The owner pauses a pass from today or later, or ends its pauses. */
export const pauseStep = defineStep('pauses', 4, {
  which: itemIndex,
  inDays: fc.constantFrom(-1, 0, 1, 3),
  days: fc.constantFrom(1, 2, 10),
  ends: rarely,
})(async (world, state, { which, inDays, days, ends }) => {
  const held = pick(which, state.passes)
  if (!held) return undefined
  if (ends) {
    const ended = await world.owner.call(resumePass, { params: { id: held.id } })
    return toResult(`Dora ends the pauses of pass ${held.id}`, ended)
  }
  const from = studioDate(world.now).add({ days: inDays })
  const body = { from: from.toString(), to: from.add({ days: days - 1 }).toString(), reason: 'Away' }
  const response = await world.owner.call(pausePass, { params: { id: held.id }, body })
  return toResult(`Dora pauses pass ${held.id} from ${body.from} to ${body.to}`, response, (_before, after) => {
    const now = after.passes.find(({ id }) => id === held.id)
    const added = now ? studioDate(held.expiresAt).until(studioDate(now.expiresAt), { largestUnit: 'days' }).days : 0
    return response.status < 400 && added > days ? [`a pause of ${days} days added ${added}`] : []
  })
})

/** The owner pauses a pass on the day for which a regular booking waits, and then frees a place. */
export const pauseAwaitedStep = defineStep('pausesAwaited', 4, { which: itemIndex, other: itemIndex })(
  async (world, state, { which, other }) => {
    const entry = pick(
      which,
      state.waiting.filter(({ regularBookingId }) => regularBookingId !== null),
    )
    const awaited = state.classes.find(({ id }) => id === entry?.classId)
    const pass = pick(
      other,
      state.passes.filter(({ userId, voidedAt }) => userId === entry?.userId && !voidedAt),
    )
    const booking = state.bookings.find(({ classId, status }) => classId === awaited?.id && status === 'confirmed')
    if (!awaited || !pass || !booking) return undefined
    const body = { from: awaited.date, to: awaited.date, reason: 'Away' }
    const paused = await world.owner.call(pausePass, { params: { id: pass.id }, body })
    const freed = await world.owner.call(cancelForMember, { params: { id: booking.id }, body: {} })
    const line = `Dora pauses pass ${pass.id} on the day of ${awaited.title} and cancels booking ${booking.id} of it`
    return { line: `${line}: ${paused.status}, ${freed.status}`, responses: [paused, freed], isSeveral: true }
  },
)

export const extendStep = defineStep('extends', 2, { which: itemIndex, days: fc.constantFrom(0, 1, 30) })(
  async (world, state, { which, days }) => {
    const held = pick(which, state.passes)
    if (!held) return undefined
    const expiresAt = studioDate(held.expiresAt).add({ days }).toString()
    const body = { expiresAt, reason: 'To be kind' }
    const response = await world.owner.call(extendPass, { params: { id: held.id }, body })
    return toResult(`Dora extends pass ${held.id} to ${expiresAt}`, response, (_before, after) => {
      const pass = after.passes.find(({ id }) => id === held.id)
      const day = pass && studioDate(pass.expiresAt).toString()
      return day === expiresAt ? [] : [`a pass extended to ${expiresAt} expires on ${day}`]
    })
  },
)

export const addClassStep = defineStep('adds', 3, {
  inHours: fc.constantFrom(5, 30, 80, 250),
  places: fc.constantFrom(1, 1, 2),
  isRepeating: rarely,
  onClosedDay: rarely,
})(async (world, state, { inHours, places, isRepeating, onClosedDay }) => {
  const at = world.now.add({ hours: inHours }).toZonedDateTimeISO('Europe/London').round('hour')
  const title = `Class ${state.classes.length + 1}`
  const clock = (of: Temporal.ZonedDateTime) => of.toPlainTime().toString({ smallestUnit: 'minute' })
  const date = at.toPlainDate().toString()
  const wall = { date, startTime: clock(at), endTime: clock(at.add({ minutes: 45 })) }
  const repeat = {
    isRepeating,
    repeatFrequency: 'weekly',
    repeatUntilDate: at.add({ days: 14 }).toPlainDate().toString(),
  }
  const body = { title, ...wall, maxParticipants: places, onClosedDay, ...(isRepeating && repeat) }
  const response = await world.owner.call(createClass, { body })
  const line = `Dora adds ${title} at ${date} ${wall.startTime} for ${places}${isRepeating ? ', three weeks' : ''}`
  return { ...toResult(line, response), onClosedDay: onClosedDay && !isRepeating }
})
