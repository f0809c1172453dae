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
import { creditsOf, expiryDateOf, isFormula, MOST_CREDITS, splitName } from '../rules.ts'
import { importRows } from '../tables.ts'
import type { FileRow } from './read-file.ts'

/** What one row is about, as far as the file alone can say. */
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

/** What one row does, and with what. `fingerprint`: by which it is known again. */
export type PlannedRow = ReadRow & {
  does: ImportRow['does']
  notes: string[]
  fingerprint: Buffer
  /** Who is there already. */
  member: KnownMember | undefined
  /** Of the pass; null where credits are none. The package's id is null for the import's own. */
  pass: { packageId: number | null; packageName: string; expiresAt: Temporal.Instant } | null
}

const Email = emailAddress('')
const Name = z.string().max(255)

/** What each row of a file does, seen against what is there now; nothing is written. */
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
  const packages = await packagesBySize(reader, { hiddenToo: true })
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
    if (known.has(key)) return nothing('This row was brought over before.')
    const same = seen.get(key)
    if (same) return nothing(`The same as line ${same}.`)
    if (usernames.has(email)) return wrong('Somebody else logs in with this address as their username.')
    if (keptAddresses.has(email)) {
      return wrong(
        'This was the address of somebody who has another one since. It is kept free for them for some days.',
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
      notes.push(`They are here already as ${nameOf(member)}, and stay so.`)
    }
    if (member && pass.pass && memberIds.has(member.id))
      notes.push('Credits were brought over for them before; these come on top.')
    const does = isNew ? (pass.pass ? 'add_with_pass' : 'add') : pass.pass ? 'pass' : 'nothing'
    if (does === 'nothing' && notes.length === 0) notes.push('They are here already, and the row brings no credits.')
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
        ...([firstName, lastName].some(isFormula) ? ['The name begins like a formula.'] : []),
        ...([firstName, lastName].some(carriesLink) ? ['The name holds a web or email address.'] : []),
        ...(Name.safeParse(firstName).success && Name.safeParse(lastName).success ? [] : ['The name is too long.']),
        ...(Email.safeParse(cells.email).success
          ? []
          : [cells.email ? `“${cells.email.slice(0, 80)}” is no email address.` : 'An email address is missing.']),
        ...(phoneNumber.safeParse(cells.phone).success ? [] : [`“${cells.phone.slice(0, 80)}” is no phone number.`]),
        ...(credits === undefined
          ? [`“${cells.credits.slice(0, 80)}” is no whole number of credits up to ${MOST_CREDITS}.`]
          : []),
        ...(expiresOn === undefined
          ? [
              `“${cells.expiry.slice(0, 80)}” is no date within ten years, such as 31/12/2026, 2026-12-31 or 31 Dec 2026.`,
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

/** Names and numbers are no part of it: who corrects a name brings no credits over twice. */
function fingerprintOf({ email, packageName, credits, expiresOn }: ReadRow): Buffer {
  const said = [email.toLowerCase(), packageName.toLowerCase(), credits, expiresOn]
  return createHash('sha256').update(JSON.stringify(said)).digest()
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
    return { pass: null, notes: ['The credits have expired, so they are not brought over.'] }
  }
  const notes = [
    ...(packageName && !ours
      ? [`No package is called “${packageName.slice(0, 80)}”: the credits are of “${IMPORT_PACKAGE}”.`]
      : []),
    ...(expiresOn ? [] : [`No expiry date: they are valid for ${IMPORT_VALIDITY_MONTHS} months.`]),
  ]
  return { pass: { packageId: ours?.id ?? null, packageName: ours?.name ?? IMPORT_PACKAGE, expiresAt }, notes }
}

/** Which rows were brought over before, by fingerprint in hex, and for which of these members credits were. */
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
