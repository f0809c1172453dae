import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { User } from '#accounts/contract.ts'
import { currentFacts } from '#facts/server/facts.ts'
import { formatDate } from '#foundation/dates.ts'
import { studioDate, studioTime } from '#foundation/instants.ts'
import { toDecimal } from '#foundation/money.ts'
import { refuse } from '#foundation/refusal.ts'
import { calendarFile } from '#messages/server/messages.ts'
import type { Reader } from '#platform/database/database.ts'
import { CSV } from '#platform/http/serve.ts'
import { bookingRefusals } from '../../refusals.ts'
import { CREDIT_WORDS } from '../../rules.ts'
import { findOwnBookingWithClass, toMailedBooking } from '../places/queries.ts'
import { allBookings, type BookingFilter } from './all-bookings.ts'

/** Rows read at a time, so that the whole history is never in memory. */
const PAGE_SIZE = 2000

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

/** An admin's filtered bookings as CSV, most recently booked first. */
export function bookingsFile(reader: Reader, filter: BookingFilter) {
  const content = stringify({ ...CSV, header: true, columns: COLUMNS })
  // An error ends the response early, which the browser reports; the headers are already sent.
  pipeline(Readable.from(rowsOf(reader, filter)), content, () => {})
  return { name: 'bookings.csv', content }
}

async function* rowsOf(reader: Reader, filter: BookingFilter) {
  let after: Awaited<ReturnType<typeof allBookings>>[number] | undefined
  do {
    const page = await allBookings(reader, { ...filter, limit: PAGE_SIZE, after })
    for (const { class: studioClass, user, bookedAt, ...booking } of page) {
      const at = Temporal.Instant.from(bookedAt)
      yield [
        booking.id,
        user.firstName,
        user.lastName,
        studioClass.title,
        formatDate(studioClass.date),
        studioClass.startTime,
        studioClass.endTime,
        booking.participantCount,
        toDecimal(booking.totalAmount),
        booking.status,
        CREDIT_WORDS[booking.paymentStatus],
        formatDate(studioDate(at).toString()),
        studioTime(at),
      ]
    }
    after = page.length < PAGE_SIZE ? undefined : page.at(-1)
  } while (after)
}

/** A member's confirmed booking as the calendar file that was mailed, with the same entry. */
export async function calendarOfBooking(reader: Reader, member: User, id: number, site: (path: string) => string) {
  const found = (await findOwnBookingWithClass(reader, member.id, id)) ?? refuse(bookingRefusals.booking_not_found)
  if (found.booking.status !== 'confirmed') refuse(bookingRefusals.booking_not_confirmed)
  const studioAddress = await currentFacts(reader)
  return {
    name: 'class.ics',
    content: Readable.from([calendarFile(toMailedBooking(found.booking, found.class), 'PUBLISH', site, studioAddress)]),
  }
}
