import { z } from 'zod'
import { WEEKDAYS } from '#foundation/dates.ts'
import { DateText, requiredName, TimeText } from '#foundation/fields.ts'

const MAX_SLOTS = 100
const MAX_TIMETABLES = 50
const PLACES = 'Please choose 1 or 2 participants'

const places = z.int(PLACES).min(1, PLACES).max(2, PLACES)

/** A class of the weekly timetable, in the studio's wall time. */
const Slot = z.object({
  day: z.enum(WEEKDAYS, 'Please choose a day of the week'),
  startTime: TimeText('Please enter the start'),
  endTime: TimeText('Please enter the end'),
  maxParticipants: places,
  /** Who teaches its classes; absent for the lead instructor. */
  instructorName: requiredName('Please choose the teacher', 100).optional(),
})
export type Slot = z.output<typeof Slot>

const slots = <S extends z.ZodType>(slot: S) =>
  z.array(slot).max(MAX_SLOTS, `Please enter at most ${MAX_SLOTS} classes`)

/** A version of the weekly timetable. It is in force from its first day until the next one starts. */
export const Timetable = z.object({ from: DateText('Please choose the first day'), slots: slots(Slot) })
export type Timetable = z.output<typeof Timetable>

const versions = <S extends z.ZodType<{ from: string }>>(timetable: S) =>
  z
    .array(timetable)
    .max(MAX_TIMETABLES, `Please enter at most ${MAX_TIMETABLES} timetables`)
    .superRefine((all, { addIssue }) => {
      for (const [place, { from }] of all.entries()) {
        if (all.findIndex((other) => other.from === from) < place) {
          addIssue({ code: 'custom', path: [place, 'from'], message: 'Another timetable starts on this day' })
        }
      }
    })

export const Timetables = versions(Timetable)

/** An end left out is 45 minutes after the start; places left out are two. */
const SlotEdit = Slot.extend({ endTime: TimeText('Please enter the end').nullish(), maxParticipants: places.nullish() })
export const TimetablesEdit = versions(Timetable.extend({ slots: slots(SlotEdit) }))
export type TimetablesEdit = z.output<typeof TimetablesEdit>
