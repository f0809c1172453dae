import type { Slot, Timetable } from '#facts/contract-timetable.ts'
import { inOrderOfWeek, usualEnd } from '#facts/rules.ts'
import { WEEKDAYS } from '#foundation/dates.ts'
import { instantAt } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import type { RepeatFrequency } from './contract.ts'

/** Source: docs/studio-rules.md#repeating-classes */
export const MAX_OCCURRENCES = 366

/**
 * The dates (`YYYY-MM-DD`) of a repeating class from `first` up to and including `until`. Monthly ones keep the day of the
 * month, clamped to the last day: 31 January → 28 February → 31 March.
 *
 * @returns one more than {@link MAX_OCCURRENCES} if there are more, so that it can be refused
 */
export function occurrences(first: string, frequency: RepeatFrequency, until: string): string[] {
  const start = Temporal.PlainDate.from(first)
  const dates = [first]
  while (dates.length <= MAX_OCCURRENCES) {
    // Counted from the first date, so that one clamped month does not clamp the next.
    const count = dates.length
    const next = frequency === 'monthly' ? { months: count } : { weeks: count * (frequency === 'weekly' ? 1 : 2) }
    const date = start.add(next).toString()
    if (date > until) break
    dates.push(date)
  }
  return dates
}

/** A slot of the weekly timetable. `nth` tells apart two that start at the same time. */
type SlotDates = Slot & { nth: number; dates: string[] }

/**
 * The dates (`YYYY-MM-DD`) of each slot between two days, both included, by the timetable in force on each day. A slot that is
 * the same in two timetables appears once, in the order of the week.
 */
export function datesOfTerm(timetables: readonly Timetable[], term: { from: string; to: string }): SlotDates[] {
  const slots = new Map<string, SlotDates>()
  for (const [place, { from, slots: weekly }] of timetables.entries()) {
    const next = timetables[place + 1]
    const end =
      next && next.from <= term.to ? Temporal.PlainDate.from(next.from).subtract({ days: 1 }).toString() : term.to
    const start = Temporal.PlainDate.from(from > term.from ? from : term.from)
    for (const [at, slot] of weekly.entries()) {
      const nth = weekly
        .slice(0, at + 1)
        .filter(({ day, startTime }) => day === slot.day && startTime === slot.startTime).length
      const key = JSON.stringify([slot.day, slot.startTime, slot.endTime, slot.maxParticipants, nth])
      const known = slots.get(key) ?? { ...slot, nth, dates: [] }
      const days = (WEEKDAYS.indexOf(slot.day) + 8 - start.dayOfWeek) % 7
      for (let date = start.add({ days }); date.toString() <= end; date = date.add({ weeks: 1 })) {
        known.dates.push(date.toString())
      }
      if (known.dates.length > 0) slots.set(key, known)
    }
  }
  return [...slots.values()].sort(inOrderOfWeek)
}

/** Pairs of weekly classes that take place at the same time. */
export function overlappingSlots(slots: readonly Slot[]): [Slot, Slot][] {
  const inOrder = slots.toSorted(inOrderOfWeek)
  return inOrder.flatMap((one, place) =>
    inOrder
      .slice(place + 1)
      .filter((other) => other.day === one.day && other.startTime < endOf(one))
      .map((other): [Slot, Slot] => [one, other]),
  )
}

/** An end that is not after the start counts as 45 minutes later. */
const endOf = ({ startTime, endTime }: Slot) => (endTime > startTime ? endTime : usualEnd(startTime))

/** The timetable that is in force instead of one that would start on `from`; undefined if it would be shown, now or later. */
export const inForceInstead = (others: readonly Timetable[], from: string, today: string): Timetable | undefined =>
  others.find((other) => other.from > from && other.from <= today)

/** Classes of a weekly slot that changed from a day on; `after` is null if they no longer take place. */
export type SlotChange = { before: Slot; after: Slot | null; from: string }

/**
 * The timetables after such a change: a new version from that day, and the slot changed in the later ones. Null if none has
 * the slot, or nothing differs.
 */
export function withSlotChanged(
  timetables: readonly Timetable[],
  { before, after, from }: SlotChange,
): Timetable[] | null {
  if (after && isSameSlot(before, after)) return null
  const changed = ({ slots }: Timetable) => {
    const place = slots.findIndex((slot) => isSameSlot(slot, before))
    return place < 0 ? null : slots.toSpliced(place, 1, ...(after ? [after] : []))
  }
  const inForce = timetables.findLast((one) => one.from <= from)
  const all = timetables.flatMap((one) => {
    const slots = one.from >= from || one === inForce ? changed(one) : null
    if (!slots) return [one]
    return one.from >= from ? [{ ...one, slots }] : [one, { from, slots }]
  })
  return all.every((one) => timetables.includes(one)) ? null : all
}

const isSameSlot = (one: Slot, other: Slot) =>
  one.day === other.day &&
  one.startTime === other.startTime &&
  one.endTime === other.endTime &&
  one.maxParticipants === other.maxParticipants

/** When a class runs. An end that is not after the start counts as 45 minutes later. Source: docs/studio-rules.md#classes */
export function spanOf(wall: { date: string; startTime: string; endTime: string }): {
  startsAt: Temporal.Instant
  endsAt: Temporal.Instant
} {
  const startsAt = instantAt(wall.date, wall.startTime)
  const written = instantAt(wall.date, wall.endTime)
  const isAfter = Temporal.Instant.compare(written, startsAt) > 0
  return { startsAt, endsAt: isAfter ? written : startsAt.add({ minutes: studio.session.minutes }) }
}

export function classType(maxParticipants: number): 'One-on-one' | 'Duo' {
  return maxParticipants === 1 ? 'One-on-one' : 'Duo'
}

/** True from the very start on. */
export function hasStarted(startsAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(startsAt, now) <= 0
}

type Closed = { from: string; to: string; fromTime: string | null; toTime: string | null }

/** The closure that includes a day, if any; one of the whole day before one of some hours. */
export function closureOn<C extends Closed>(day: string, closures: readonly C[]): C | undefined {
  const ofDay = closures.filter(({ from, to }) => from <= day && day <= to)
  return ofDay.find(({ fromTime }) => fromTime === null) ?? ofDay[0]
}

/**
 * The closure that covers a class, if any. Hours cover the classes that start in them: at `fromTime` yes, at `toTime` no.
 * Source: docs/studio-rules.md#closed-days
 */
export function closureOf<C extends Closed>(
  { date, startTime }: { date: string; startTime: string },
  closures: readonly C[],
): C | undefined {
  return closures.find(
    ({ from, to, fromTime, toTime }) =>
      from <= date &&
      date <= to &&
      (fromTime === null || toTime === null || (fromTime <= startTime && startTime < toTime)),
  )
}

/** Whether anyone can book a place; held ones are kept for the waiting list. */
export function isFull(of: { bookedCount: number; heldPlaces: number; maxParticipants: number }): boolean {
  return of.bookedCount + of.heldPlaces >= of.maxParticipants
}
