import { z } from 'zod'
import { Affected } from '#booking/contract-classes.ts'
import { endpoint } from '#foundation/endpoint.ts'
import {
  DateText,
  Flag,
  Id,
  isInOrder,
  PathId,
  requiredText,
  spansAtMost,
  TimeText,
  withDefault,
} from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'
import { Closure } from '#timetable/contract.ts'
import { Undoable } from './contract.ts'

export const closureRefusals = refusals({
  closure_not_found: [404, 'These days are not closed.'],
})

const MAX_DAYS = 366
const ENDS_BEFORE = { path: ['to'], message: 'The last day cannot be before the first' }
const TOO_LONG = { path: ['to'], message: 'Please close at most a year at once' }
const first = DateText('Please enter the first day')
const last = DateText('Please enter the last day')
const hour = z.union([TimeText(), z.literal('').transform(() => null)], 'Please enter a time as HH:mm').nullish()
const hours = { fromTime: hour, toTime: hour }
type Hours = { from: string; to: string; fromTime?: string | null | undefined; toTime?: string | null | undefined }
const BOTH_TIMES = { path: ['toTime'], message: 'Please enter both times' }
const hasBothTimes = ({ fromTime, toTime }: Hours) => !fromTime === !toTime
const ONE_DAY = { path: ['fromTime'], message: 'Hours can be closed on one day at a time' }
const isOneDay = ({ from, to, fromTime }: Hours) => !fromTime || from === to
const TIMES_IN_ORDER = { path: ['toTime'], message: 'This must be later than the first time' }
const areTimesInOrder = ({ fromTime, toTime }: Hours) => !fromTime || !toTime || fromTime < toTime

export const previewClosure = endpoint('GET /api/admin/closures/preview', {
  summary:
    'What closing these days, or these hours of one day, would do: each class that has not started, its bookings and waiting list',
  query: z
    .object({ from: first, to: last, ...hours })
    .refine(isInOrder, ENDS_BEFORE)
    .refine(spansAtMost(MAX_DAYS), TOO_LONG)
    .refine(hasBothTimes, BOTH_TIMES)
    .refine(isOneDay, ONE_DAY)
    .refine(areTimesInOrder, TIMES_IN_ORDER),
  response: z
    .object({
      classes: z.array(
        z.object({
          id: z.int(),
          title: z.string(),
          date: z.iso.date(),
          startTime: z.string(),
          endTime: z.string(),
          booked: z.array(Affected),
          waiting: z.array(Affected),
          /** Late cancellations, whose credit comes back if the studio cancels. */
          cancelledLate: z.array(Affected),
        }),
      ),
      /** Existing closures that touch these days. */
      closures: z.array(Closure),
    })
    .meta({ id: 'ClosurePreview' }),
})

export const ClosureForm = z
  .object({
    from: first,
    to: last,
    /** With `toTime`, on one day: closes only for classes that start in these hours. */
    ...hours,
    /** Emailed to members and shown on public pages. */
    reason: requiredText('Please enter the reason', 500),
    /** False: members who had nothing booked are not emailed. */
    notify: withDefault(Flag, true),
    /** Classes that take place anyway. */
    exceptClassIds: z.array(Id, 'Enter a list of class ids').max(1000, 'Enter at most 1000 class ids').nullish(),
  })
  .refine(isInOrder, ENDS_BEFORE)
  .refine(spansAtMost(MAX_DAYS), TOO_LONG)
  .refine(hasBothTimes, BOTH_TIMES)
  .refine(isOneDay, ONE_DAY)
  .refine(areTimesInOrder, TIMES_IN_ORDER)
export type ClosureForm = z.output<typeof ClosureForm>

export const ClosedDays = Closure.extend({
  classes: z.int(),
  bookingsCancelled: z.int(),
  /** People we email, once each, when it can no longer be undone. */
  peopleNotified: z.int(),
  undo: Undoable,
}).meta({ id: 'ClosedDays' })
export type ClosedDays = z.output<typeof ClosedDays>

export const closeDays = endpoint('POST /api/admin/closures', {
  summary:
    'Close days, or with `fromTime` and `toTime` some hours of one day: classes that have not started are cancelled by the studio, and everyone is emailed once after a minute in which it can be undone',
  body: ClosureForm,
  response: ClosedDays,
  status: 201,
})

export const openDays = endpoint('DELETE /api/admin/closures/:id', {
  summary: 'Open closed days again: their classes come back without bookings; nobody is emailed',
  params: PathId,
  response: z.object({ message: z.string(), classes: z.int() }),
  refusals: [closureRefusals.closure_not_found],
})
