import { studioDate, studioTime } from '#foundation/instants.ts'
import type { DateOrder } from '../../rules.ts'
import { plainCell } from '../file/clean-text.ts'
import { writtenDate } from './dates.ts'
import { isNone } from './words.ts'

const CLOCK =
  /^(?<hour>\d{1,2})(?:[:.h](?<minute>\d{2})(?:[:.]\d{2}(?:\.\d+)?)?)? ?(?<half>a\.?m\.?|p\.?m\.?)?(?: ?(?:hrs?|GMT|BST|UTC))?$/i
const COMPACT = /^(?<hour>\d{1,2})(?<minute>\d{2}) ?(?<half>am|pm)?(?: ?hrs?)?$/i
/** A fraction of a day, as Excel counts. */
const FRACTION = /^0?\.\d{2,}$/
const DAY_MINUTES = 24 * 60

/**
 * Reads `09:30`, `9.30 am`, `9am`, `0930` or the start of `09:30 - 10:15` as `HH:mm`. Null for an empty cell,
 * undefined for anything else.
 */
export function timeOf(cell: string): string | null | undefined {
  if (isNone(cell)) return null
  const text = plainCell(cell)
  const [start = '', end] = text.split(/ ?(?:-|\bto\b) ?/)
  if (FRACTION.test(text)) return clock(Math.round(Number(text) * DAY_MINUTES))
  const parts = (CLOCK.exec(start) ?? COMPACT.exec(start))?.groups
  if (!parts || (parts.minute === undefined && !parts.half && end === undefined)) return undefined
  const minutes = minutesOf(parts)
  // In `9:30 - 10:15 pm` only the end has its half of the day, and the start is less than twelve hours before it.
  const endParts = parts.half || !end ? undefined : CLOCK.exec(end)?.groups
  const until = endParts?.half ? minutesOf(endParts) : undefined
  const isAfternoon = minutes !== undefined && until !== undefined && minutes + DAY_MINUTES / 2 < until
  return minutes === undefined ? undefined : clock(minutes + (isAfternoon ? DAY_MINUTES / 2 : 0))
}

function minutesOf({ hour, minute, half }: Record<string, string | undefined>): number | undefined {
  const [hours, minutes] = [Number(hour), Number(minute ?? 0)]
  if (hours > 23 || minutes > 59) return undefined
  if (!half) return hours * 60 + minutes
  if (hours < 1 || hours > 12) return undefined
  return ((hours % 12) + (/^p/i.test(half) ? 12 : 0)) * 60 + minutes
}

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

export type Start = { date: string; startTime: string }

/** Reads a date with a time. Null for an empty cell; undefined for anything else, also for a date alone. */
export function startOf(cell: string, order: DateOrder): Start | null | undefined {
  if (isNone(cell)) return null
  const text = plainCell(cell)
    .replace(/^(\d{4}-\d{2}-\d{2}) (?=\d{2}:)/, '$1T')
    .replace(/ ?UTC$/, 'Z')
    .replace(/ (?=[+-]\d{2}:?\d{2}$)/, '')
  if (/T\d{2}:?\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/.test(text)) {
    try {
      const instant = Temporal.Instant.from(text)
      return { date: studioDate(instant).toString(), startTime: studioTime(instant) }
    } catch {
      return undefined
    }
  }
  const written = writtenDate(text, order)
  const startTime = written?.rest ? timeOf(written.rest) : undefined
  return written && startTime ? { date: written.date, startTime } : undefined
}
