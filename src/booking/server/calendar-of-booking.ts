import { Readable } from 'node:stream'
import type { User } from '#accounts/contract.ts'
import { factsNow } from '#facts/server/facts.ts'
import { refuse } from '#foundation/refusal.ts'
import { calendarFile } from '#messages/server/messages.ts'
import type { Reader } from '#platform/database/database.ts'
import { bookingRefusals } from '../refusals.ts'
import { findBooked, toMailedBooking } from './queries.ts'

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
