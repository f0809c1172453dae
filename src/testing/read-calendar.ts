import ICAL from 'ical.js'

/** A calendar entry; instants in ISO 8601, UTC. */
export type ReadEvent = {
  uid: string
  sequence: number
  status: string
  summary: string
  description: string
  location: string
  organizer: string
  attendees: number
  startsAt: string
  endsAt: string
  alarms: string[]
  changedAt: string
}

/** Reads an iCalendar file with an independent parser (Mozilla's). */
export function readCalendar(text: string): { method: string; name: string | null; events: ReadEvent[] } {
  const calendar = new ICAL.Component(ICAL.parse(text))
  if (calendar.getFirstPropertyValue('version') !== '2.0') throw new Error('not iCalendar 2.0')
  const name = calendar.getFirstPropertyValue('name')
  return {
    method: String(calendar.getFirstPropertyValue('method')),
    name: name === null ? null : String(name),
    events: calendar.getAllSubcomponents('vevent').map(readEvent),
  }
}

function readEvent(component: ICAL.Component): ReadEvent {
  const event = new ICAL.Event(component)
  const instant = (time: ICAL.Time) => {
    // A time without a zone would mean something else in every calendar.
    if (time.zone !== ICAL.Timezone.utcTimezone) throw new Error(`${time} is not in UTC`)
    return time.toJSDate().toISOString().replace('.000Z', 'Z')
  }
  const alarms = component.getAllSubcomponents('valarm').map((alarm) => {
    const before = alarm.getFirstPropertyValue('trigger')
    if (!(before instanceof ICAL.Duration)) throw new Error('an alarm at a fixed time')
    const rings = event.startDate.clone()
    rings.addDuration(before)
    return instant(rings)
  })
  const changedAt = component.getFirstPropertyValue('dtstamp')
  if (!(changedAt instanceof ICAL.Time)) throw new Error('an entry without the time of its change')
  return {
    uid: event.uid,
    sequence: event.sequence,
    status: String(component.getFirstPropertyValue('status')),
    summary: event.summary,
    description: event.description,
    location: event.location,
    organizer: String(component.getFirstPropertyValue('organizer')),
    attendees: event.attendees.length,
    startsAt: instant(event.startDate),
    endsAt: instant(event.endDate),
    alarms,
    changedAt: instant(changedAt),
  }
}
