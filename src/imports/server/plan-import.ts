import { createHash } from 'node:crypto'
import { and, gt, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { findByEmails, type KnownMember } from '#accounts/server/accounts.ts'
import { emailAddress, phoneNumber } from '#foundation/fields.ts'
import { endOfDay, studioDate } from '#foundation/instants.ts'
import { carriesLink } from '#foundation/person-names.ts'
import { IMPORT_PACKAGE, IMPORT_VALIDITY_MONTHS, packagesBySize } from '#packages/server/packages.ts'
import { expiryOf } from '#passes/rules.ts'
import type { Reader } from '#platform/database/database.ts'
import type { ImportRow } from '../contract.ts'
import { creditsOf, expiryDateOf, isFormula, MAX_CREDITS, splitName } from '../rules.ts'
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
}

const Email = emailAddress('')
const Name = z.string().max(255)

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
  const firstOf = new Map<string, ReadRow>()
  const seen = new Map<string, number>()

  return read.map((row, i) => {
    const fingerprint = fingerprintOf(row)
    const plan = { ...row, fingerprint, member: undefined, pass: null, notes: row.wrong }
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
    if (before && nameOf(before).toLowerCase() !== nameOf(row).toLowerCase()) {
      return wrong(`Line ${before.line} has this address with another name.`)
    }
    firstOf.set(email, before ?? row)
    seen.set(key, row.line)

    const member = members.get(email)
    const pass = passOf(row, packageIds, now)
    const isNew = !member && !before
    const notes = [...pass.notes]
    if (member && nameOf(member).toLowerCase() !== nameOf(row).toLowerCase()) {
      notes.push(`They are already a member as ${nameOf(member)}, and keep that name.`)
    }
    if (member && pass.pass && memberIds.has(member.id))
      notes.push('They already have imported credits. These are added.')
    const does = isNew ? (pass.pass ? 'add_with_pass' : 'add') : pass.pass ? 'pass' : 'nothing'
    if (does === 'nothing' && notes.length === 0) notes.push('They are already a member, and the row has no credits.')
    return { ...plan, does: does as ImportRow['does'], member, pass: pass.pass, notes }
  })
}

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`.trim()

function readRow({ line, cells, wrong }: FileRow, today: string): ReadRow {
  const split = cells.firstName || cells.lastName ? cells : splitName(cells.name)
  const { firstName, lastName } = split
  const credits = creditsOf(cells.credits)
  const expiresOn = expiryDateOf(cells.expiry, today)
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
      ]
  return {
    line,
    firstName,
    lastName,
    email: cells.email,
    phone: cells.phone,
    credits: credits ?? 0,
    expiresOn: expiresOn ?? null,
    packageName: cells.package,
    wrong: faults,
  }
}

/** Leaves out names and phone numbers, so that correcting them does not import credits twice. */
function fingerprintOf({ email, packageName, credits, expiresOn }: ReadRow): Buffer {
  const values = [email.toLowerCase(), packageName.toLowerCase(), credits, expiresOn]
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
