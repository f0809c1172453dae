import ical, { ICalAlarmType, ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import type { StudioFacts } from '#facts/contract.ts'
import { addressLine } from '#facts/rules.ts'
import { studio } from '#studio.ts'
import type { CalendarEntry, MailedClass } from '../mail.ts'

const HOUR_S = 60 * 60

type Site = (path: string) => string
/** Where the classes are, and whom to write to. */
type Where = Pick<StudioFacts, 'address' | 'email'>

/** An entry of a calendar. Instants in ISO 8601. */
export type CalendarEvent = {
  calendar: CalendarEntry
  startsAt: string
  endsAt: string
  summary: string
  description: string
  /** Absolute. */
  url: string
  isCancelled: boolean
  /** Rings an hour before the start (decisions, section 5). */
  hasAlarm: boolean
}

/**
 * What a mailed file asks of a calendar: `PUBLISH`, the entry stands as the file has it; `CANCEL`, it is to be taken out.
 * Not `REQUEST`: a calendar would offer to decline, and the studio would never hear of it (docs/decisions/0010).
 */
export type CalendarMethod = 'PUBLISH' | 'CANCEL'

/**
 * One booked class as an iCalendar file. All files about a booking carry one UID and a SEQUENCE that counts up, so a
 * calendar that gets several of them holds the class once, as the last one says.
 *
 * @param site makes a path an absolute address
 */
export function calendarFile(
  studioClass: MailedClass & { calendar: CalendarEntry },
  method: CalendarMethod,
  site: Site,
  where: Where,
): string {
  const events = [bookingEvent(studioClass, { isCancelled: method === 'CANCEL' }, site)]
  return written({ method, events, where })
}

/** Entries as a calendar that calendars subscribe to, and ask for again every hour. */
export function calendarFeed(name: string, events: CalendarEvent[], where: Where): string {
  return written({ name, method: 'PUBLISH', events, where })
}

/** A booking as an entry: a cancelled one says so in its title too, for calendars that do not heed its status. */
export function bookingEvent(
  studioClass: MailedClass & { calendar: CalendarEntry },
  { isCancelled }: { isCancelled: boolean },
  site: Site,
): CalendarEvent {
  const { calendar, startsAt, endsAt } = studioClass
  const title = `${studioClass.title} with ${studioClass.instructorName}`
  return {
    ...{ calendar, startsAt, endsAt, isCancelled, hasAlarm: !isCancelled },
    summary: isCancelled ? `Cancelled: ${title}` : title,
    description: isCancelled
      ? `This class is cancelled. Book another one: ${site('/booking')}`
      : `Deleting this entry does not cancel your place. Change or cancel it on your dashboard: ${site('/dashboard')}`,
    url: site(isCancelled ? '/booking' : '/dashboard'),
  }
}

/** Times are written in UTC, which no clock change can move. */
function written(asked: { name?: string; method: CalendarMethod; events: CalendarEvent[]; where: Where }): string {
  const { name, method, events, where } = asked
  const { latitude: lat, longitude: lon } = where.address
  const calendar = ical({
    prodId: { company: studio.name, product: 'Bookings', language: 'EN' },
    method: ICalCalendarMethod[method],
    ...(name && { name, ttl: HOUR_S }),
  })
  for (const each of events) {
    const changedAt = new Date(each.calendar.changedAt)
    const event = calendar.createEvent({
      id: uidOf(each.calendar),
      sequence: each.calendar.sequence,
      stamp: changedAt,
      lastModified: changedAt,
      start: new Date(each.startsAt),
      end: new Date(each.endsAt),
      summary: each.summary,
      description: each.description,
      url: each.url,
      location: {
        title: `${studio.name}, ${addressLine(where.address)}`,
        ...(lat !== null && lon !== null && { geo: { lat, lon } }),
      },
      organizer: { name: studio.name, email: where.email },
      status: ICalEventStatus[each.isCancelled ? 'CANCELLED' : 'CONFIRMED'],
      transparency: ICalEventTransparency[each.isCancelled ? 'TRANSPARENT' : 'OPAQUE'],
    })
    if (each.hasAlarm) {
      event.createAlarm({ type: ICalAlarmType.display, triggerBefore: HOUR_S, description: each.summary })
    }
  }
  // Every line ends with a line break, the last one too (RFC 5545).
  return `${calendar.toString()}\r\n`
}

/**
 * What is no UUID needs the studio's domain to be nobody else's: classes, and bookings from before identities were kept,
 * whose `booking-12` was mailed like this.
 */
const uidOf = ({ uid }: CalendarEntry) => (/^\w+-\d+$/.test(uid) ? `${uid}@${studio.domain}` : uid)
