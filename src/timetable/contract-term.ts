import { z } from 'zod'
import { WEEKDAYS } from '#foundation/dates.ts'
import { endpoint } from '#foundation/endpoint.ts'
import {
  AmountInput,
  AmountText,
  DateText,
  isInOrder,
  requiredName,
  spansAtMost,
  TimeText,
  withDefault,
} from '#foundation/fields.ts'
import { IfNoOverlap, places, timetableRefusals } from './contract.ts'

const NO_PRICE = 'Please enter a price in pounds'
const MAX_DAYS_LEFT_OUT = 400
const MAX_CLASSES_LEFT_OUT = 2000

/** Changes what is made for a slot; what is left out comes from the timetable and the studio's prices. */
const SlotChoice = z.object({
  day: z.enum(WEEKDAYS, 'Please choose a day of the week'),
  startTime: TimeText('Please enter the start'),
  title: requiredName('Title is required').nullish(),
  maxParticipants: places.nullish(),
  price: AmountInput(NO_PRICE).nullish(),
  passPrice: AmountInput(NO_PRICE).nullish(),
  instructorName: requiredName('Please choose the teacher').nullish(),
})

export const TermForm = z
  .object({
    from: DateText('Please choose the first day'),
    to: DateText('Please choose the last day'),
    /** Days without classes, such as bank holidays. */
    leaveOut: withDefault(
      z.array(DateText()).max(MAX_DAYS_LEFT_OUT, `Please leave out at most ${MAX_DAYS_LEFT_OUT} days`),
      [],
    ),
    /** Single classes, such as those that clash with the owner's own calendar. */
    leaveOutClasses: withDefault(
      z
        .array(z.object({ date: DateText(), startTime: TimeText('Please enter the start') }))
        .max(MAX_CLASSES_LEFT_OUT, `Please leave out at most ${MAX_CLASSES_LEFT_OUT} classes`),
      [],
    ),
    slots: withDefault(z.array(SlotChoice).max(100, 'Please change at most 100 classes'), []),
    ifNoOverlap: IfNoOverlap,
  })
  .refine(isInOrder, { path: ['to'], message: 'The last day must not be before the first' })
export type TermForm = z.output<typeof TermForm>

/** The classes planned for a slot of the weekly timetable. */
const PlannedSlot = z.object({
  day: z.enum(WEEKDAYS),
  startTime: z.string(),
  endTime: z.string(),
  maxParticipants: z.int(),
  title: z.string(),
  price: AmountText,
  passPrice: AmountText,
  instructorName: z.string(),
  classes: z.int(),
  /** The dates of the first and last class; null if none is made. */
  first: z.iso.date().nullable(),
  last: z.iso.date().nullable(),
  onClosedDays: z.int(),
  /** On days left out by choice. */
  leftOut: z.int(),
  /** Single classes left out by choice. */
  clashing: z.int(),
  /** A class starts at that time already. */
  alreadyThere: z.int(),
  /** Planned before, and moved or deleted since. */
  movedOrDeleted: z.int(),
  inThePast: z.int(),
})
export type PlannedSlot = z.output<typeof PlannedSlot>

const Term = z.object({
  classes: z.int(),
  slots: z.array(PlannedSlot),
  /** Classes that take place at the same time as planned ones: `Duo on Friday 8 January, 08:00 to 08:45`. */
  overlaps: z.array(z.string()),
})
export type Term = z.output<typeof Term>

export const previewTerm = endpoint('POST /api/admin/terms/preview', {
  summary: 'What planning a term would create; nothing is changed',
  body: TermForm,
  response: Term.meta({ id: 'Term' }),
  refusals: [timetableRefusals.series_too_long],
})

export const planTerm = endpoint('POST /api/admin/terms', {
  summary:
    'Create the classes of the weekly timetable between two days, both included; closed days, days left out and classes that are already there are skipped, and planning again creates only what is missing',
  body: TermForm,
  response: Term.omit({ overlaps: true }).meta({ id: 'TermPlanned' }),
  refusals: [timetableRefusals.series_too_long, timetableRefusals.classes_overlap],
})

const MAX_DAYS = 3660

export const listBankHolidays = endpoint('GET /api/admin/bank-holidays', {
  summary: 'The bank holidays of England between two days, both included',
  query: z.object({ from: DateText(), to: DateText() }).refine(spansAtMost(MAX_DAYS), {
    path: ['to'],
    message: 'Please choose at most ten years',
  }),
  response: z.array(z.object({ date: z.iso.date(), name: z.string() }).meta({ id: 'BankHoliday' })),
})
