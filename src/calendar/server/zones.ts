import ICAL from 'ical.js'
import { findIana } from 'windows-iana'
import { studio } from '#studio.ts'
import { type Component, textIn, timezoneOf } from './calendar-text.ts'

/** Definitions are compared with known zones once a week for a year. */
const WEEKS = 53

/**
 * Returns a function that finds the zone that a calendar means by a name: the one known by it, also behind a path or
 * from Windows; otherwise the one with the clock of the file's own definition, or the city or offset in the name.
 */
export function zoneFinder(definitions: readonly Component[], from: string): (name: string) => string | undefined {
  const defined = new Map(definitions.map((definition) => [textIn(definition, 'tzid'), definition]))
  const found = new Map<string, string | undefined>()
  return (name) => {
    if (!found.has(name)) found.set(name, zoneNamed(name, defined.get(name), from))
    return found.get(name)
  }
}

function zoneNamed(name: string, definition: Component | undefined, from: string): string | undefined {
  return (
    knownZone(name) ??
    windowsZone(name) ??
    (definition && knownZone(textIn(definition, 'x-lic-location'))) ??
    (definition && zoneLike(definition, from)) ??
    zoneOfCity(name) ??
    fixedOffset(name)
  )
}

/** `/citadel.org/20210210_1/Europe/London` ends with a known name. */
function knownZone(name: string): string | undefined {
  const parts = name.trim().replaceAll(' ', '_').split('/')
  return parts.map((_, index) => parts.slice(index).join('/')).find(isZone)
}

function isZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    return true
  } catch {
    return false
  }
}

/** `GMT Standard Time 1` and `(GMT-08:00) Pacific Time (US & Canada)` are variants of names that Windows has. */
const windowsZone = (name: string): string | undefined =>
  [name, name.replace(/\s+\d+$/, ''), name.replace(/^\([^)]*\)/, '').replace(/ Time\b.*/, ' Standard Time')]
    .flatMap((variant) => findIana(variant.trim()))
    .find(isZone)

/**
 * The studio's zone, or the first known one, whose clock shows the same as a definition's; otherwise its fixed offset.
 */
function zoneLike(definition: Component, from: string): string | undefined {
  const noon = Temporal.PlainDate.from(from).toPlainDateTime({ hour: 12 })
  const moments = Array.from({ length: WEEKS }, (_, weeks) => noon.add({ weeks }))
  const offsets = offsetsAt(moments, definition)
  const [offset] = offsets
  if (offset === undefined) return undefined
  const isLike = (zone: string) =>
    moments.every((moment, index) => moment.toZonedDateTime(zone).offsetNanoseconds === (offsets[index] ?? 0) * 1e9)
  const zone = [studio.timeZone, ...Intl.supportedValuesOf('timeZone')].find(isLike)
  return zone ?? (new Set(offsets).size === 1 ? offsetText(offset) : undefined)
}

/** A definition's offsets in seconds; none if it is empty or broken. */
function offsetsAt(moments: readonly Temporal.PlainDateTime[], definition: Component): number[] {
  if (definition.parts.length === 0) return []
  try {
    const timezone = timezoneOf(definition)
    return moments.map((moment) =>
      timezone.utcOffset(ICAL.Time.fromDateTimeString(moment.toString({ smallestUnit: 'second' }))),
    )
  } catch {
    return []
  }
}

const zoneOfCity = (name: string): string | undefined =>
  Intl.supportedValuesOf('timeZone').find((zone) => {
    const city = zone.split('/').at(-1)?.replaceAll('_', ' ') ?? ''
    return new RegExp(`\\b${RegExp.escape(city)}\\b`).test(name)
  })

/** `GMT+05:30`, `(UTC-04:00) …`, `UTC+2`. */
function fixedOffset(name: string): string | undefined {
  const [, sign, hours = '', minutes = '0'] = /(?:^|UTC|GMT)\s*([+-])(\d{1,2}):?(\d{2})?/i.exec(name) ?? []
  if (!sign || Number(hours) > 14) return undefined
  return offsetText((sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60))
}

function offsetText(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
