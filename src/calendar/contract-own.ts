import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, InstantText, isInOrder, spansAtMost } from '#foundation/fields.ts'
import { READ_FAILURES, UNREAD_REASONS } from './rules.ts'

const MAX_DAYS = 800
const MAX_ADDRESS = 2000

/** A calendar's address on the web; `webcal:`, which Apple shows, is https. */
const CalendarAddress = z
  .string('Please paste the address of your calendar')
  .trim()
  .min(1, 'Please paste the address of your calendar')
  .max(MAX_ADDRESS, `Please use at most ${MAX_ADDRESS} characters`)
  .transform((typed) => typed.replace(/^webcals?:/i, 'https:'))
  .refine((typed) => URL.canParse(typed) && new URL(typed).protocol === 'https:', {
    message: 'The address must begin with https:// or webcal://',
    abort: true,
  })
  .refine((typed) => new URL(typed).username === '' && new URL(typed).password === '', {
    message: 'Please use an address without a user name and password in it',
  })

/** The address itself is secret and never shown again. */
export const OwnCalendar = z
  .object({
    host: z.string(),
    addedAt: InstantText,
    /** When it was last read successfully. */
    readAt: InstantText.nullable(),
    failingSince: InstantText.nullable(),
    failure: z.enum(READ_FAILURES).nullable(),
    /** How many events could not be read the last time, and the first of them. */
    unreadEvents: z.int().min(0),
    firstUnread: z.array(z.object({ day: z.iso.date().nullable(), reason: z.enum(UNREAD_REASONS) })),
  })
  .meta({ id: 'OwnCalendar' })
export type OwnCalendar = z.output<typeof OwnCalendar>

export const readOwnCalendar = endpoint('GET /api/admin/own-calendar', {
  summary: 'The owner’s own calendar, without its address; `null` without one',
  response: OwnCalendar.nullable(),
})

export const setOwnCalendar = endpoint('PUT /api/admin/own-calendar', {
  summary: 'Set or replace the private address (iCalendar) of the owner’s own calendar; it is read soon after',
  body: z.object({ address: CalendarAddress }),
  response: OwnCalendar,
})

export const removeOwnCalendar = endpoint('DELETE /api/admin/own-calendar', {
  summary: 'Forget the owner’s own calendar and everything read from it',
  says: 'Your calendar is no longer connected.',
})

export const BusyTime = z
  .object({ startsAt: InstantText, endsAt: InstantText, isAllDay: z.boolean() })
  .meta({ id: 'BusyTime' })
export type BusyTime = z.output<typeof BusyTime>

const days = z
  .object({ from: DateText(), to: DateText() })
  .refine(isInOrder, { path: ['to'], message: 'The last day must not be before the first' })
  .refine(spansAtMost(MAX_DAYS), { path: ['to'], message: 'Please choose at most two years' })

export const listBusyTimes = endpoint('GET /api/admin/own-calendar/busy', {
  summary: 'When the owner is busy by her own calendar between two days, both included',
  query: days,
  response: z.array(BusyTime),
})

export const listTermClashes = endpoint('GET /api/admin/own-calendar/term', {
  summary: 'The classes of the weekly timetable between two days that clash with the owner’s own calendar',
  query: days,
  response: z.array(z.object({ date: z.iso.date(), startTime: z.string(), busy: BusyTime }).meta({ id: 'TermClash' })),
})
