import { studioDate, studioTime } from '#foundation/instants.ts'
import type { DateOrder } from '../../rules.ts'
import { plainCell } from '../file/clean-text.ts'
import { isNone } from './words.ts'

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
/** 1 to 12 for a month's name or the start of one; 0 for any other word. */
const monthOf = (word: string) => MONTHS.findIndex((month) => month.startsWith(word.toLowerCase())) + 1

/** What may follow a date: a time. */
const REST = '(?:[T ,]+(?:at )?(?<rest>.*))?$'
const WEEKDAY = '^(?:[a-z]{2,9}\\.?,? )?'
const WRITTEN = [
  new RegExp(`${WEEKDAY}(?<year>\\d{4})[-/.](?<month>\\d{1,2})[-/.](?<day>\\d{1,2})${REST}`, 'i'),
  new RegExp(
    `${WEEKDAY}(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)?[ -](?<month>[a-z]{3,9})\\.?,?[ -](?<year>\\d{4}|\\d{2})${REST}`,
    'i',
  ),
  new RegExp(`${WEEKDAY}(?<month>[a-z]{3,9})\\.? (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})${REST}`, 'i'),
  /^(?<year>20\d{2})(?<month>\d{2})(?<day>\d{2})$/,
]
/** Numbers only: the order of day and month depends on the file. */
const NUMBERS = new RegExp(
  `${WEEKDAY}(?<first>\\d{1,2})([-/.])(?<second>\\d{1,2})\\2(?<year>\\d{4}|\\d{2})${REST}`,
  'i',
)

/** A day, and what the cell has after it. */
export type WrittenDate = { date: string; rest: string }

/** A date as exports and spreadsheets write it; null for an empty cell, undefined for anything else. */
export function writtenDate(cell: string, order: DateOrder): WrittenDate | null | undefined {
  if (isNone(cell)) return null
  const text = plainCell(cell)
  const numbers = NUMBERS.exec(text)?.groups
  if (numbers) {
    const { first, second, year, rest } = numbers
    const [day, month] = order === 'day_first' ? [first, second] : [second, first]
    return dayOf({ year, month, day, rest })
  }
  const parts = WRITTEN.map((format) => format.exec(text)?.groups).find((found) => found)
  return parts ? dayOf(parts) : countedDate(text)
}

/** Reads the day of a date. */
export function dateOf(cell: string, order: DateOrder): string | null | undefined {
  return writtenDate(cell, order)?.date ?? (isNone(cell) ? null : undefined)
}

const EARLIEST = 1900
const LATEST = 2199

function dayOf({ year, month, day, rest }: Record<string, string | undefined>): WrittenDate | undefined {
  try {
    const date = Temporal.PlainDate.from(
      {
        year: Number(year) + (year?.length === 2 ? 2000 : 0),
        month: Number(month) || monthOf(month ?? ''),
        day: Number(day),
      },
      { overflow: 'reject' },
    )
    return date.year < EARLIEST || date.year > LATEST ? undefined : { date: date.toString(), rest: rest?.trim() ?? '' }
  } catch {
    return undefined
  }
}

const DAY_MINUTES = 24 * 60

/** A number that stands for a date: Excel counts days since 1900, Unix seconds or milliseconds since 1970. */
function countedDate(text: string): WrittenDate | undefined {
  if (/^[2-7]\d{4}(?:\.\d+)?$/.test(text)) {
    const minutes = Math.round(Number(text) * DAY_MINUTES)
    const start = Temporal.PlainDateTime.from('1899-12-30T00:00').add({ minutes })
    return { date: start.toPlainDate().toString(), rest: timeText(start.toPlainTime().toString().slice(0, 5)) }
  }
  if (!/^[12]\d{9}(?:\d{3})?$/.test(text)) return undefined
  const instant = Temporal.Instant.fromEpochMilliseconds(Number(text.padEnd(13, '0')))
  return { date: studioDate(instant).toString(), rest: timeText(studioTime(instant)) }
}

/** Midnight is the time of a date without one. */
const timeText = (time: string) => (time === '00:00' ? '' : time)

const HAS_DATE = /\d/

/** Whether the cells prove the order of numbers: how many can only be read with the day, or the month, first. */
export function proofOf(cells: readonly string[]): {
  dayFirst: number
  monthFirst: number
  example: string | undefined
} {
  const numbers = cells.flatMap((cell) => {
    const found = HAS_DATE.test(cell) ? NUMBERS.exec(plainCell(cell))?.groups : undefined
    return found ? [{ cell, first: Number(found.first), second: Number(found.second) }] : []
  })
  const american = numbers.filter(({ first, second }) => second > 12 && second <= 31 && first <= 12)
  const british = numbers.filter(({ first, second }) => first > 12 && first <= 31 && second <= 12)
  return { dayFirst: british.length, monthFirst: american.length, example: american[0]?.cell }
}

/** Whether the cells have dates in numbers only, which could be read in either order. */
export const hasNumericDates = (cells: readonly string[]) => cells.some((cell) => NUMBERS.test(plainCell(cell)))
