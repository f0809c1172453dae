import { findByEmails, findByPhones } from '#accounts/server/accounts.ts'
import { formatDate } from '#foundation/dates.ts'
import { fold } from '#foundation/fold.ts'
import { endOfDay, studioDate } from '#foundation/instants.ts'
import { IMPORT_PACKAGE, IMPORT_VALIDITY_MONTHS, packagesBySize } from '#packages/server/packages.ts'
import { expiryOf } from '#passes/rules.ts'
import type { Reader } from '#platform/database/database.ts'
import type { FileRow } from '../file/read-file.ts'
import { earlierImports, fingerprintOf } from './earlier-imports.ts'
import { findPeople } from './people.ts'
import { bookingProblems, classFinder } from './plan-bookings.ts'
import { doing, type PlannedRow } from './planned-row.ts'
import { type ReadRow, readRow } from './read-row.ts'

/** Compares the rows of a file with the database. Writes nothing. */
export async function planImport(
  reader: Reader,
  rows: readonly FileRow[],
  now: Temporal.Instant,
): Promise<PlannedRow[]> {
  const read = rows.map((row) => readRow(row, studioDate(now).toString()))
  const right = read.filter(({ wrong }) => wrong.length === 0)
  const known = await findByEmails(reader, [...new Set(right.flatMap(({ email }) => email ?? []))], now)
  const byPhone = await findByPhones(reader, [...new Set(right.flatMap(({ phone }) => phone ?? []))])
  const personOf = findPeople({ ...known, byPhone })
  const memberIds = [...known.found, ...byPhone].map(({ id }) => id)
  const earlier = await earlierImports(reader, right, memberIds)
  const packages = await packagesBySize(reader, { includeHidden: true }, now)
  const packageIds = new Map(packages.map(({ id, name }) => [fold(name), { id, name }]))
  const findClass = await classFinder(
    reader,
    right.flatMap(({ booking }) => booking ?? []),
    now,
  )

  const notBooked = new Map<number, string>()
  const firstOf = new Map<string, ReadRow>()
  const seen = new Map<string, number>()
  const planRow = (row: ReadRow): PlannedRow => {
    const none = { ...row, person: '', fingerprint: Buffer.of(), member: undefined, pass: null, books: null }
    const wrong = (...notes: string[]) => ({ ...none, does: 'wrong' as const, notes })
    if (row.wrong.length > 0) return wrong(...row.wrong, ...row.notes)
    const person = personOf(row, firstOf)
    if ('wrong' in person) return wrong(person.wrong)

    const found = row.booking && findClass(row.booking)
    const problem = notBooked.get(row.line) ?? (found && 'problem' in found ? found.problem : undefined)
    const books = problem || !found || 'problem' in found ? null : found
    // What cannot be booked now can be imported later, so the row counts as one without a booking.
    const fingerprint = fingerprintOf(row, person.key, books && row.booking)
    const { email, member } = person
    const plan = { ...none, email, member, person: person.key, fingerprint, books }
    const nothing = (...notes: string[]) => ({ ...plan, does: 'nothing' as const, books: null, notes })
    if (earlier.has(row, person.key, row.booking)) return nothing('This row has already been imported.')
    const areCreditsKnown = earlier.has(row, person.key, null)
    const why = problem ? [problem] : []
    if (areCreditsKnown && !books) return nothing('This row has already been imported.', ...why)
    const same = seen.get(fingerprint.toString('hex'))
    if (same) return nothing(`The same as line ${same}.`, ...why)
    seen.set(fingerprint.toString('hex'), row.line)

    const isNew = !member && !firstOf.has(person.key)
    if (!firstOf.has(person.key)) firstOf.set(person.key, row)
    const { pass, notes: passNotes } = areCreditsKnown
      ? { pass: null, notes: ['The credits of this row have already been imported.'] }
      : passOf(row, packageIds, now)
    const notes = [...row.notes, ...row.hints, ...person.notes, ...why, ...passNotes]
    if (isNew && email === null && row.email === null) notes.push('There is no email address, so they cannot sign in.')
    if (member && pass && earlier.hasCredits(member.id))
      notes.push('They already have imported credits. These are added.')
    const does = doing({ isNew, pass, books, consent: row.consent })
    if (does === 'nothing' && notes.length === 0) notes.push('They are already a member, and the row has no credits.')
    return { ...plan, does, pass, notes }
  }
  // A booking that cannot be made may have kept a place or a credit from another: plan again until all can be made.
  for (;;) {
    firstOf.clear()
    seen.clear()
    const planned = read.map(planRow)
    const problems = await bookingProblems(reader, planned, now)
    if (problems.size === 0) return planned
    for (const [line, problem] of problems) notBooked.set(line, problem)
  }
}

function passOf(
  { credits, expiresOn, packageName }: ReadRow,
  packages: ReadonlyMap<string, { id: number; name: string }>,
  now: Temporal.Instant,
): { pass: PlannedRow['pass']; notes: string[] } {
  if (credits === 0) return { pass: null, notes: [] }
  const ours = packages.get(fold(packageName))
  const expiresAt = expiresOn ? endOfDay(Temporal.PlainDate.from(expiresOn)) : expiryOf(now, IMPORT_VALIDITY_MONTHS)
  if (expiresOn && Temporal.Instant.compare(expiresAt, now) < 0) {
    return { pass: null, notes: [`The credits have expired on ${formatDate(expiresOn)}, so they are not imported.`] }
  }
  const notes =
    packageName && !ours
      ? [`There is no package “${packageName.slice(0, 80)}”, so the credits go to “${IMPORT_PACKAGE}”.`]
      : []
  return { pass: { packageId: ours?.id ?? null, packageName: ours?.name ?? IMPORT_PACKAGE, expiresAt }, notes }
}
