import { z } from 'zod'
import { bookingRefusals } from '#booking/refusals.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, Id, PathId, requiredName, withDefault } from '#foundation/fields.ts'
import { IfNoOverlap, OnClosedDay, timetableRefusals } from '#timetable/contract.ts'

const MAX_CLASSES = 200
export const ClassIds = z
  .array(Id, 'Please choose classes')
  .min(1, 'Please choose at least one class')
  .max(MAX_CLASSES, `Please choose at most ${MAX_CLASSES} classes`)

/** Classes that had started were left as they are. */
const Changed = z.object({ classes: z.int(), bookingsCancelled: z.int(), peopleNotified: z.int() })

export const takeOffClassesInBulk = endpoint('POST /api/admin/classes/take-off', {
  summary:
    'Take classes that have not started off the timetable: bookings are cancelled, credits returned, members emailed',
  body: z.object({ classIds: ClassIds }),
  response: Changed.meta({ id: 'ClassesTakenOff' }),
  refusals: [timetableRefusals.class_not_found],
})

const MAX_SHIFT_DAYS = 366
export const ShiftForm = z
  .object({
    classIds: ClassIds,
    days: z
      .int('Please enter whole days')
      .min(-MAX_SHIFT_DAYS, 'Please move by at most a year')
      .max(MAX_SHIFT_DAYS, 'Please move by at most a year'),
    minutes: z
      .int('Please enter whole minutes')
      .min(-720, 'Please move by at most twelve hours')
      .max(720, 'Please move by at most twelve hours'),
    onClosedDay: OnClosedDay,
    ifNoOverlap: IfNoOverlap,
  })
  .refine(({ days, minutes }) => days !== 0 || minutes !== 0, {
    path: ['days'],
    message: 'Please enter how far to move',
  })
export type ShiftForm = z.output<typeof ShiftForm>

export const shiftClassesInBulk = endpoint('POST /api/admin/classes/shift', {
  summary: 'Move classes that have not started by days and minutes, each from its own time; members are emailed',
  body: ShiftForm,
  response: z.object({ classes: z.int(), peopleNotified: z.int() }).meta({ id: 'ClassesShifted' }),
  refusals: [
    timetableRefusals.class_not_found,
    bookingRefusals.new_time_in_past,
    bookingRefusals.attendance_marked,
    timetableRefusals.crosses_midnight,
    timetableRefusals.studio_closed,
    timetableRefusals.classes_overlap,
  ],
})

export const GiveForm = z.object({ classIds: ClassIds, instructorName: requiredName('Please choose the teacher', 100) })
export type GiveForm = z.output<typeof GiveForm>

export const giveClassesInBulk = endpoint('POST /api/admin/classes/give', {
  summary:
    'Give classes that have not started to another teacher; each member gets one email, and can cancel free of charge until the start',
  body: GiveForm,
  response: z.object({ classes: z.int(), peopleNotified: z.int() }).meta({ id: 'ClassesGiven' }),
  refusals: [timetableRefusals.class_not_found],
})

const MAX_WEEKS = 12
const WEEKS = `Please choose 1 to ${MAX_WEEKS} weeks`

export const CopyWeekForm = z.object({
  /** Any day of the week to copy. */
  from: DateText('Please choose a week'),
  /** Any day of the week to copy it to; with `weeks`, of the first one. */
  to: DateText('Please choose a week'),
  /** To how many weeks, one after the other. */
  weeks: withDefault(z.int(WEEKS).min(1, WEEKS).max(MAX_WEEKS, WEEKS), 1),
  /** Also copies onto closed days. */
  onClosedDay: OnClosedDay,
  ifNoOverlap: IfNoOverlap,
})
export type CopyWeekForm = z.output<typeof CopyWeekForm>

const WeekCopied = z
  .object({
    classes: z.int(),
    /** A class of this name at this time. */
    alreadyThere: z.int(),
    onClosedDays: z.int(),
    /** Would have started already. */
    inThePast: z.int(),
  })
  .meta({ id: 'WeekCopied' })

export const previewCopyWeek = endpoint('POST /api/admin/classes/copy-week/preview', {
  summary: 'What copying a week would create; nothing is changed',
  body: CopyWeekForm.omit({ ifNoOverlap: true }),
  response: WeekCopied,
  refusals: [timetableRefusals.same_week, timetableRefusals.week_in_past],
})

export const copyWeek = endpoint('POST /api/admin/classes/copy-week', {
  summary:
    'Copy the active classes of a week to another, or to several weeks; closed days and classes that are already there are left out',
  body: CopyWeekForm,
  response: WeekCopied,
  status: 201,
  refusals: [timetableRefusals.same_week, timetableRefusals.week_in_past, timetableRefusals.classes_overlap],
})

export const ExtendForm = z.object({ until: DateText('Please enter a date'), ifNoOverlap: IfNoOverlap })
export type ExtendForm = z.output<typeof ExtendForm>

export const extendSeries = endpoint('POST /api/admin/classes/:id/extend', {
  summary:
    'Continue a repeating class until a later day, with the times, places and prices of the given one; closed days are left out',
  params: PathId,
  body: ExtendForm,
  response: z.object({ classes: z.int(), until: z.iso.date() }).meta({ id: 'SeriesExtended' }),
  refusals: [
    timetableRefusals.class_not_found,
    timetableRefusals.series_too_long,
    timetableRefusals.class_not_in_series,
    timetableRefusals.classes_overlap,
  ],
})
