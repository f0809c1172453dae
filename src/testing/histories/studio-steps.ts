import fc from 'fast-check'
import { cancelForMember, markAttendance, returnForfeitedCredit } from '#booking/contract.ts'
import { deleteClass, editClass, undoCancellation } from '#booking/contract-classes.ts'
import { closeDays, openDays } from '#booking/contract-closures.ts'
import type { BookingRow } from '#booking/tables.ts'
import { deletePass, giftCredits } from '#passes/contract.ts'
import { createClass } from '#timetable/contract.ts'
import { books as bookSteps, endedPass, tooShort } from './member-steps.ts'
import type { Snapshot } from './snapshot.ts'
import { deed, pick, someone, something, stepKind, timetableOf, titleOf } from './step.ts'

/** The owner gives credits. */
export const gifts = stepKind(
  'gifts',
  6,
  { who: someone, credits: fc.integer({ min: 1, max: 3 }), months: fc.constantFrom(1, 12) },
  async (world, _state, { who, credits, months }) => {
    const member = world.who(who)
    const packageId = world.packages[0]?.id
    const body = { packageId, creditsToGift: credits, expiryMonths: months }
    const answer = await world.owner.call(giftCredits, { params: { userId: member.id }, body })
    return deed(`Dora gives ${member.name} ${credits} credits for ${months} months`, answer)
  },
)

const rarely = fc.constantFrom(false, false, true)

/** By how many minutes a class moves. */
const SHIFTS = [-24 * 60, -120, 120, 24 * 60, 7 * 24 * 60, 28 * 24 * 60, 15]

/** The owner moves a class to another time. */
export const reschedulesClass = stepKind(
  'reschedulesClass',
  6,
  { which: something, by: fc.constantFrom(...SHIFTS), applyToRecurring: rarely, onClosedDay: rarely },
  async (world, state, { which, by, applyToRecurring, onClosedDay }) => {
    const moved = pick(timetableOf(state, world.now), which)
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
    const answer = await world.owner.call(editClass, { params: { id: moved.id }, body })
    const line = `Dora moves ${applyToRecurring ? 'all like ' : ''}${moved.title} to ${body.date} ${body.startTime}`
    const isThere = ({ classes }: Snapshot) =>
      classes.some((row) => row.id === moved.id && row.date === body.date && row.startTime === body.startTime)
    const check = (_before: Snapshot, after: Snapshot) => (isThere(after) ? [] : [`${moved.title} did not move`])
    return { ...deed(line, answer, check), onClosedDay }
  },
)

/** The owner takes a class off the timetable: deletes it, or makes it inactive. */
export const takesOff = stepKind(
  'takesOff',
  4,
  { which: something, forGood: fc.boolean(), applyToRecurring: rarely },
  async (world, state, { which, forGood, applyToRecurring }) => {
    const { owner } = world
    const off = pick(timetableOf(state, world.now), which)
    if (!off) return undefined
    const params = { id: off.id }
    const answer = forGood
      ? await owner.call(deleteClass, { params, body: { applyToRecurring } })
      : await owner.call(editClass, { params, body: { isActive: false, applyToRecurring } })
    await world.undoRunsOut()
    const ends = Temporal.Instant.compare(off.endsAt, world.now) > 0
    return deed(`Dora ${forGood ? 'deletes' : 'deactivates'} ${off.title}`, answer, (before, after) =>
      ends
        ? before.bookings
            .filter((row) => row.classId === off.id)
            .flatMap((row) => givenUp(row, { before, after }, world.now))
        : [],
    )
  },
)

/** Source: docs/studio-rules.md#the-studio-cancels */
function givenUp(
  was: BookingRow,
  { before, after }: { before: Snapshot; after: Snapshot },
  now: Temporal.Instant,
): string[] {
  const row = after.bookings.find(({ id }) => id === was.id)
  const due = endedPass(before, was.passId) ? 'forfeited' : 'refunded'
  if (was.status === 'cancelled' && was.paymentStatus === 'forfeited') {
    return row?.paymentStatus === due
      ? []
      : [`the studio cancelled, and late cancellation ${was.id} is ${row?.paymentStatus}`]
  }
  if (was.status !== 'confirmed') return []
  if (row?.status !== 'cancelled' || row.paymentStatus !== due)
    return [`the studio cancelled, yet booking ${was.id} is ${row?.status} and ${row?.paymentStatus}`]
  return due === 'refunded' ? tooShort(after, was.passId, now) : []
}

/** The owner deletes a class or closes its day, and undoes it, perhaps after a member has booked something in between. */
export const deletesAndUndoes = stepKind(
  'deletesAndUndoes',
  5,
  { which: something, closes: fc.boolean(), who: someone, books: fc.option(something, { nil: undefined }) },
  async (world, state, { which, closes, who, books }) => {
    const { owner, now } = world
    const off = pick(
      timetableOf(state, now).filter(({ startsAt }) => Temporal.Instant.compare(startsAt, now) > 0),
      which,
    )
    if (!off) return undefined
    const days = { from: off.date, to: off.date, reason: 'Illness' }
    const taken = closes
      ? await owner.call(closeDays, { body: days })
      : await owner.call(deleteClass, { params: { id: off.id }, body: { applyToRecurring: false } })
    const line = `Dora ${closes ? 'closes the day of' : 'deletes'} ${off.title} and undoes it`
    if (taken.status >= 400) return deed(line, taken)
    const between =
      books === undefined ? undefined : await bookSteps.of({ who, which: books }).take(world, await world.look())
    const answer = await owner.call(undoCancellation, { params: { id: taken.body.undo.id } })
    const undone = deed(`${line}${between ? `, after ${between.line}` : ''}`, answer, (before, after) =>
      between ? [] : notAsBefore(before, after),
    )
    return { ...undone, answers: [...(between?.answers ?? []), ...undone.answers] }
  },
)

/** Classes, bookings, credits and lines must be as they were. */
function notAsBefore(before: Snapshot, after: Snapshot): string[] {
  const facts = ({ classes, bookings, waiting, passes }: Snapshot) => [
    ...classes.map(({ updatedAt: _, ...row }) => ['class', row] as const),
    ...bookings.map(({ calendarSequence: _, reinstatements: __, ...row }) => ['booking', row] as const),
    ...waiting.map((row) => ['place in line', row] as const),
    ...passes.map((row) => ['pass', row] as const),
  ]
  const [was, is] = [facts(before), facts(after)].map((rows) => rows.map((row) => JSON.stringify(row)))
  return (was ?? []).filter((row) => !is?.includes(row)).map((row) => `undone, and not as before: ${row}`)
}

/** The owner puts an inactive class back on. */
export const putsBackOn = stepKind(
  'putsBackOn',
  2,
  { which: something, onClosedDay: rarely },
  async (world, state, { which, onClosedDay }) => {
    const off = pick(
      timetableOf(state, world.now).filter(({ isActive }) => !isActive),
      which,
    )
    if (!off) return undefined
    const answer = await world.owner.call(editClass, { params: { id: off.id }, body: { isActive: true, onClosedDay } })
    return { ...deed(`Dora puts ${off.title} back on`, answer), onClosedDay }
  },
)

/** The owner closes the day of a class, or two days from it on. */
export const closesDays = stepKind(
  'closesDays',
  2,
  { which: something, days: fc.constantFrom(1, 2) },
  async (world, state, { which, days }) => {
    const first = pick(timetableOf(state, world.now), which)
    if (!first) return undefined
    const to = Temporal.PlainDate.from(first.date)
      .add({ days: days - 1 })
      .toString()
    const answer = await world.owner.call(closeDays, { body: { from: first.date, to, reason: 'A cold' } })
    await world.undoRunsOut()
    return deed(`Dora closes ${first.date} to ${to}`, answer)
  },
)

/** The owner opens closed days again. */
export const opensDays = stepKind('opensDays', 2, { which: something }, async (world, state, { which }) => {
  const closure = pick(state.closures, which)
  if (!closure) return undefined
  const answer = await world.owner.call(openDays, { params: { id: closure.id } })
  return deed(`Dora opens ${closure.from} to ${closure.to} again`, answer)
})

/** The owner changes how many places a class has. */
export const resizes = stepKind(
  'resizes',
  5,
  { which: something, places: fc.constantFrom(1, 2, 2) },
  async (world, state, { which, places }) => {
    const sized = pick(timetableOf(state, world.now), which)
    if (!sized) return undefined
    const body = { maxParticipants: places }
    const answer = await world.owner.call(editClass, { params: { id: sized.id }, body })
    return deed(`Dora gives ${sized.title} ${places} places`, answer)
  },
)

/** The owner cancels for a member, by the rules or not. */
export const cancelsFor = stepKind(
  'cancelsFor',
  2,
  { which: something, returnCredit: fc.constantFrom(undefined, true, false) },
  async (world, state, { which, returnCredit }) => {
    const held = pick(
      state.bookings.filter(({ status }) => status === 'confirmed'),
      which,
    )
    if (!held) return undefined
    const answer = await world.owner.call(cancelForMember, { params: { id: held.id }, body: { returnCredit } })
    return deed(`Dora cancels booking ${held.id} of ${titleOf(state, held.classId)} (credit: ${returnCredit})`, answer)
  },
)

/** The owner says who came. */
export const marks = stepKind(
  'marks',
  3,
  { which: something, status: fc.constantFrom('completed' as const, 'no_show' as const) },
  async (world, state, { which, status }) => {
    const begun = state.bookings.filter((row) => {
      const held = state.classes.find(({ id }) => id === row.classId)
      return row.status !== 'cancelled' && held && Temporal.Instant.compare(held.startsAt, world.now) <= 0
    })
    const seen = pick(begun, which)
    if (!seen) return undefined
    const answer = await world.owner.call(markAttendance, { params: { id: seen.id }, body: { status } })
    return deed(`Dora marks booking ${seen.id} of ${titleOf(state, seen.classId)} ${status}`, answer)
  },
)

/** The owner gives back a credit that the rules had kept. */
export const forgives = stepKind('forgives', 3, { which: something }, async (world, state, { which }) => {
  const kept = state.bookings.filter(({ paymentStatus }) => paymentStatus === 'forfeited')
  // Sometimes of one whose credit was not forfeited, or came back already: that is refused.
  const forgiven = pick(kept.length > 0 ? kept : state.bookings, which)
  if (!forgiven) return undefined
  const body = { reason: 'The bus broke down' }
  const answer = await world.owner.call(returnForfeitedCredit, { params: { id: forgiven.id }, body })
  const held = ({ passes }: Snapshot) => passes.find(({ id }) => id === forgiven.passId)
  return deed(`Dora gives back the credit of booking ${forgiven.id}`, answer, (_before, after) =>
    (held(after)?.creditsRemaining ?? 0) > 0 ? [] : ['a credit was given back and is not there'],
  )
})

/** The owner voids a pass. */
export const voids = stepKind('voids', 1, { which: something }, async (world, state, { which }) => {
  const voided = pick(state.passes, which)
  if (!voided) return undefined
  const answer = await world.owner.call(deletePass, { params: { id: voided.id } })
  return deed(`Dora voids pass ${voided.id}`, answer, (_before, after) =>
    after.passes.some((row) => row.id === voided.id && row.creditsRemaining > 0) ? ['a void pass holds credits'] : [],
  )
})

/** The owner adds a class. */
export const adds = stepKind(
  'adds',
  3,
  {
    inHours: fc.constantFrom(5, 30, 80, 250),
    places: fc.constantFrom(1, 1, 2),
    isRepeating: rarely,
    onClosedDay: rarely,
  },
  async (world, state, { inHours, places, isRepeating, onClosedDay }) => {
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
    const answer = await world.owner.call(createClass, { body })
    const line = `Dora adds ${title} at ${date} ${wall.startTime} for ${places}${isRepeating ? ', three weeks' : ''}`
    return { ...deed(line, answer), onClosedDay: onClosedDay && !isRepeating }
  },
)
