import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import { formatDate } from '#foundation/dates.ts'
import { studioDate, studioTime } from '#foundation/instants.ts'
import { toDecimal } from '#foundation/money.ts'
import type { Reader } from '#platform/database/database.ts'
import { CSV } from '#platform/http/csv.ts'
import type { BookingRow } from '../tables.ts'
import { allBookings, type BookingFilter } from './queries.ts'

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
