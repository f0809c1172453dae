import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import {
  AmountInput,
  AmountText,
  DateText,
  Flag,
  IfUpdatedAt,
  InstantText,
  optionalText,
  requiredName,
  TimeText,
  withDefault,
} from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'

export const timetableRefusals = refusals({
  class_not_found: [404, 'This class does not exist.'],
  series_too_long: [400, 'A repeating class can have at most 366 dates. Please choose an earlier end date.'],
  capacity_below_bookings: [400, 'There are more bookings than this many places. Cancel bookings first.'],
  class_not_in_series: [400, 'This class does not repeat.'],
  crosses_midnight: [400, 'A class would begin or end on another day. Please move by fewer minutes.'],
  same_week: [400, 'Please choose another week to copy to.'],
  week_in_past: [400, 'This week is over. Please choose a later one.'],
  studio_closed: [400, 'The studio is closed on this day. Confirm if the class takes place anyway.'],
  /** Only for changes with `ifNoOverlap`. */
  classes_overlap: [400, 'Another class takes place at the same time.'],
})

const UNKNOWN_FREQUENCY = 'Please choose weekly, biweekly or monthly'
export const RepeatFrequency = z.enum(['weekly', 'biweekly', 'monthly'], UNKNOWN_FREQUENCY)
export type RepeatFrequency = z.output<typeof RepeatFrequency>

export const StudioClass = z
  .object({
    id: z.int(),
    title: z.string(),
    description: z.string().nullable(),
    date: z.iso.date(),
    startTime: z.string(),
    endTime: z.string(),
    /** The start and end as instants, for browsers in any time zone. */
    startsAt: InstantText,
    endsAt: InstantText,
    maxParticipants: z.int(),
    bookedCount: z.int(),
    /** Neither booked nor held. */
    availableSpots: z.int(),
    /** Free places held for the waiting list. */
    reservedPlaces: z.int(),
    price: AmountText,
    passPrice: AmountText,
    instructorName: z.string(),
    isActive: z.boolean(),
    isRepeating: z.boolean(),
    repeatFrequency: RepeatFrequency.nullable(),
    repeatUntilDate: z.iso.date().nullable(),
    createdAt: InstantText,
    updatedAt: InstantText,
  })
  .meta({ id: 'Class' })
export type StudioClass = z.output<typeof StudioClass>

export const listClasses = endpoint('GET /api/classes', {
  who: 'anyone',
  summary: 'Active classes (an admin sees all), by start; `from` and `to` are inclusive dates',
  query: z.object({ from: DateText().optional(), to: DateText().optional() }),
  response: z.array(StudioClass),
  isVersioned: true,
})

const isTrue = () => withDefault(Flag, false)
/** Confirms that a class takes place although the studio is closed; such a change is refused without it. */
export const OnClosedDay = isTrue()
/** Refuses a change that makes classes overlap, so that a dialog can ask first; overlaps are accepted without it. */
export const IfNoOverlap = isTrue()

const NO_DATE = 'Please enter a date'
/** Reported for each missing field, even while other fields are wrong. */
const repeatNeeds = {
  message: 'Repeat frequency and end date are required for repeating classes',
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
}
/** Forms send an empty text for no choice. */
const orNothing = <S extends z.ZodType>(schema: S, message: string) =>
  z.union([schema, z.literal('').transform(() => null)], message).nullish()

export const places = z
  .int('Please choose 1 or 2 participants')
  .min(1, 'Please choose 1 or 2 participants')
  .max(2, 'Please choose 1 or 2 participants')

const classFields = {
  title: requiredName('Title is required'),
  description: optionalText(),
  date: DateText('Date is required'),
  startTime: TimeText('Start time is required'),
  endTime: TimeText('End time is required'),
  instructorName: requiredName('Instructor is required').nullish(),
  price: AmountInput('Please enter a price in pounds').nullish(),
  passPrice: AmountInput('Please enter a price in pounds').nullish(),
  isActive: Flag.optional(),
}

/** Missing and malformed dates pass, as their own check reports them. */
const isLater = (date: string | null | undefined, than: string) =>
  !date || !z.regexes.date.test(date) || !z.regexes.date.test(than) || date > than

/** The end is not checked against the start, as specified. */
export const ClassForm = z
  .object({
    ...classFields,
    maxParticipants: withDefault(places, 2),
    isRepeating: withDefault(Flag, false),
    repeatFrequency: orNothing(RepeatFrequency, UNKNOWN_FREQUENCY),
    repeatUntilDate: orNothing(DateText(NO_DATE), NO_DATE),
    /** For a single class; a series always leaves closed days out. */
    onClosedDay: OnClosedDay,
    ifNoOverlap: IfNoOverlap,
  })
  .refine((form) => form.isRepeating !== true || form.repeatFrequency, { path: ['repeatFrequency'], ...repeatNeeds })
  .refine((form) => form.isRepeating !== true || form.repeatUntilDate, { path: ['repeatUntilDate'], ...repeatNeeds })
  .refine((form) => form.isRepeating !== true || isLater(form.repeatUntilDate, form.date), {
    path: ['repeatUntilDate'],
    message: 'Repeat until must be a day after the date of the class',
    when: repeatNeeds.when,
  })
export type ClassForm = z.output<typeof ClassForm>

export const createClass = endpoint('POST /api/classes', {
  who: 'admin',
  summary: 'Create a class, or one class per occurrence of a repeating one; returns the first',
  body: ClassForm,
  response: StudioClass,
  status: 201,
  refusals: [timetableRefusals.series_too_long, timetableRefusals.studio_closed, timetableRefusals.classes_overlap],
})

/** Days on which the studio is closed, inclusive, or some hours of one day, and why, in the owner's words. */
export const Closure = z
  .object({
    id: z.int(),
    from: z.iso.date(),
    to: z.iso.date(),
    /** With `toTime`: only classes that start at or after it and before `toTime` do not take place. */
    fromTime: z.string().nullable(),
    toTime: z.string().nullable(),
    reason: z.string(),
  })
  .meta({ id: 'Closure' })
export type Closure = z.output<typeof Closure>

export const listClosures = endpoint('GET /api/closures', {
  who: 'anyone',
  summary: 'Days and hours in which the studio is closed that are not over, the earliest first',
  response: z.array(Closure),
  isVersioned: true,
})

const NO_SCOPE = 'Enter true, false or later for applyToRecurring'
/**
 * `true`: also every class not yet started with its weekday, start and end; `'later'`: only those after it, or of a
 * monthly series its later dates.
 */
export const ApplyToRecurring = withDefault(z.union([z.boolean(), z.literal('later')], NO_SCOPE), false)
export type ApplyToRecurring = z.output<typeof ApplyToRecurring>

export const ClassEdit = z.object({
  ...z.object(classFields).partial().shape,
  maxParticipants: places.optional(),
  applyToRecurring: ApplyToRecurring,
  /** Of the class in the URL. */
  ifUpdatedAt: IfUpdatedAt,
  onClosedDay: OnClosedDay,
  ifNoOverlap: IfNoOverlap,
})
export type ClassEdit = z.output<typeof ClassEdit>
