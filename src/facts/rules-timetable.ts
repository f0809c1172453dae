import { WEEKDAYS } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import type { Slot, Timetable, TimetablesEdit } from './contract-timetable.ts'

/** The weekly timetable in force on a day, `YYYY-MM-DD`; null before the first one. */
export const timetableOn = (timetables: readonly Timetable[], day: string): Timetable | null =>
  timetables.findLast(({ from }) => from <= day) ?? null

/** The usual end of a session, `HH:mm`. */
export const usualEnd = (startTime: string) =>
  Temporal.PlainTime.from(startTime).add({ minutes: studio.session.minutes }).toString({ smallestUnit: 'minute' })

/** Timetables as they are saved: in order of the first day, their classes in order of the week. */
export function completeTimetables(timetables: TimetablesEdit): Timetable[] {
  return timetables
    .map(({ from, slots }) => ({
      from,
      slots: slots
        .map((slot) => ({
          day: slot.day,
          startTime: slot.startTime,
          endTime: slot.endTime ?? usualEnd(slot.startTime),
          maxParticipants: slot.maxParticipants ?? 2,
          ...(slot.instructorName && { instructorName: slot.instructorName }),
        }))
        .sort(inOrderOfWeek),
    }))
    .sort((a, b) => a.from.localeCompare(b.from))
}

export const inOrderOfWeek = (a: Slot, b: Slot) =>
  WEEKDAYS.indexOf(a.day) - WEEKDAYS.indexOf(b.day) || a.startTime.localeCompare(b.startTime)
