import type { Slot, Timetable } from '#facts/contract-timetable.ts'
import { inOrderOfWeek, usualEnd } from '#facts/rules-timetable.ts'
import { addDays, WEEKDAYS } from '#foundation/dates.ts'
import type { RepeatFrequency } from './contract.ts'

/** Source: docs/studio-rules.md#repeating-classes */
export const MAX_OCCURRENCES = 366

/**
 * The dates (`YYYY-MM-DD`) of a repeating class from `first` up to and including `until`. Monthly ones keep the day of
 * the month, clamped to the last day: 31 January → 28 February → 31 March.
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
 * The dates (`YYYY-MM-DD`) of each slot between two days, both included, by the timetable in force on each day. A slot
 * that is the same in two timetables appears once, in the order of the week.
 */
export function datesOfTerm(timetables: readonly Timetable[], term: { from: string; to: string }): SlotDates[] {
  const slots = new Map<string, SlotDates>()
  for (const [place, { from, slots: weekly }] of timetables.entries()) {
    const next = timetables[place + 1]
    const end = next && next.from <= term.to ? addDays(next.from, -1) : term.to
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

/** The timetable in force instead of one that would start on `from`; undefined if that would be shown, now or later. */
export const inForceInstead = (others: readonly Timetable[], from: string, today: string): Timetable | undefined =>
  others.find((other) => other.from > from && other.from <= today)

/** Classes of a weekly slot that changed from a day on; `after` is null if they no longer take place. */
export type SlotChange = { before: Slot; after: Slot | null; from: string }

/** The timetables with a slot changed from a day on, as a new version. Null if none has it, or nothing differs. */
export function withSlotChanged(
  timetables: readonly Timetable[],
  { before, after, from }: SlotChange,
): Timetable[] | null {
  if (after && isSameSlot(before, after)) return null
  const changed = ({ slots }: Timetable) => {
    const place = slots.findIndex((slot) => isSameSlot(slot, before))
    return place < 0 ? null : slots.toSpliced(place, 1, ...(after ? [{ ...slots[place], ...after }] : []))
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
