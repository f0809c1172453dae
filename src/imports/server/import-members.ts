import { fullName } from '#accounts/rules.ts'
import { addMembers, inviteMembers, type KnownMember, lockMembers } from '#accounts/server/accounts.ts'
import { type AdminChange, recordAdminChanges } from '#audit/server/audit.ts'
import { WAYS_IN } from '#booking/rules-places.ts'
import { describeClass, takePlaces } from '#booking/server/booking.ts'
import { defined } from '#foundation/collections.ts'
import { instantAt, studioDate } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import { recordMarketingConsent } from '#mailings/server/mailings.ts'
import type { TokenOf } from '#messages/server/messages.ts'
import { packageForImports } from '#packages/server/packages.ts'
import { grantPasses, lockPassesOf } from '#passes/server/passes.ts'
import { onlyRow, type Reader, RetryTransaction, type Tx } from '#platform/database/database.ts'
import { classesForUpdate, classForUpdate } from '#timetable/server/timetable.ts'
import { type ImportResult, type ImportRow, importRefusals } from '../contract.ts'
import { importRows, imports } from '../tables.ts'
import { type Corrections, type ReadFile, readFile } from './file/read-file.ts'
import { planImport } from './plan/plan-import.ts'
import { bookingOrder, changes, isNew, type PlannedRow } from './plan/planned-row.ts'

/** In the ledger, where members read it. */
const REASON = 'Imported from the previous booking system'
/** Errors listed in a refusal; a dry run lists all. */
const MAX_ERRORS = 50
const ROWS_PER_STATEMENT = 1000

export type ImportRequest = Corrections & { csv: string; invite: boolean; leaveOutWrong: boolean }

/** Reports what an import would do, row by row, without writing anything. */
export async function dryRun(reader: Reader, request: ImportRequest, now: Temporal.Instant): Promise<ImportResult> {
  const file = readFile(request.csv, request)
  const plan = await planImport(reader, file.rows, now)
  return { ...resultOf(file, plan, request), dryRun: true, importId: null, rows: plan.map(toRow) }
}

/**
 * Imports a file, all or nothing: adds new members, and a pass for the credits of each row. A row that was imported
 * before does nothing. Imported credits count as gifts, not as revenue.
 *
 * @throws RetryTransaction when a concurrent request imported, registered or erased one of the members
 */
export async function importMembers(
  tx: Tx,
  admin: { id: string },
  request: ImportRequest,
  { tokenOf, now }: { tokenOf: TokenOf; now: Temporal.Instant },
): Promise<ImportResult> {
  const file = readFile(request.csv, request)
  if (file.problems.length > 0) {
    refuse(
      importRefusals.import_unreadable,
      file.problems.map((message) => ({ path: 'csv', message })),
    )
  }
  const plan = await planImport(tx, file.rows, now)
  const wrong = plan.filter(({ does }) => does === 'wrong')
  if (wrong.length > 0 && !request.leaveOutWrong) {
    const shown = wrong.slice(0, MAX_ERRORS)
    refuse(
      importRefusals.import_rows_invalid,
      shown.map(({ line, notes }) => ({ path: `rows.${line}`, message: notes.join(' ') })),
    )
  }
  const booking = bookingOrder(plan)
  await classesForUpdate(tx, [...new Set(booking.map(({ books }) => books.id))])
  await lockPassesOf(tx, [...new Set(booking.flatMap(({ member }) => member?.id ?? []))])
  await lockMembers(tx, [...new Set(plan.flatMap((row) => (row.member && changes(row) ? row.member.id : [])))])
  const adding = plan.filter(isNew)
  const added = await addMembers(tx, adding, now)
  const ids = new Map(adding.map(({ person }, i) => [person, defined(added[i]).id]))
  const idOf = ({ member, person }: PlannedRow) => member?.id ?? defined(ids.get(person))
  const done = plan.filter((row) => isNew(row) || changes(row))
  const result = resultOf(file, plan, request)
  if (done.length === 0) return { ...result, dryRun: false, importId: null, rows: [] }
  const own = done.some(({ pass }) => pass && pass.packageId === null) ? await packageForImports(tx, now) : undefined
  const grants = done.flatMap((row) =>
    row.pass
      ? [
          {
            userId: idOf(row),
            packageId: row.pass.packageId ?? defined(own).id,
            credits: row.credits,
            expiresAt: row.pass.expiresAt,
          },
        ]
      : [],
  )
  const passIds = await grantPasses(tx, grants, { giftedBy: { by: 'admin', id: admin.id }, reason: REASON }, now)
  const booked = await bookAll(tx, admin, booking, { idOf, now })
  const consentsBefore = new Map<PlannedRow, Awaited<ReturnType<typeof recordMarketingConsent>>>()
  for (const row of done) {
    if (!row.consent) continue
    const consent = { userId: idOf(row), ...consentToRecord(row.consent) }
    consentsBefore.set(row, await recordMarketingConsent(tx, consent, now))
  }
  const importId = await insertBatch(tx, admin, result.counts, now)
  const given = passIds.values()
  await insertRows(
    tx,
    done.map((row) => ({
      fingerprint: row.fingerprint,
      userId: idOf(row),
      credits: row.pass ? row.credits : 0,
      importedAt: now,
      importId,
      passId: row.pass ? defined(given.next().value) : null,
      addsMember: isNew(row),
      fileCredits: row.credits,
      bookingId: booked.get(row) ?? null,
      consentBefore: consentsBefore.get(row) ?? null,
    })),
  )
  const lines = done.map((row) => changeOf(row, idOf(row)))
  for (let from = 0; from < lines.length; from += ROWS_PER_STATEMENT) {
    await recordAdminChanges(tx, admin, lines.slice(from, from + ROWS_PER_STATEMENT), now)
  }
  if (request.invite) await inviteMembers(tx, admin, added.filter(hasAddress), { tokenOf, now })
  return { ...result, dryRun: false, importId, rows: [] }
}

const hasAddress = (member: KnownMember): member is KnownMember & { email: string } => member.email !== null

async function insertBatch(
  tx: Tx,
  admin: { id: string },
  { members, passes, credits, bookings }: ImportResult['counts'],
  now: Temporal.Instant,
): Promise<number> {
  const values = { adminId: admin.id, importedAt: now, members, passes, credits, bookings }
  return (await tx.insert(imports).values(values).returning({ id: imports.id }).then(onlyRow)).id
}

/** Books the (locked) classes of the rows. Nobody is emailed now. Health information may be missing, as at the desk. */
async function bookAll(
  tx: Tx,
  admin: { id: string },
  rows: ReturnType<typeof bookingOrder>,
  { idOf, now }: { idOf: (row: PlannedRow) => string; now: Temporal.Instant },
): Promise<Map<PlannedRow, number>> {
  const booked = new Map<PlannedRow, number>()
  for (const row of rows) {
    const studioClass = defined(await classForUpdate(tx, row.books.id))
    const cause = { causedBy: { by: 'admin' as const, id: admin.id }, reason: REASON, now }
    const [taken] = await takePlaces(tx, [{ studioClass, holder: { id: idOf(row) } }], WAYS_IN.import, cause)
    if (taken && 'place' in taken) booked.set(row, taken.place.id)
    else {
      const message = taken?.refusal.message ?? ''
      refuse(importRefusals.import_rows_invalid, [{ path: `rows.${row.line}`, message }])
    }
  }
  return booked
}

/** The file has only the day. Its start counts, so that an objection on the same day is the later one. */
const consentToRecord = ({ agreedOn, source }: NonNullable<PlannedRow['consent']>) => ({
  agreedAt: instantAt(agreedOn, '00:00'),
  source: 'import' as const,
  note: source,
})

async function insertRows(tx: Tx, rows: (typeof importRows.$inferInsert)[]): Promise<void> {
  // In one order, so that concurrent imports cannot deadlock.
  const inOrder = rows.toSorted((a, b) => Buffer.compare(a.fingerprint, b.fingerprint))
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const some = inOrder.slice(from, from + ROWS_PER_STATEMENT)
    const written = await tx
      .insert(importRows)
      .values(some)
      .onConflictDoNothing()
      .returning({ credits: importRows.credits })
    if (written.length < some.length) throw new RetryTransaction('the same rows have just been imported')
  }
}

function changeOf(row: PlannedRow, id: string): AdminChange<'user'> {
  const { firstName, lastName, email, phone, pass, credits } = row
  const person = isNew(row)
    ? {
        firstName: { after: firstName },
        lastName: { after: lastName },
        ...(email && { email: { after: email } }),
        ...(phone && { phone: { after: phone } }),
      }
    : {}
  const granted = pass ? { package: { after: pass.packageName }, credits: { after: credits } } : {}
  const booked = row.books ? { class: { after: describeClass(row.books) } } : {}
  return { action: 'imported', subject: { kind: 'user', id }, changes: { ...person, ...granted, ...booked } }
}

function toRow(row: PlannedRow): ImportRow {
  const { line, email, phone, does, pass, credits, notes } = row
  return {
    line,
    name: fullName(row).slice(0, 255),
    email,
    phone: phone?.slice(0, 255) ?? null,
    does,
    credits: pass ? credits : 0,
    package: pass?.packageName ?? null,
    expiresOn: pass ? studioDate(pass.expiresAt).toString() : null,
    books: row.books && { title: row.books.title, date: row.books.date, startTime: row.books.startTime },
    consentSince: does === 'wrong' || does === 'nothing' ? null : (row.consent?.agreedOn ?? null),
    notes,
  }
}

function resultOf(file: ReadFile, plan: readonly PlannedRow[], { invite }: ImportRequest) {
  const members = plan.filter(isNew).length
  const passes = plan.filter(({ pass }) => pass)
  return {
    columns: file.columns,
    dateOrder: file.dateOrder,
    notes: file.notes,
    problems: file.problems,
    counts: {
      members,
      known: plan.filter((row) => !isNew(row) && row.does !== 'wrong').length,
      passes: passes.length,
      credits: passes.reduce((sum, { credits }) => sum + credits, 0),
      bookings: plan.filter(({ books }) => books).length,
      consents: plan.filter(({ consent, does }) => consent && does !== 'wrong' && does !== 'nothing').length,
      nothing: plan.filter(({ does }) => does === 'nothing').length,
      wrong: plan.filter(({ does }) => does === 'wrong').length,
      toCheck: plan.filter(({ does, notes }) => does !== 'wrong' && does !== 'nothing' && notes.length > 0).length,
      invitations: invite ? plan.filter((row) => isNew(row) && row.email !== null).length : 0,
    },
  }
}
