import ical, { ICalAlarmType, ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import { addressLine, type MailFacts } from '#facts/rules.ts'
import { studio } from '#studio.ts'
import type { CalendarEntry, MailedClass } from '../mail.ts'

const HOUR_S = 60 * 60

type Site = (path: string) => string
type Contact = Pick<MailFacts, 'name' | 'address' | 'email'>

/** Instants are ISO 8601, `url` is absolute. */
export type CalendarEvent = {
  calendar: CalendarEntry
  startsAt: string
  endsAt: string
  summary: string
  description: string
  url: string
  isCancelled: boolean
  /** An hour before the start. */
  hasAlarm: boolean
}

/** `PUBLISH` adds or updates the entry, `CANCEL` removes it. `REQUEST` would offer to decline (docs/decisions/0010). */
export type CalendarMethod = 'PUBLISH' | 'CANCEL'

/**
 * A booking as an iCalendar file. All files of a booking have the same UID and an increasing SEQUENCE, so a calendar
 * shows it once, in the latest version.
 *
 * @param site makes a path absolute
 */
export function calendarFile(
  studioClass: MailedClass & { calendar: CalendarEntry },
  method: CalendarMethod,
  site: Site,
  contact: Contact,
): string {
  return render([bookingEvent(studioClass, { isCancelled: method === 'CANCEL' }, site)], contact, { method })
}

/** A calendar to subscribe to; calendar apps refetch it every hour. */
export function calendarFeed(events: CalendarEvent[], contact: Contact): string {
  return render(events, contact, { method: 'PUBLISH', name: contact.name })
}

/** A booking as a calendar entry. A cancelled one has it in the title too, for calendars that ignore the status. */
export function bookingEvent(
  studioClass: MailedClass & { calendar: CalendarEntry },
  { isCancelled }: { isCancelled: boolean },
  site: Site,
): CalendarEvent {
  const { calendar, startsAt, endsAt } = studioClass
  const title = `${studioClass.title} with ${studioClass.instructorName}`
  return {
    calendar,
    startsAt,
    endsAt,
    isCancelled,
    hasAlarm: !isCancelled,
    summary: isCancelled ? `Cancelled: ${title}` : title,
    description: isCancelled
      ? `This class is cancelled. Book another one: ${site('/booking')}`
      : `Deleting this entry does not cancel your place. Change or cancel it on your dashboard: ${site('/dashboard')}`,
    url: site(isCancelled ? '/booking' : '/dashboard'),
  }
}

/** Times are in UTC, which clock changes cannot move. */
function render(
  events: CalendarEvent[],
  { name: studioName, address, email }: Contact,
  { method, name }: { method: CalendarMethod; name?: string },
): string {
  const { latitude: lat, longitude: lon } = address ?? { latitude: null, longitude: null }
  const calendar = ical({
    prodId: { company: studioName, product: 'Bookings', language: 'EN' },
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
        title: address ? `${studioName}, ${addressLine(address)}` : studioName,
        ...(lat !== null && lon !== null && { geo: { lat, lon } }),
      },
      ...(email && { organizer: { name: studioName, email } }),
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

/** A class's id (`class-12`) needs the studio's domain to be unique; a booking's is a UUID. */
const uidOf = ({ uid }: CalendarEntry) => (/^\w+-\d+$/.test(uid) ? `${uid}@${studio.domain}` : uid)
