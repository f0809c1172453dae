import { type DateOrder, FIELDS, type Field, MAX_ROWS, missingColumns } from '../../rules.ts'
import { isMobile, phoneOf } from '../cells/phones.ts'
import { isNone } from '../cells/words.ts'
import { cleanCell, cleanText } from './clean-text.ts'
import { dateOrders, decideColumns } from './decide-columns.ts'
import { findTable } from './find-table.ts'
import { fitRow } from './fit-row.ts'
import type { ParsedRecord } from './parse-csv.ts'

/** What the admin has corrected: what columns are taken for, by their headings, and how dates are read. */
export type Corrections = { columns?: Record<string, Field | null> | null; dateOrder?: DateOrder | null }

export type FileColumn = { heading: string; samples: string[]; takenFor: Field | null }
export type FileRow = {
  /** Where the row starts in the file. */
  line: number
  cells: Record<Field, string>
  /** How the date of a field is read. */
  orders: Record<Field, DateOrder>
  /** Fields whose cells are a guess. */
  guessed: readonly Field[]
  notes: readonly string[]
  /** Why the row cannot be read. */
  wrong?: string
}
export type ReadFile = {
  columns: FileColumn[]
  /** Null without dates in numbers only. */
  dateOrder: DateOrder | null
  /** What was left out or decided for the whole file. */
  notes: string[]
  /** Errors of the file as a whole. */
  problems: string[]
  rows: FileRow[]
}

const SAMPLES = 3
const SAMPLE_LENGTH = 60

/** Reads a CSV file of members. */
export function readFile(csv: string, { columns: chosen, dateOrder }: Corrections = {}): ReadFile {
  const { text, separator } = cleanText(csv)
  const { headings, body, notes } = findTable(text, separator)
  const records = body.map(({ cells, ...record }) => ({ ...record, cells: cells.map(cleanCell) }))
  const isEmpty = headings.length === 0
  const columns = headings.map((heading, i) => ({
    heading,
    cells: records.map(({ cells }) => cells[i] ?? ''),
    chosen: chosen && Object.hasOwn(chosen, heading) ? chosen[heading] : undefined,
  }))
  const taken = decideColumns(columns)
  const dates = dateOrders(columns, taken, dateOrder ?? undefined)
  const problems = isEmpty ? ['This file is empty.'] : missingColumns(taken)
  if (!isEmpty && body.length === 0) problems.push('There are no rows below the headings.')
  if (body.length > MAX_ROWS)
    problems.push(`Please split the file: at most ${MAX_ROWS.toLocaleString('en-GB')} rows can be imported at once.`)
  const layout = { headings, taken, orders: dates.orders }
  return {
    columns: columns.map(({ heading, cells }, i) => ({
      heading,
      samples: samplesOf(cells),
      takenFor: taken[i] ?? null,
    })),
    dateOrder: dates.asked,
    notes: [...notes, ...dates.notes, ...phoneNotes(headings, taken)],
    problems,
    rows: problems.length > 0 ? [] : records.map((record) => rowOf(record, layout)),
  }
}

const samplesOf = (cells: readonly string[]) =>
  [...new Set(cells.filter((cell) => cell !== ''))].slice(0, SAMPLES).map((cell) => cell.slice(0, SAMPLE_LENGTH))

function phoneNotes(headings: readonly string[], taken: readonly (Field | null)[]): string[] {
  const phones = headings.filter((_, i) => taken[i] === 'phone')
  if (phones.length < 2) return []
  return [`Members have one phone number: the first mobile number in ${phones.join(', ')}, otherwise the first number.`]
}

type Layout = { headings: readonly string[]; taken: readonly (Field | null)[]; orders: readonly DateOrder[] }

const BROKEN = 'This line has a quotation mark in the wrong place.'
const TOO_LONG = 'This line has more cells than headings. Is there a comma in a name?'
const MORE_CELLS = 'This line has more cells than headings. Please check it.'
const REQUIRED: readonly Field[] = ['firstName', 'lastName', 'email']

function rowOf({ cells, line, isGuess }: ParsedRecord, { headings, taken, orders }: Layout): FileRow {
  const used = cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)
  const isTooLong = used.length > headings.length
  const fitted = isTooLong ? fitRow(used, taken) : undefined
  const own = fitted?.cells ?? cells
  const best = FIELDS.map((field) => ({ field, ...bestCell(field, own, taken) }))
  const cellOf = Object.fromEntries(best.map(({ field, cell = '' }) => [field, cell])) as FileRow['cells']
  const order = (at: number | undefined) => orders[at ?? -1] ?? 'day_first'
  const broken = isGuess ? FIELDS.filter((field) => isBroken(cellOf[field])) : []
  const joined = fitted ? taken[fitted.joined] : null
  const guessed = [...broken, ...(joined && joined !== 'name' ? [joined] : [])]
  const isUnclear = (isTooLong && !fitted) || (joined && REQUIRED.includes(joined))
  const isNameBroken = broken.some((field) => field === 'name' || REQUIRED.includes(field))
  const wrong = (isUnclear && TOO_LONG) || (isNameBroken && BROKEN)
  return {
    line,
    cells: cellOf,
    orders: Object.fromEntries(best.map(({ field, at }) => [field, order(at)])) as FileRow['orders'],
    guessed,
    notes: fitted && !wrong ? [MORE_CELLS] : [],
    ...(wrong && { wrong }),
  }
}

/** The cell of a field: of several columns the first one that is filled; of phone numbers rather a mobile one. */
function bestCell(field: Field, cells: readonly string[], taken: readonly (Field | null)[]) {
  const own = taken.flatMap((one, at) => (one === field ? [{ at, cell: cells[at] ?? '' }] : []))
  const filled = own.filter(({ cell }) => !isNone(cell))
  const mobile =
    field === 'phone' && filled.length > 1 ? filled.find(({ cell }) => isMobile(phoneOf(cell)?.phone ?? '')) : undefined
  return mobile ?? filled[0] ?? own[0]
}

/** Whether a cell has a quotation mark that does not belong to a pair within it, such as in Ann "Annie" Holm. */
const isBroken = (cell: string) => cell.startsWith('"') || cell.split('"').length % 2 === 0
