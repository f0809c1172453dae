import { z } from 'zod'
import { formatDate } from '#foundation/dates.ts'
import { carriesLink } from '#foundation/person-names.ts'
import { IMPORT_VALIDITY_MONTHS } from '#packages/server/packages.ts'
import { type Field, MAX_CREDITS, MAX_YEARS } from '../../rules.ts'
import { dateOf } from '../cells/dates.ts'
import { emailOf } from '../cells/emails.ts'
import { nameOf } from '../cells/names.ts'
import { phoneOf } from '../cells/phones.ts'
import { type Start, startOf, timeOf } from '../cells/times.ts'
import { consentOf, creditsOf, isFormula, isNever, isOff } from '../cells/words.ts'
import type { FileRow } from '../file/read-file.ts'

/** A row as read from the file alone. */
export type ReadRow = {
  line: number
  firstName: string
  /** Empty for a client with one name. */
  lastName: string
  /** Null for a client with a phone number only. */
  email: string | null
  phone: string | null
  credits: number
  expiresOn: string | null
  packageName: string
  /** The class to book. */
  booking: Start | null
  consent: { agreedOn: string; source: string } | null
  /** What was left out, and why. */
  notes: string[]
  /** What else the admin should know if the row is imported. */
  hints: string[]
  /** Why the row cannot be imported. */
  wrong: string[]
}

const Name = z.string().max(255)

/** Interprets the cells of a row. Only a name and an email address or a phone number are required. */
export function readRow(row: FileRow, today: string): ReadRow {
  const notes = [...row.notes]
  const { firstName, lastName, notes: nameNotes } = nameOf(row.cells)
  const phone = phoneIn(row, notes)
  const email = emailIn(row, { phone, notes })
  const wrong = row.wrong
    ? [row.wrong]
    : [...faultsOfName(firstName, lastName), ...faultOfContact(row, { email, phone })]
  const credits = creditsIn(row, notes)
  const hints = [...nameNotes, ...unreadableIn(`${firstName}${lastName}`)]
  const expiresOn = expiryIn(row, { credits, today, notes, hints })
  return {
    line: row.line,
    firstName,
    lastName,
    email,
    phone,
    credits,
    expiresOn,
    packageName: usable(row, 'package', notes),
    booking: bookingIn(row, notes),
    consent: consentIn(row, { today, notes }),
    notes,
    hints,
    wrong,
  }
}

const quoted = (cell: string) => `“${cell.slice(0, 80)}”`

/** The cell of an optional field; empty, with a note, if it is a guess. */
function usable({ cells, guessed }: FileRow, field: Field, notes: string[]): string {
  if (!guessed.includes(field)) return cells[field]
  notes.push(`${quoted(cells[field])} is left out, because the line is broken there.`)
  return ''
}

function emailIn({ cells }: FileRow, { phone, notes }: { phone: string | null; notes: string[] }): string | null {
  const read = emailOf(cells.email)
  if (read?.note) notes.push(read.note)
  if (read === undefined && phone) notes.push(`${quoted(cells.email)} is not an email address, so it is left out.`)
  return read?.email ?? null
}

/** `4.4791E+11` is what is left of a number that Excel has shortened. */
const SHORTENED = /^\d(?:[.,]\d+)?e\+?\d+$/i

function phoneIn(row: FileRow, notes: string[]): string | null {
  const cell = usable(row, 'phone', notes)
  const read = phoneOf(cell)
  if (read?.note) notes.push(read.note)
  if (read === undefined) {
    const why = SHORTENED.test(cell) ? ': Excel has shortened it' : ''
    notes.push(`${quoted(cell)} is not a phone number${why}, so it is left out.`)
  }
  return read?.phone ?? null
}

function faultsOfName(firstName: string, lastName: string): string[] {
  const names = [firstName, lastName]
  if (!firstName) return ['A name is missing.']
  return [
    ...(names.some(isFormula) ? ['The name looks like a formula.'] : []),
    ...(names.some(carriesLink) ? ['The name contains a web or email address.'] : []),
    ...(names.every((name) => Name.safeParse(name).success) ? [] : ['The name is too long.']),
  ]
}

/** What a decoder writes for bytes that it cannot read. */
const unreadableIn = (name: string) => (name.includes('\ufffd') ? ['A letter of the name could not be read.'] : [])

function faultOfContact({ cells }: FileRow, { email, phone }: Pick<ReadRow, 'email' | 'phone'>): string[] {
  if (email || phone) return []
  if (emailOf(cells.email) === undefined) return [`${quoted(cells.email)} is not an email address.`]
  return ['An email address is missing, and there is no phone number.']
}

function creditsIn(row: FileRow, notes: string[]): number {
  const cell = usable(row, 'credits', notes)
  const credits = creditsOf(cell)
  if (credits === undefined) {
    notes.push(
      `${quoted(cell)} is not a whole number of credits up to ${MAX_CREDITS}, so none are imported. Please give them a pass.`,
    )
  }
  return credits ?? 0
}

function expiryIn(
  row: FileRow,
  { credits, today, notes, hints }: { credits: number; today: string; notes: string[]; hints: string[] },
): string | null {
  const cell = usable(row, 'expiry', notes)
  const read = isNever(cell) ? undefined : dateOf(cell, row.orders.expiry)
  const last = Temporal.PlainDate.from(today).add({ years: MAX_YEARS }).toString()
  const isBeyond = isNever(cell) || (read && read > last)
  if (credits === 0) return read ?? null
  if (isBeyond) hints.push(`${quoted(cell)}: they are valid for the longest possible time, until ${formatDate(last)}.`)
  else if (read === undefined)
    notes.push(
      `${quoted(cell)} is not a date such as 31/12/2026, so they are valid for ${IMPORT_VALIDITY_MONTHS} months.`,
    )
  else if (read === null) hints.push(`No expiry date, so they are valid for ${IMPORT_VALIDITY_MONTHS} months.`)
  return isBeyond ? last : (read ?? null)
}

function bookingIn(row: FileRow, notes: string[]): Start | null {
  const start = startIn(row, notes)
  const status = row.cells.bookingStatus
  if (!start || !isOff(status)) return start
  notes.push(`The class is not booked: its status is ${quoted(status)}.`)
  return null
}

function startIn(row: FileRow, notes: string[]): Start | null {
  const whole = usable(row, 'bookingStart', notes)
  if (whole) {
    const start = startOf(whole, row.orders.bookingStart)
    if (start === undefined) notes.push(`${quoted(whole)} is not a date with a time, so no class is booked.`)
    return start ?? null
  }
  const [day, time] = [usable(row, 'bookingDate', notes), usable(row, 'bookingTime', notes)]
  const [date, startTime] = [dateOf(day, row.orders.bookingDate), timeOf(time)]
  if (date === undefined) notes.push(`${quoted(day)} is not a date of a class, so none is booked.`)
  else if (startTime === undefined) notes.push(`${quoted(time)} is not a time, such as 09:30, so no class is booked.`)
  else if ((date === null) !== (startTime === null))
    notes.push('No class is booked: that needs the date and the time of the class.')
  return date && startTime ? { date, startTime } : null
}

/** Consent to news counts only with its date and source, because the studio must be able to show them. */
function consentIn(row: FileRow, { today, notes }: { today: string; notes: string[] }): ReadRow['consent'] {
  const cell = usable(row, 'consent', notes)
  const isGiven = consentOf(cell)
  if (isGiven === undefined) notes.push(`${quoted(cell)} is not understood as consent to news, so none is imported.`)
  if (!isGiven) return null
  const agreedOn = dateOf(usable(row, 'consentDate', notes), row.orders.consentDate)
  const source = usable(row, 'consentSource', notes)
  if (agreedOn && agreedOn <= today && source) return { agreedOn, source: source.slice(0, 255) }
  notes.push('Consent to news is not imported: it needs a date, not in the future, and a source.')
  return null
}
