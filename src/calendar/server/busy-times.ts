import { instantAt } from '#foundation/instants.ts'
import { MAX_BUSY_TIMES, type UnreadEvent } from '../rules.ts'
import { type Component, componentsOf, textIn, UnreadableEvent } from './calendar-text.ts'
import { addressesIn, isReplacement, latestVersions, occurrencesOf, readEvent } from './events.ts'
import { zoneFinder } from './zones.ts'

const SHOWN_UNREAD = 3

/** ISO 8601, as `Temporal` does not cross threads. */
export type Busy = { startsAt: string; endsAt: string; isAllDay: boolean }
/** Busy times in order, and the events that could not be read: how many, and the first of them. */
export type CalendarReading = { times: Busy[]; unreadEvents: number; firstUnread: UnreadEvent[] }

/**
 * When a calendar's owner is busy between two days, both included: without titles. Cancelled, declined and free events
 * and the studio's own classes do not count. All-day events and times without a zone are the studio's. An event that
 * cannot be read is left out and counted. Stops soon after `MAX_BUSY_TIMES`.
 *
 * @throws {NotACalendar}
 */
export function busyTimesIn(text: string, { from, to }: { from: string; to: string }): CalendarReading {
  const components = componentsOf(text)
  const named = (name: string) => components.filter((component) => component.name === name)
  const zoneNamed = zoneFinder(named('vtimezone'), from)
  const owners = addressesIn(named('vcalendar').map((calendar) => textIn(calendar, 'x-wr-calname')))
  const window = {
    from: instantAt(from, '00:00'),
    until: instantAt(Temporal.PlainDate.from(to).add({ days: 1 }).toString(), '00:00'),
  }

  const unread: UnreadEvent[] = []
  const attempt = <Result>(component: Component, read: () => Result): Result | undefined => {
    try {
      return read()
    } catch (error) {
      const day = dayOf(component)
      const isOver = day !== null && day < from && !component.lines.some((line) => /^r(rule|date)\b/i.test(line))
      if (!isOver) unread.push({ reason: error instanceof UnreadableEvent ? error.reason : 'date', day })
      return undefined
    }
  }
  const events = named('vevent').flatMap((component) => {
    const event = attempt(component, () => readEvent(component, zoneNamed, owners))
    return event ? [{ component, event }] : []
  })
  const replacements = latestVersions(events.map(({ event }) => event).filter(isReplacement))
  const replacementsOf = Map.groupBy(replacements, ({ uid }) => uid)
  const busy = new Map<string, Busy>()
  for (const { component, event } of events) {
    const changes = replacementsOf.get(event.uid) ?? []
    if (isReplacement(event) && !changes.includes(event)) continue
    if (busy.size > MAX_BUSY_TIMES) break
    for (const { start, length } of attempt(component, () => occurrencesOf(event, changes, window)) ?? []) {
      const [startsAt, endsAt] = [start.toInstant(), start.add(length).toInstant()]
      if (!isBefore(startsAt, window.until) || !isBefore(window.from, endsAt) || !isBefore(startsAt, endsAt)) continue
      const time = { startsAt: startsAt.toString(), endsAt: endsAt.toString(), isAllDay: event.isAllDay }
      busy.set(Object.values(time).join(' '), time)
    }
  }
  const times = [...busy.values()].sort(
    (a, b) => a.startsAt.localeCompare(b.startsAt) || a.endsAt.localeCompare(b.endsAt),
  )
  return { times, unreadEvents: unread.length, firstUnread: unread.slice(0, SHOWN_UNREAD) }
}

const isBefore = (a: Temporal.Instant, b: Temporal.Instant) => a.epochMilliseconds < b.epochMilliseconds

/** The day on which an event seems to start. */
function dayOf({ lines }: Component): string | null {
  const [, year, month, day] = /^dtstart.*:(\d{4})(\d\d)(\d\d)/im.exec(lines.join('\n')) ?? []
  try {
    return Temporal.PlainDate.from(`${year}-${month}-${day}`).toString()
  } catch {
    return null
  }
}
