import type { MailedBooking } from '../../mail.ts'
import { type CalendarMethod, calendarFile } from '../calendar-file.ts'
import { calendarPath } from '../calendar-link.ts'
import type { TokenOf } from '../link-tokens.ts'
import type { Attachment, Site } from './layout.ts'

/** A booking as a file that puts it into a calendar (`PUBLISH`) or takes it out (`CANCEL`). */
export function calendarAttachment(studioClass: MailedBooking, method: CalendarMethod, site: Site): Attachment[] {
  // A mail queued by an earlier version, before identities were kept, goes without.
  if (!studioClass.calendar) return []
  return [
    {
      filename: method === 'CANCEL' ? 'class-cancelled.ics' : 'class.ics',
      content: calendarFile(studioClass, method, site, site.facts),
      contentType: `text/calendar; charset=utf-8; method=${method}`,
    },
  ]
}

/** For who reads where an attached file is a nuisance: the same entry behind a link, as it is when that is followed. */
export function addToCalendar({ calendar }: MailedBooking, site: Site, tokenOf: TokenOf) {
  return calendar ? { label: 'Add to calendar', href: site(calendarPath(calendar.uid, tokenOf)) } : null
}
