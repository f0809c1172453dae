import ICAL from 'ical.js'
import { instantAt } from '#foundation/instants.ts'
import { studio } from '#studio.ts'

/** No person's calendar has more. */
const MAX_TIMES = 5000

/** ISO 8601, as `Temporal` does not cross threads. */
export type Busy = { startsAt: string; endsAt: string; isAllDay: boolean }

/**
 * When a calendar's owner is busy between two days, both included: in order, without titles. Cancelled events and those
 * marked as free do not count. All-day events and times without a zone are the studio's. Can run for very long on
 * hostile rules; `readBusyTimes` limits it.
 *
 * @throws if the text is no calendar
 */
export function busyTimesIn(text: string, { from, to }: { from: string; to: string }): Busy[] {
  const parsed = ICAL.parse(text)
  const calendar = new ICAL.Component(parsed)
  if (calendar.name !== 'vcalendar') throw new Error('not a calendar')
  const window = {
    from: instantAt(from, '00:00'),
    until: instantAt(Temporal.PlainDate.from(to).add({ days: 1 }).toString(), '00:00'),
  }
  const events = calendar.getAllSubcomponents('vevent')
  // A changed occurrence is a separate event.
  const changed = new Set(
    events.flatMap((event) => (recurrenceOf(event) ? [`${uidOf(event)} ${recurrenceOf(event)}`] : [])),
  )
  const found = new Map<string, Busy>()
  for (const component of events) {
    if (!isBusy(component)) continue
    const isOverride = recurrenceOf(component) !== undefined
    const event = new ICAL.Event(component, { exceptions: [] })
    const { startDate, endDate } = event
    if (!startDate || !endDate) continue
    const zone = zoneOf(component)
    const add = (start: ICAL.Time, end: ICAL.Time): boolean => {
      const [startsAt, endsAt] = [instantOf(start, zone), instantOf(end, zone)]
      if (Temporal.Instant.compare(startsAt, window.until) >= 0) return false
      const isInside = Temporal.Instant.compare(endsAt, window.from) > 0
      if (isInside && Temporal.Instant.compare(startsAt, endsAt) < 0) {
        const busy = { startsAt: startsAt.toString(), endsAt: endsAt.toString(), isAllDay: start.isDate }
        found.set(JSON.stringify(busy), busy)
      }
      if (found.size > MAX_TIMES) throw new Error('too many events')
      return true
    }
    if (isOverride || !event.isRecurring()) {
      add(startDate, endDate)
      continue
    }
    const duration = endDate.subtractDateTz(startDate)
    const occurrences = event.iterator()
    for (let start = occurrences.next(); start; start = occurrences.next()) {
      if (changed.has(`${event.uid} ${start}`)) continue
      const end = start.clone()
      end.addDuration(duration)
      if (!add(start, end)) break
    }
  }
  return [...found.values()].sort((a, b) => a.startsAt.localeCompare(b.startsAt) || a.endsAt.localeCompare(b.endsAt))
}

const textOf = (event: ICAL.Component, name: string) => {
  const value = event.getFirstPropertyValue(name)
  return value === null ? undefined : String(value)
}
const uidOf = (event: ICAL.Component) => textOf(event, 'uid')
const recurrenceOf = (event: ICAL.Component) => textOf(event, 'recurrence-id')
const isBusy = (event: ICAL.Component) =>
  textOf(event, 'status')?.toUpperCase() !== 'CANCELLED' && textOf(event, 'transp')?.toUpperCase() !== 'TRANSPARENT'

/** The zone of times whose zone the file does not define: the one it names, if it exists, or the studio's. */
function zoneOf(event: ICAL.Component): string {
  const named = String(event.getFirstProperty('dtstart')?.getParameter('tzid') ?? studio.timeZone)
  try {
    return Temporal.Now.zonedDateTimeISO(named).timeZoneId
  } catch {
    return studio.timeZone
  }
}

function instantOf(time: ICAL.Time, zone: string): Temporal.Instant {
  const { year, month, day, hour, minute, second } = time
  const date = Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' })
  if (time.isDate) return instantAt(date.toString(), '00:00')
  const isFloating = time.zone === ICAL.Timezone.localTimezone
  if (!isFloating) return Temporal.Instant.fromEpochMilliseconds(time.toUnixTime() * 1000)
  return date.toPlainDateTime({ hour, minute, second }).toZonedDateTime(zone).toInstant()
}
