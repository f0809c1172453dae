import { type DateOrder, FIELDS, type Field } from '../../rules.ts'
import { dateOf, hasNumericDates, proofOf } from '../cells/dates.ts'
import { emailOf } from '../cells/emails.ts'
import { phoneOf } from '../cells/phones.ts'
import { startOf, timeOf } from '../cells/times.ts'
import { consentOf, creditsOf, isNever, isNone } from '../cells/words.ts'
import { rankOf } from './headings.ts'

/**
 * A column: its heading, which no other column has, its cells, and what the admin has chosen for it (null: nothing).
 */
export type Column = { heading: string; cells: readonly string[]; chosen: Field | null | undefined }

const isDate = (cell: string) => dateOf(cell, 'day_first') != null || dateOf(cell, 'month_first') != null
const isStart = (cell: string) => startOf(cell, 'day_first') != null || startOf(cell, 'month_first') != null
const isMoney = ({ cells }: Column) => {
  const filled = cells.filter((cell) => !isNone(cell))
  return (
    filled.some((cell) => /[£$€]/.test(cell)) ||
    (filled.length > 0 && filled.every((cell) => /^-?\d+\.\d{2}$/.test(cell)))
  )
}

/** What the cells of a field look like. Fields that are not here take any text. */
const FITS: Partial<Record<Field, (cell: string) => boolean>> = {
  name: (cell) => /\p{L}/u.test(cell) && !cell.includes('@'),
  email: (cell) => emailOf(cell) != null,
  phone: (cell) => phoneOf(cell) != null,
  credits: (cell) => creditsOf(cell) !== undefined || /^unlimited$/i.test(cell),
  expiry: (cell) => isDate(cell) || isNever(cell),
  bookingStart: isStart,
  bookingDate: (cell) => isDate(cell) && !isStart(cell),
  bookingTime: (cell) => timeOf(cell) != null,
  bookingStatus: (cell) => /\p{L}/u.test(cell),
  consent: (cell) => consentOf(cell) !== undefined,
}
/** Whether a cell can belong to a field. */
export const fits = (field: Field, cell: string): boolean => FITS[field]?.(cell) ?? true

const NEEDS_CELLS: readonly Field[] = ['bookingStart', 'bookingDate', 'bookingTime']
/** Words such as Start and Date are about classes only in a list of bookings. */
const WEAK_HEADING = /^(?:starts?|begins|time|date|day|start ?date)$/i
const ABOUT_CLASSES = /class|session|booking|appointment|event|lesson|instructor|teacher/i

/** Decides what each column is taken for, over its heading and all its cells. */
export function decideColumns(columns: readonly Column[]): (Field | null)[] {
  const taken = columns.map(({ chosen }): Field | null => chosen ?? null)
  const isFree = (i: number) => taken[i] === null && columns[i]?.chosen === undefined
  const suitable = (field: Field) =>
    columns
      .flatMap((column, i) => {
        const mayBe = isFree(i) && !(field === 'credits' && isMoney(column))
        const rank = mayBe ? rankFor(column.heading, field) : undefined
        return rank === undefined ? [] : [{ i, rank, share: shareOf(column, field) }]
      })
      .filter(({ i, share }) => share >= leastShare(field, columns[i]))
      .toSorted((a, b) => Number(b.share > 0) - Number(a.share > 0) || a.rank - b.rank || a.i - b.i)
  for (const field of FIELDS) {
    if (taken.includes(field)) continue
    const found = suitable(field)
    const best = field === 'phone' ? found.filter(({ share }, at) => at === 0 || share > 0) : found.slice(0, 1)
    for (const { i } of best) taken[i] = field
  }
  if (!taken.includes('email')) takeByCells(columns, taken, isFree)
  dropHalves(columns, taken)
  decideNames(columns, taken)
  return taken
}

/**
 * Whatever its heading is, a column is about bookings only with such cells, and about an expiry or a consent only with
 * some.
 */
function leastShare(field: Field, column: Column | undefined): number {
  if (NEEDS_CELLS.includes(field)) return 0.5
  const isFilled = column?.cells.some((cell) => !isNone(cell))
  return isFilled && (field === 'expiry' || field === 'consent') ? Number.MIN_VALUE : 0
}

/**
 * The share of the different filled cells that can belong to a field. An empty column could hold anything, but rather
 * not.
 */
function shareOf(column: Column, field: Field): number {
  const cells = [...new Set(column.cells)].filter((cell) => !isNone(cell))
  return cells.length === 0 ? 0 : cells.filter((cell) => fits(field, cell)).length / cells.length
}

function rankFor(heading: string, field: Field): number | undefined {
  if (!NEEDS_CELLS.includes(field)) return rankOf(heading, field)
  // A time alone may stand under the heading of a start, a date with a time under that of a date.
  const ranks = NEEDS_CELLS.flatMap((one) => rankOf(heading, one) ?? [])
  return ranks.length > 0 ? Math.min(...ranks) : undefined
}

/** A column without a known heading holds the email addresses if most of its cells are some. */
function takeByCells(columns: readonly Column[], taken: (Field | null)[], isFree: (i: number) => boolean): void {
  const shares = columns.map((column, i) => (isFree(i) ? shareOf(column, 'email') : 0))
  const most = Math.max(0, ...shares)
  if (most > 0.5) taken[shares.indexOf(most)] = 'email'
}

/** Dates and times of bookings count only together, the date and source of a consent only with it. */
function dropHalves(columns: readonly Column[], taken: (Field | null)[]): void {
  const drop = (...fields: Field[]) => {
    for (const [i, { chosen }] of columns.entries()) {
      const field = taken[i]
      if (field && chosen === undefined && fields.includes(field)) taken[i] = null
    }
  }
  const has = (field: Field) => taken.includes(field)
  const isWeak = columns.every(
    ({ heading, chosen }, i) =>
      chosen !== undefined || !NEEDS_CELLS.some((field) => field === taken[i]) || WEAK_HEADING.test(heading),
  )
  const isPassList = has('credits') || has('expiry')
  const isAboutClasses = columns.some(({ heading }) => ABOUT_CLASSES.test(heading))
  if (isWeak && (isPassList || !isAboutClasses)) drop(...NEEDS_CELLS)
  if (has('bookingStart') || !has('bookingDate') || !has('bookingTime')) drop('bookingDate', 'bookingTime')
  if (!has('bookingStart') && !has('bookingDate')) drop('bookingStatus')
  if (!has('consent')) drop('consentDate', 'consentSource')
}

/** Two columns for the name are better than one, and a name beside a surname is the first name. */
function decideNames(columns: readonly Column[], taken: (Field | null)[]): void {
  const [first, last, name] = (['firstName', 'lastName', 'name'] as const).map((field) => taken.indexOf(field))
  if (name === undefined || name < 0 || columns[name]?.chosen !== undefined) return
  if (first !== undefined && first >= 0 && last !== undefined && last >= 0) taken[name] = null
  else if (last !== undefined && last >= 0) taken[name] = 'firstName'
  else if (first !== undefined && first >= 0) {
    const isFull = (columns[name]?.cells ?? []).some((cell) => cell.includes(' '))
    if (!isFull) taken[name] = 'lastName'
    else if (columns[first]?.chosen === undefined) taken[first] = null
  }
}

const DATES: readonly (Field | null)[] = ['expiry', 'bookingStart', 'bookingDate', 'consentDate']

/**
 * How dates in numbers are read in each column: as most of its cells prove, otherwise as the other columns do,
 * otherwise with the day first. `notes` say where the month is first.
 *
 * @returns `asked` is null if there are no such dates
 */
export function dateOrders(
  columns: readonly Column[],
  taken: readonly (Field | null)[],
  chosen: DateOrder | undefined,
): { orders: DateOrder[]; asked: DateOrder | null; notes: string[] } {
  const proofs = columns.map(({ cells }) => proofOf(cells))
  const sum = (order: 'dayFirst' | 'monthFirst') => proofs.reduce((total, proof) => total + proof[order], 0)
  const usual = sum('monthFirst') > sum('dayFirst') ? 'month_first' : 'day_first'
  const orders = proofs.map(({ dayFirst, monthFirst }): DateOrder => {
    if (chosen) return chosen
    if (dayFirst === monthFirst) return usual
    return monthFirst > dayFirst ? 'month_first' : 'day_first'
  })
  const read = columns
    .map(({ heading, cells }, i) => ({ heading, cells, field: taken[i] ?? null, order: orders[i], proof: proofs[i] }))
    .filter(({ field, cells }) => DATES.includes(field) && hasNumericDates(cells))
  const american = read.filter(({ order }) => order === 'month_first')
  const example = [...american.map(({ proof }) => proof), ...proofs].find((proof) => proof?.example)?.example
  const order = american.length > 0 ? 'month_first' : 'day_first'
  const shown = american.map(({ heading }) => `“${heading}”`).join(' and ')
  const why = example && !chosen ? `, as ${example} shows` : ''
  return {
    orders,
    asked: read.length > 0 ? order : null,
    notes: shown ? [`${shown}: the dates are American, with the month first${why}.`] : [],
  }
}
