import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { studio } from '../../studio.ts'
import type { MailedBooking } from '../mail.ts'
import { addressLine } from './templates/words.ts'

const DOMAIN = studio.email.slice(studio.email.indexOf('@') + 1)

/**
 * One booked class as an iCalendar file, times in UTC. The same booking always has the same UID,
 * so a calendar that gets the file twice holds the class once.
 *
 * @param site makes a path an absolute address
 */
export function calendarFile(booked: MailedBooking, site: (path: string) => string): string {
  const calendar = ical({
    prodId: { company: studio.name, product: 'Bookings', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  })
  calendar.createEvent({
    id: `booking-${booked.bookingId}@${DOMAIN}`,
    start: new Date(booked.startsAt),
    end: new Date(booked.endsAt),
    summary: `${booked.title} with ${booked.instructorName}`,
    location: {
      title: `${studio.name}, ${addressLine}`,
      geo: { lat: studio.address.latitude, lon: studio.address.longitude },
    },
    description: `Change or cancel it on your dashboard: ${site('/dashboard')}`,
    url: site('/dashboard'),
    organizer: { name: studio.name, email: studio.email },
    status: ICalEventStatus.CONFIRMED,
  })
  // Every line ends with a line break, the last one too (RFC 5545).
  return `${calendar.toString()}\r\n`
}
