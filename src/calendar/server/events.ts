import ICAL from 'ical.js'
import { RRuleTemporal } from 'rrule-temporal'
import { studio } from '#studio.ts'
import { type Component, type Property, propertiesOf, UnreadableEvent } from './calendar-text.ts'

/** A date or a local time as written. Without a zone it is in that of its event. */
type Written = { wall: Temporal.PlainDateTime; zone: string | undefined; isDate: boolean }

export type Occurrence = { start: Temporal.ZonedDateTime; length: Temporal.Duration }

export type CalendarEvent = {
  uid: string
  sequence: number
  isBusy: boolean
  isAllDay: boolean
  /** The local start in `zone`; midnight at the studio for all-day events. */
  wall: Temporal.PlainDateTime
  zone: string
  length: Temporal.Duration
  rules: Property['values']
  added: { at: Written; until: Written | Temporal.Duration | undefined }[]
  excluded: Written[]
  /** The occurrence of a series that this event replaces, perhaps with all that follow. */
  replaces: Written | undefined
  isForFollowing: boolean
}

type Window = { from: Temporal.Instant; until: Temporal.Instant }

/**
 * An event, or undefined for one that takes none of its owner's time and replaces nothing.
 *
 * @param zoneNamed finds the zone of a TZID
 * @param owners addresses of the calendar's owner, if it says them
 * @throws {UnreadableEvent | RangeError} the latter for dates that do not exist
 */
export function readEvent(
  component: Component,
  zoneNamed: (name: string) => string | undefined,
  owners: readonly string[],
): CalendarEvent | undefined {
  const properties = propertiesOf(component)
  const all = (name: string) => properties.get(name) ?? []
  const text = (name: string) => all(name)[0]?.values.map(String)[0]
  const zoneOf = ({ parameters: { tzid } }: Property) => (tzid ? zoneNamed(tzid) : undefined)
  const written = (name: string) =>
    all(name).flatMap((property) => property.values.map((value) => writtenOf(value, zoneOf(property))))

  const rules = all('rrule').flatMap(({ values }) => values)
  const replaces = rules.length === 0 ? written('recurrence-id')[0] : undefined
  const isBusy = takesTime(text) && !isDeclined(all('attendee'), owners)
  if (!isBusy && !replaces) return undefined
  if (!component.isComplete) throw new UnreadableEvent('incomplete')
  const start = written('dtstart')[0] ?? (isBusy ? undefined : replaces)
  if (!start) throw new UnreadableEvent('start')
  const zone = start.isDate ? studio.timeZone : (start.zone ?? studio.timeZone)
  const event = { wall: start.wall, zone, isAllDay: start.isDate }
  return {
    ...event,
    uid: text('uid') ?? '',
    sequence: Number(text('sequence') ?? 0),
    isBusy,
    length: lengthOf(event, written('dtend')[0] ?? durationOf(text('duration'))),
    rules,
    added: all('rdate').flatMap((property) =>
      property.values.map((value) => {
        const [at, until] = Array.isArray(value) ? value : [value]
        const end = until?.startsWith('P') ? durationOf(until) : until && writtenOf(until, zoneOf(property))
        return { at: writtenOf(at, zoneOf(property)), until: end || undefined }
      }),
    ),
    excluded: written('exdate'),
    replaces,
    isForFollowing: all('recurrence-id').some(({ parameters }) => parameters.range?.toUpperCase() === 'THISANDFUTURE'),
  }
}

function writtenOf(value: Property['values'][number], zone: string | undefined): Written {
  if (typeof value !== 'string') throw new UnreadableEvent('date')
  const text = value.replace(/:?Z?$/, '')
  const wall = Temporal.PlainDateTime.from(text.replace('T24:', 'T00:'))
  return {
    wall: text.includes('T24:') ? wall.add({ days: 1 }) : wall,
    zone: value.endsWith('Z') ? 'UTC' : zone,
    isDate: !text.includes('T'),
  }
}

const durationOf = (text: string | undefined) => (text === undefined ? undefined : Temporal.Duration.from(text))

/** Outlook says in a property of its own what is free, and sometimes nowhere else. */
function takesTime(text: (name: string) => string | undefined): boolean {
  const free = text('transp') ?? (text('x-microsoft-cdo-busystatus')?.toUpperCase() === 'FREE' ? 'TRANSPARENT' : '')
  const isOurs = new RegExp(`^\\w+-\\d+@${RegExp.escape(studio.domain)}$`, 'i').test(text('uid') ?? '')
  return !isOurs && text('status')?.toUpperCase() !== 'CANCELLED' && free.toUpperCase() !== 'TRANSPARENT'
}

/** Whether the owner declined an invitation. A calendar that does not say whose it is has one guest: its owner. */
function isDeclined(guests: readonly Property[], owners: readonly string[]): boolean {
  const declined = guests.filter(({ parameters }) => parameters.partstat?.toUpperCase() === 'DECLINED')
  if (owners.length === 0) return guests.length === 1 && declined.length === 1
  const texts = declined.flatMap(({ values, parameters }) => [...values.map(String), parameters.email ?? ''])
  return addressesIn(texts).some((address) => owners.includes(address))
}

/** The email addresses in texts, in lower case. */
export const addressesIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.toLowerCase().match(/[^\s:]+@[^\s:]+/g) ?? [])

type Anchored = Pick<CalendarEvent, 'wall' | 'zone' | 'isAllDay'>

/** An all-day event lasts a day at least. Other events without an end take no time. */
function lengthOf(event: Anchored, end: Written | Temporal.Duration | undefined): Temporal.Duration {
  const start = event.wall.toZonedDateTime(event.zone)
  const largestUnit = event.isAllDay ? 'days' : 'hours'
  const length = end && 'wall' in end ? start.until(momentOf(event, end), { largestUnit }) : end
  if (length && length.sign < 0) throw new UnreadableEvent('end')
  if (event.isAllDay && (!length || length.blank)) return Temporal.Duration.from({ days: 1 })
  return length ?? new Temporal.Duration()
}

/**
 * A date or time as a moment of an event: of an all-day event a midnight, and a date alone means the event's time that
 * day.
 */
function momentOf({ wall, zone, isAllDay }: Anchored, written: Written): Temporal.ZonedDateTime {
  if (isAllDay) return dayOf(written).toZonedDateTime(zone)
  if (written.isDate) return dayOf(written).toPlainDateTime(wall.toPlainTime()).toZonedDateTime(zone)
  return written.wall.toZonedDateTime(written.zone ?? zone).withTimeZone(zone)
}

/** Exchange writes days as midnights in its own zone; those in UTC are days at the studio. */
const dayOf = ({ wall, zone, isDate }: Written): Temporal.PlainDate =>
  isDate || zone !== 'UTC' ? wall.toPlainDate() : wall.toZonedDateTime(zone).withTimeZone(studio.timeZone).toPlainDate()

/** An event that replaces an occurrence of a series. */
export type Replacement = CalendarEvent & { replaces: Written }
export const isReplacement = (event: CalendarEvent): event is Replacement => event.replaces !== undefined

/** Replacements of the same occurrence: the latest version of each. */
export function latestVersions(replacements: readonly Replacement[]): Replacement[] {
  const keyOf = ({ uid, zone, replaces }: Replacement) =>
    `${uid} ${replaces.wall.toZonedDateTime(replaces.zone ?? zone).epochMilliseconds}`
  const inOrder = replacements.toSorted((a, b) => a.sequence - b.sequence)
  return [...new Map(inOrder.map((event) => [keyOf(event), event])).values()]
}

/**
 * The occurrences of an event that may touch a window, without those that other events replace.
 *
 * @param changes the events that replace occurrences of this series
 * @throws {UnreadableEvent | RangeError}
 */
export function occurrencesOf(event: CalendarEvent, changes: readonly Replacement[], window: Window): Occurrence[] {
  const { wall, zone, length, rules, added, excluded } = event
  const first = { start: wall.toZonedDateTime(zone), length }
  if (event.replaces || (rules.length === 0 && added.length === 0)) return event.isBusy ? [first] : []

  const moves = changes.filter(({ isForFollowing }) => isForFollowing).map((change) => moveOf(event, change))
  moves.sort((a, b) => Temporal.ZonedDateTime.compare(a.from, b.from))
  const lengths = [length, ...moves.flatMap(({ shift, change }) => [shift, change.length])]
  const days = Math.max(...lengths.map((one) => Math.abs(one.total({ unit: 'days', relativeTo: wall }))))
  const reach = { hours: 24 * Math.ceil(days + 1) }
  const starts = rules.flatMap((rule) =>
    startsBy(rule, event, { from: window.from.subtract(reach), until: window.until.add(reach) }),
  )
  const occurrences = [
    first,
    ...starts.map((start) => ({ start, length })),
    ...added.map((one) => {
      const start = momentOf(event, one.at)
      return { start, length: one.until ? lengthOf({ ...event, wall: start.toPlainDateTime() }, one.until) : length }
    }),
  ]
  const gone = [...excluded, ...changes.map(({ replaces }) => replaces)].map((one) => momentOf(event, one))
  const byStart = new Map(occurrences.map((occurrence) => [occurrence.start.epochMilliseconds, occurrence]))
  for (const { epochMilliseconds } of gone) byStart.delete(epochMilliseconds)
  return [...byStart.values()].flatMap((occurrence) => {
    const move = moves.findLast(({ from }) => Temporal.ZonedDateTime.compare(from, occurrence.start) <= 0)
    if (!move) return [occurrence]
    if (!move.change.isBusy) return []
    const start = occurrence.start.toPlainDateTime().add(move.shift).toZonedDateTime(zone)
    return [{ start, length: move.change.length }]
  })
}

/** From which occurrence on a series moves, and by how much on the clock. */
function moveOf(event: CalendarEvent, change: Replacement) {
  const from = momentOf(event, change.replaces)
  const to = change.wall.toZonedDateTime(change.zone).withTimeZone(event.zone)
  return { from, shift: from.toPlainDateTime().until(to.toPlainDateTime()), change }
}

/** Rules follow the clock on the wall: they are expanded as if in UTC, and the zone comes after. */
function startsBy(
  rule: CalendarEvent['rules'][number],
  { wall, zone, isAllDay }: Anchored,
  { from, until }: { from: Temporal.Instant; until: Temporal.Instant },
): Temporal.ZonedDateTime[] {
  if (typeof rule === 'string' || Array.isArray(rule)) throw new UnreadableEvent('rule')
  const { until: end, ...parts } = rule
  const last = end === undefined ? undefined : lastMoment({ wall, zone, isAllDay }, writtenOf(String(end), undefined))
  const rruleString = ICAL.Recur.fromData(parts).toString()
  const onTheWall = (at: Temporal.Instant) => at.toZonedDateTimeISO(zone).toPlainDateTime().toZonedDateTime('UTC')
  return expanded({ rruleString, dtstart: wall.toZonedDateTime('UTC') }, onTheWall(from), onTheWall(until))
    .map((start) => start.toPlainDateTime().toZonedDateTime(zone))
    .filter((start) => !last || Temporal.ZonedDateTime.compare(start, last) <= 0)
}

/** A rule that repeats too often for a calendar is as unreadable as a wrong one. */
function expanded(
  rule: { rruleString: string; dtstart: Temporal.ZonedDateTime },
  from: Temporal.ZonedDateTime,
  until: Temporal.ZonedDateTime,
): Temporal.ZonedDateTime[] {
  try {
    return new RRuleTemporal({ ...rule, includeDtstart: true, temporal: Temporal }).between(from, until, true)
  } catch {
    throw new UnreadableEvent('rule')
  }
}

/** A date as the end of a rule includes that day. */
const lastMoment = (event: Anchored, end: Written): Temporal.ZonedDateTime =>
  end.isDate
    ? end.wall.add({ days: 1 }).toZonedDateTime(event.zone).subtract({ milliseconds: 1 })
    : momentOf(event, end)
