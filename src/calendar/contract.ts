import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { InstantText } from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'

export const calendarRefusals = refusals({
  /** Wrong, replaced, ended, erased, or of a former admin: the reason is not revealed. */
  calendar_feed_not_found: [404, 'There is no calendar at this address. Create a new link on your dashboard.'],
  /** A mangled link, one signed with another secret, or of a booking that is gone. */
  calendar_entry_not_found: [
    404,
    'This link does not lead to a class. You can add your bookings to your calendar on your dashboard.',
  ],
})

/** The secret address itself is shown only when it is created. */
export const CalendarFeed = z
  .object({
    /** `studio`: all classes with participants, for admins. */
    shows: z.enum(['own_bookings', 'studio']),
    createdAt: InstantText,
  })
  .meta({ id: 'CalendarFeed' })
export type CalendarFeed = z.output<typeof CalendarFeed>

export const getCalendar = endpoint('GET /api/user/calendar', {
  who: 'member',
  summary: 'Whether there is a calendar address, and since when; `null` without one',
  response: CalendarFeed.nullable(),
})

export const createCalendar = endpoint('POST /api/user/calendar', {
  isPrivate: true,
  who: 'member',
  summary: 'Make a private calendar address, shown this once; the one before ends',
  response: z.object({ url: z.url() }),
  status: 201,
})

export const endCalendar = endpoint('DELETE /api/user/calendar', {
  who: 'member',
  summary: 'End the calendar address, if there is one',
  says: 'Your calendar link has ended.',
})

export const readCalendarFeed = endpoint('GET /api/calendar/:secret.ics', {
  who: 'anyone',
  summary: "A member's bookings, or for an admin the studio's classes with who comes, for calendars that subscribe",
  params: z.object({ secret: z.string().max(100) }),
  file: 'text/calendar',
  response: z.string(),
  refusals: [calendarRefusals.calendar_feed_not_found],
})

export const readMailedEntry = endpoint('GET /api/calendar/:uid/:token.ics', {
  who: 'anyone',
  summary: 'One booking as a file for a calendar, as it is now: where the link in an email about it leads',
  params: z.object({ uid: z.string().max(100), token: z.string().max(100) }),
  file: 'text/calendar',
  response: z.string(),
  refusals: [calendarRefusals.calendar_entry_not_found],
})
