import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { User } from '#accounts/contract.ts'
import { factsNow } from '#facts/server/facts.ts'
import { formatDate } from '#foundation/dates.ts'
import { studioDate, studioTime } from '#foundation/instants.ts'
import { toDecimal } from '#foundation/money.ts'
import { refuse } from '#foundation/refusal.ts'
import { calendarFile } from '#messages/server/messages.ts'
import type { Reader } from '#platform/database/database.ts'
import { CSV } from '#platform/http/serve.ts'
import { bookingRefusals } from '../refusals.ts'
import type { BookingRow } from '../tables.ts'
import { allBookings, type BookingFilter, findBooked, toMailedBooking } from './queries.ts'

/** Read and sent this many at a time: a studio's whole history never stands in memory. */
const A_PAGE = 2000

const COLUMNS = [
  'Booking',
  'First name',
  'Last name',
  'Class',
  'Date',
  'Start',
  'End',
  'Participants',
  'Amount (£)',
  'Status',
  'Payment',
  'Booked on',
  'Booked at',
]

/** The bookings an admin asked for as a file for spreadsheets, the last booked first. */
export function bookingsFile(reader: Reader, filter: BookingFilter) {
  const content = stringify({ ...CSV, header: true, columns: COLUMNS })
  // A fault ends the answer in the middle, which a browser reports; there is nobody else to tell.
  pipeline(Readable.from(rowsOf(reader, filter)), content, () => {})
  return { name: 'bookings.csv', content }
}

async function* rowsOf(reader: Reader, filter: BookingFilter) {
  let after: BookingRow | undefined
  do {
    const page = await allBookings(reader, { ...filter, limit: A_PAGE, after })
    for (const { booking, class: studioClass, user } of page) {
      yield [
        booking.id,
        user.firstName,
        user.lastName,
        studioClass.title,
        formatDate(studioClass.date),
        studioClass.startTime,
        studioClass.endTime,
        booking.participantCount,
        toDecimal(booking.totalAmountPence),
        booking.status,
        booking.paymentStatus,
        formatDate(studioDate(booking.bookedAt).toString()),
        studioTime(booking.bookedAt),
      ]
    }
    after = page.length < A_PAGE ? undefined : page.at(-1)?.booking
  } while (after)
}

/** A member's own confirmed booking as a calendar file, the one that was mailed: a calendar that has it keeps one. */
export async function calendarOfBooking(reader: Reader, member: User, id: number, site: (path: string) => string) {
  const found = (await findBooked(reader, member.id, id)) ?? refuse(bookingRefusals.booking_not_found)
  if (found.booking.status !== 'confirmed') refuse(bookingRefusals.booking_not_confirmed)
  const where = await factsNow(reader)
  return {
    name: 'class.ics',
    content: Readable.from([calendarFile(toMailedBooking(found.booking, found.class), 'PUBLISH', site, where)]),
  }
}
