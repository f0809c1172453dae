import { createHash } from 'node:crypto'
import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { fullName } from '#accounts/rules.ts'
import { findByEmails, type KnownMember } from '#accounts/server/accounts.ts'
import { bookings } from '#booking/tables.ts'
import { formatDate } from '#foundation/dates.ts'
import { emailAddress, phoneNumber } from '#foundation/fields.ts'
import { endOfDay, instantAt, studioDate } from '#foundation/instants.ts'
import { carriesLink } from '#foundation/person-names.ts'
import { IMPORT_PACKAGE, IMPORT_VALIDITY_MONTHS, packagesBySize } from '#packages/server/packages.ts'
import { type DateRange, expiryOf, isPausedOn, isValidFor } from '#passes/rules.ts'
import { passes } from '#passes/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { isFull } from '#timetable/rules.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import type { ImportRow } from '../contract.ts'
import { creditsOf, expiryDateOf, isFormula, isYes, MAX_CREDITS, splitName, timeOf } from '../rules.ts'
import { importRows } from '../tables.ts'
import type { FileRow } from './read-file.ts'

/** A row as read from the file alone. */
type ReadRow = {
  line: number
  firstName: string
  lastName: string
  email: string
  phone: string
  credits: number
  expiresOn: string | null
  packageName: string
  /** The class to book. */
  booking: { date: string; startTime: string } | null
  consent: { agreedOn: string; source: string } | null
  notes: string[]
  wrong: string[]
}

/** What a row does. `fingerprint` identifies it in later imports. */
export type PlannedRow = ReadRow & {
  does: ImportRow['does']
  notes: string[]
  fingerprint: Buffer
  /** The existing member. */
  member: KnownMember | undefined
  /** Null without credits. `packageId` is null for the package of imports. */
  pass: { packageId: number | null; packageName: string; expiresAt: Temporal.Instant } | null
  /** The class that the row books. */
  books: ClassRow | null
}

const Email = emailAddress('')
const Name = z.string().max(255)

function whatRowDoes(row: { isNew: boolean; hasPass: boolean; hasBooking: boolean; hasConsent: boolean }) {
  if (row.isNew) return row.hasPass ? 'add_with_pass' : 'add'
  if (row.hasPass) return 'pass'
  if (row.hasBooking) return 'book'
  return row.hasConsent ? 'consent' : 'nothing'
}

/** Compares the rows of a file with the database. Writes nothing. */
export async function planImport(
  reader: Reader,
  rows: readonly FileRow[],
  now: Temporal.Instant,
): Promise<PlannedRow[]> {
  const read = rows.map((row) => readRow(row, studioDate(now).toString()))
  const emails = [...new Set(read.filter(({ wrong }) => wrong.length === 0).map(({ email }) => email.toLowerCase()))]
  const { found, taken, kept } = await findByEmails(reader, emails, now)
  const members = new Map(found.map((member) => [member.email.toLowerCase(), member]))
  const usernames = new Set(taken)
  const keptAddresses = new Set(kept)
  const fingerprints = read.map(fingerprintOf)
  const { known, memberIds } = await earlierRows(
    reader,
    fingerprints,
    found.map(({ id }) => id),
  )
  const packages = await packagesBySize(reader, { includeHidden: true }, now)
  const packageIds = new Map(packages.map(({ id, name }) => [name.toLowerCase(), { id, name }]))
  const findClass = await classFinder(reader, read, now)

  const problems = new Map<number, string>()
  const firstOf = new Map<string, ReadRow>()
  const seen = new Map<string, number>()
  const planRow = (row: ReadRow, i: number): PlannedRow => {
    const fingerprint = fingerprintOf(row)
    const plan = { ...row, fingerprint, member: undefined, pass: null, books: null, notes: row.wrong }
    const email = row.email.toLowerCase()
    if (row.wrong.length > 0) return { ...plan, does: 'wrong' as const }
    const wrong = (note: string) => ({ ...plan, does: 'wrong' as const, notes: [note] })
    const nothing = (...notes: string[]) => ({ ...plan, does: 'nothing' as const, notes })
    const key = fingerprints[i]?.toString('hex') ?? ''
    if (known.has(key)) return nothing('This row has already been imported.')
    const same = seen.get(key)
    if (same) return nothing(`The same as line ${same}.`)
    if (usernames.has(email)) return wrong('Another member uses this address as their username.')
    if (keptAddresses.has(email)) {
      return wrong(
        'This was the address of a member who has recently changed it. It stays reserved for them for some days.',
      )
    }
    const before = firstOf.get(email)
    if (before && fullName(before).toLowerCase() !== fullName(row).toLowerCase()) {
      return wrong(`Line ${before.line} has this address with another name.`)
    }
    seen.set(key, row.line)
    const books = row.booking && findClass(row.booking)
    if (books && 'problem' in books) return wrong(books.problem)
    const problem = problems.get(row.line)
    if (problem) return wrong(problem)
    firstOf.set(email, before ?? row)

    const member = members.get(email)
    const pass = passOf(row, packageIds, now)
    const isNew = !member && !before
    const notes = [...row.notes, ...pass.notes]
    if (member && fullName(member).toLowerCase() !== fullName(row).toLowerCase()) {
      notes.push(`They are already a member as ${fullName(member)}, and keep that name.`)
    }
    if (member && pass.pass && memberIds.has(member.id))
      notes.push('They already have imported credits. These are added.')
    const does = whatRowDoes({
      isNew,
      hasPass: pass.pass !== null,
      hasBooking: Boolean(books),
      hasConsent: Boolean(row.consent),
    })
    if (does === 'nothing' && notes.length === 0) notes.push('They are already a member, and the row has no credits.')
    return { ...plan, does, member, pass: pass.pass, books, notes }
  }
  // Without the wrong rows another row may add the member, and credits may be missing: plan again until none is wrong.
  for (;;) {
    firstOf.clear()
    seen.clear()
    const planned = read.map(planRow)
    const found = await bookingProblems(reader, planned, now)
    if (found.size === 0) return planned
    for (const [line, problem] of found) problems.set(line, problem)
  }
}

/** Finds the class that a row books, or says why it cannot be booked. */
async function classFinder(reader: Reader, rows: readonly ReadRow[], now: Temporal.Instant) {
  const dates = [...new Set(rows.flatMap(({ booking }) => booking?.date ?? []))]
  const found = dates.length
    ? await reader
        .select()
        .from(classes)
        .where(and(inArray(classes.date, dates), isNull(classes.deletedAt)))
        .orderBy(asc(classes.id))
    : []
  return ({ date, startTime }: NonNullable<ReadRow['booking']>): ClassRow | { problem: string } => {
    const when = `${formatDate(date)} at ${startTime}`
    if (Temporal.Instant.compare(instantAt(date, startTime), now) <= 0) {
      return { problem: `${when} is in the past, so it cannot be booked.` }
    }
    const atThatTime = found.filter((row) => row.date === date && row.startTime === startTime)
    const open = atThatTime.filter(({ isActive }) => isActive)
    const free = open.find((row) => !isFull(row)) ?? open[0]
    if (free) return free
    return {
      problem: atThatTime.length > 0 ? `The class on ${when} is inactive.` : `There is no class on ${when}.`,
    }
  }
}

/**
 * Why bookings could not be made, by line: no place or no credit is left, or the member is already booked. Books in the
 * order of the classes, each from the pass that expires first, as the import does.
 */
async function bookingProblems(
  reader: Reader,
  planned: readonly PlannedRow[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<number, string>> {
  const booking = bookingOrder(planned)
  const memberIds = [...new Set(booking.flatMap(({ member }) => member?.id ?? []))]
  if (booking.length === 0) return new Map()
  const held = await usablePassesOf(reader, memberIds, now)
  const taken = new Set((await bookedClassesOf(reader, memberIds)).map(({ userId, classId }) => `${userId} ${classId}`))
  const placesLeft = new Map(
    booking.map(({ books }) => [books.id, books.maxParticipants - books.bookedCount - books.heldPlaces]),
  )
  const credits = new Map<string, Source[]>()
  const add = (email: string, source: Source) => {
    const sources = [...(credits.get(email) ?? []), source]
    credits.set(
      email,
      sources.toSorted((a, b) => Temporal.Instant.compare(a.expiresAt, b.expiresAt)),
    )
  }
  for (const { id, email } of new Set(booking.flatMap(({ member }) => member ?? []))) {
    for (const pass of held) if (pass.userId === id) add(email.toLowerCase(), { ...pass, left: pass.creditsRemaining })
  }
  for (const row of planned)
    if (row.pass) add(row.email.toLowerCase(), { expiresAt: row.pass.expiresAt, paused: [], left: row.credits })

  const problems = new Map<number, string>()
  for (const row of booking) {
    const key = `${row.member?.id ?? row.email.toLowerCase()} ${row.books.id}`
    const paying = credits
      .get(row.email.toLowerCase())
      ?.find(
        (source) => source.left > 0 && isValidFor(source, row.books.startsAt) && !isPausedOn(source, row.books.date),
      )
    const places = placesLeft.get(row.books.id) ?? 0
    if (taken.has(key)) problems.set(row.line, 'They have already booked this class.')
    else if (places <= 0) problems.set(row.line, 'The class is full.')
    else if (!paying)
      problems.set(row.line, 'No credit is left that is valid on the day of the class. Import their credits too.')
    else {
      taken.add(key)
      placesLeft.set(row.books.id, places - 1)
      paying.left -= 1
    }
  }
  return problems
}

/** Credits that can pay for imported bookings. */
type Source = { expiresAt: Temporal.Instant; paused: readonly DateRange[]; left: number }
type BookingRow = PlannedRow & { books: ClassRow }
/** The rows that book, in the order in which their classes are locked. */
export const bookingOrder = (planned: readonly PlannedRow[]): BookingRow[] =>
  planned
    .filter((row): row is BookingRow => row.books !== null)
    .toSorted((a, b) => a.books.id - b.books.id || a.line - b.line)

async function usablePassesOf(reader: Reader, memberIds: readonly string[], now: Temporal.Instant) {
  if (memberIds.length === 0) return []
  return await reader
    .select({
      userId: passes.userId,
      expiresAt: passes.expiresAt,
      creditsRemaining: passes.creditsRemaining,
      paused: passes.paused,
    })
    .from(passes)
    .where(
      and(
        inArray(passes.userId, [...memberIds]),
        gt(passes.creditsRemaining, 0),
        gt(passes.expiresAt, now),
        isNull(passes.frozenAt),
        isNull(passes.refundedAt),
        isNull(passes.voidedAt),
      ),
    )
}

async function bookedClassesOf(reader: Reader, memberIds: readonly string[]) {
  if (memberIds.length === 0) return []
  return await reader
    .select({ userId: bookings.userId, classId: bookings.classId })
    .from(bookings)
    .where(and(inArray(bookings.userId, [...memberIds]), eq(bookings.status, 'confirmed')))
}

function readRow({ line, cells, wrong }: FileRow, today: string): ReadRow {
  const split = cells.firstName || cells.lastName ? cells : splitName(cells.name)
  const { firstName, lastName } = split
  const credits = creditsOf(cells.credits)
  const expiresOn = expiryDateOf(cells.expiry, today)
  const bookedOn = expiryDateOf(cells.bookingDate, today)
  const bookedAt = timeOf(cells.bookingTime)
  const consent = consentOf(cells, today)
  const faults = wrong
    ? [wrong]
    : [
        ...(firstName ? [] : ['A first name is missing.']),
        ...(lastName ? [] : ['A last name is missing.']),
        ...([firstName, lastName].some(isFormula) ? ['The name looks like a formula.'] : []),
        ...([firstName, lastName].some(carriesLink) ? ['The name contains a web or email address.'] : []),
        ...(Name.safeParse(firstName).success && Name.safeParse(lastName).success ? [] : ['The name is too long.']),
        ...(Email.safeParse(cells.email).success
          ? []
          : [cells.email ? `“${cells.email.slice(0, 80)}” is not an email address.` : 'An email address is missing.']),
        ...(phoneNumber.safeParse(cells.phone).success ? [] : [`“${cells.phone.slice(0, 80)}” is not a phone number.`]),
        ...(credits === undefined
          ? [`“${cells.credits.slice(0, 80)}” is not a whole number of credits up to ${MAX_CREDITS}.`]
          : []),
        ...(expiresOn === undefined
          ? [
              `“${cells.expiry.slice(0, 80)}” is not a date within the next ten years, such as 31/12/2026, 2026-12-31 or 31 Dec 2026.`,
            ]
          : []),
        ...(bookedOn === undefined
          ? [`“${cells.bookingDate.slice(0, 80)}” is not a date of a class, such as 31/12/2026.`]
          : []),
        ...(bookedAt === undefined ? [`“${cells.bookingTime.slice(0, 80)}” is not a time, such as 09:30.`] : []),
        ...((bookedOn === null) === (bookedAt === null) ? [] : ['A booking needs the date and the time of the class.']),
      ]
  return {
    line,
    firstName,
    lastName,
    email: cells.email.toLowerCase(),
    phone: cells.phone,
    credits: credits ?? 0,
    expiresOn: expiresOn ?? null,
    packageName: cells.package,
    booking: bookedOn && bookedAt ? { date: bookedOn, startTime: bookedAt } : null,
    consent: consent && 'agreedOn' in consent ? consent : null,
    notes: consent && 'note' in consent ? [consent.note] : [],
    wrong: faults,
  }
}

/** Consent to news counts only with its date and source, because the studio must be able to show them. */
function consentOf(
  { consent, consentDate, consentSource }: FileRow['cells'],
  today: string,
): { agreedOn: string; source: string } | { note: string } | null {
  if (!isYes(consent)) return null
  const agreedOn = expiryDateOf(consentDate, today)
  if (!agreedOn || agreedOn > today || !consentSource) {
    return { note: 'Consent to news is not imported: it needs a date, not in the future, and a source.' }
  }
  return { agreedOn, source: consentSource.slice(0, 255) }
}

/** Leaves out names and phone numbers, so that correcting them does not import credits twice. */
function fingerprintOf({ email, packageName, credits, expiresOn, booking }: ReadRow): Buffer {
  const when = booking ? [booking.date, booking.startTime] : []
  const values = [email.toLowerCase(), packageName.toLowerCase(), credits, expiresOn, ...when]
  return createHash('sha256').update(JSON.stringify(values)).digest()
}

function passOf(
  { credits, expiresOn, packageName }: ReadRow,
  packages: ReadonlyMap<string, { id: number; name: string }>,
  now: Temporal.Instant,
): { pass: PlannedRow['pass']; notes: string[] } {
  if (credits === 0) return { pass: null, notes: [] }
  const ours = packages.get(packageName.toLowerCase())
  const expiresAt = expiresOn ? endOfDay(Temporal.PlainDate.from(expiresOn)) : expiryOf(now, IMPORT_VALIDITY_MONTHS)
  if (Temporal.Instant.compare(expiresAt, now) < 0) {
    return { pass: null, notes: ['The credits have expired, so they are not imported.'] }
  }
  const notes = [
    ...(packageName && !ours
      ? [`There is no package “${packageName.slice(0, 80)}”, so the credits go to “${IMPORT_PACKAGE}”.`]
      : []),
    ...(expiresOn ? [] : [`No expiry date, so they are valid for ${IMPORT_VALIDITY_MONTHS} months.`]),
  ]
  return { pass: { packageId: ours?.id ?? null, packageName: ours?.name ?? IMPORT_PACKAGE, expiresAt }, notes }
}

/** The fingerprints (hex) of rows imported before, and the members who have imported credits. */
async function earlierRows(
  reader: Reader,
  fingerprints: readonly Buffer[],
  members: readonly string[],
): Promise<{ known: Set<string>; memberIds: Set<string> }> {
  const rows = fingerprints.length
    ? await reader
        .select({ fingerprint: importRows.fingerprint })
        .from(importRows)
        .where(inArray(importRows.fingerprint, [...fingerprints]))
    : []
  const withCredits = members.length
    ? await reader
        .selectDistinct({ userId: importRows.userId })
        .from(importRows)
        .where(and(inArray(importRows.userId, [...members]), gt(importRows.credits, 0)))
    : []
  return {
    known: new Set(rows.map(({ fingerprint }) => fingerprint.toString('hex'))),
    memberIds: new Set(withCredits.flatMap(({ userId }) => userId ?? [])),
  }
}
