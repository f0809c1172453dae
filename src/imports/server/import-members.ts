import { addMembers, holdMembers, inviteMembers, type KnownMember } from '#accounts/server/accounts.ts'
import { type AdminChange, recordAdminChanges } from '#audit/server/audit.ts'
import { defined } from '#foundation/collections.ts'
import { studioDate } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import type { TokenOf } from '#messages/server/messages.ts'
import { packageForImports } from '#packages/server/packages.ts'
import { grantPasses } from '#passes/server/passes.ts'
import { BeginAgain, onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import { type Columns, type ImportResult, type ImportRow, importRefusals } from '../contract.ts'
import { importRows, imports } from '../tables.ts'
import { type PlannedRow, planImport } from './plan-import.ts'
import { type ReadFile, readFile } from './read-file.ts'

/** Said in the ledger, to be read by the member. */
const REASON = 'Brought over from the booking system before'
/** So many wrong rows are named in a refusal; the dry run names all. */
const NAMED = 50
/** So many rows a statement. */
const A_STATEMENT = 1000

export type ImportWish = { csv: string; columns?: Columns | null; invite: boolean; leaveOutWrong: boolean }

/** What an import would do, row by row, and what is wrong; nothing is written. */
export async function dryRun(reader: Reader, wish: ImportWish, now: Temporal.Instant): Promise<ImportResult> {
  const file = readFile(wish.csv, wish.columns ?? {})
  const plan = await planImport(reader, file.rows, now)
  return { ...resultOf(file, plan, wish), dryRun: true, importId: null, rows: plan.map(toRow) }
}

/**
 * Brings over what a file says: members who are not here yet, and a pass for the credits of each row. All of it or
 * nothing; a row that was brought over before does nothing. Imported credits are gifts to the books: no revenue.
 *
 * @throws BeginAgain when somebody else brought over, registered or erased one of them meanwhile
 */
export async function importMembers(
  tx: Tx,
  admin: { id: string },
  wish: ImportWish,
  { tokenOf, now }: { tokenOf: TokenOf; now: Temporal.Instant },
): Promise<ImportResult> {
  const file = readFile(wish.csv, wish.columns ?? {})
  if (file.problems.length > 0) {
    refuse(
      importRefusals.import_unreadable,
      file.problems.map((message) => ({ path: 'csv', message })),
    )
  }
  const plan = await planImport(tx, file.rows, now)
  const wrong = plan.filter(({ does }) => does === 'wrong')
  if (wrong.length > 0 && !wish.leaveOutWrong) {
    const named = wrong.slice(0, NAMED)
    refuse(
      importRefusals.import_rows_invalid,
      named.map(({ line, notes }) => ({ path: `rows.${line}`, message: notes.join(' ') })),
    )
  }
  await holdMembers(tx, [...new Set(plan.flatMap(({ member, pass }) => (member && pass ? member.id : [])))])
  const added = await addMembers(tx, plan.filter(isNew), now)
  const ids = new Map(added.map((member) => [member.email.toLowerCase(), member.id]))
  const idOf = ({ member, email }: PlannedRow) => member?.id ?? defined(ids.get(email.toLowerCase()))
  const done = plan.filter((row) => isNew(row) || row.pass)
  const result = resultOf(file, plan, wish)
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
  const importId = done.length === 0 ? null : await keepBatch(tx, admin, result.counts, now)
  const given = passIds.values()
  await remember(
    tx,
    done.map((row) => ({
      fingerprint: row.fingerprint,
      userId: idOf(row),
      credits: row.pass ? row.credits : 0,
      importedAt: now,
      importId,
      passId: row.pass ? defined(given.next().value) : null,
      addsMember: isNew(row),
    })),
  )
  const lines = done.map((row) => changeOf(row, idOf(row)))
  for (let from = 0; from < lines.length; from += A_STATEMENT) {
    await recordAdminChanges(tx, admin, lines.slice(from, from + A_STATEMENT), now)
  }
  if (wish.invite) await inviteMembers(tx, admin, added satisfies KnownMember[], { tokenOf, now })
  return { ...result, dryRun: false, importId, rows: [] }
}

async function keepBatch(
  tx: Tx,
  admin: { id: string },
  { members, passes, credits }: ImportResult['counts'],
  now: Temporal.Instant,
): Promise<number> {
  const values = { adminId: admin.id, importedAt: now, members, passes, credits }
  return (await tx.insert(imports).values(values).returning({ id: imports.id }).then(onlyRow)).id
}

const isNew = ({ does }: PlannedRow) => does === 'add' || does === 'add_with_pass'

async function remember(tx: Tx, rows: (typeof importRows.$inferInsert)[]): Promise<void> {
  // In one order: of two who bring over the same rows neither waits for the other in a ring.
  const inOrder = rows.toSorted((a, b) => Buffer.compare(a.fingerprint, b.fingerprint))
  for (let from = 0; from < rows.length; from += A_STATEMENT) {
    const some = inOrder.slice(from, from + A_STATEMENT)
    const written = await tx
      .insert(importRows)
      .values(some)
      .onConflictDoNothing()
      .returning({ credits: importRows.credits })
    if (written.length < some.length) throw new BeginAgain('somebody else has just brought over the same rows')
  }
}

function changeOf(row: PlannedRow, id: string): AdminChange<'user'> {
  const { firstName, lastName, email, phone, pass, credits } = row
  const person = isNew(row)
    ? {
        firstName: { after: firstName },
        lastName: { after: lastName },
        email: { after: email },
        ...(phone && { phone: { after: phone } }),
      }
    : {}
  const brought = pass ? { package: { after: pass.packageName }, credits: { after: credits } } : {}
  return { action: 'imported', subject: { kind: 'user', id }, changes: { ...person, ...brought } }
}

function toRow(row: PlannedRow): ImportRow {
  const { line, email, does, pass, credits, notes } = row
  return {
    line,
    name: `${row.firstName} ${row.lastName}`.trim().slice(0, 255),
    email: email.slice(0, 255),
    does,
    credits: pass ? credits : 0,
    package: pass?.packageName ?? null,
    expiresOn: pass ? studioDate(pass.expiresAt).toString() : null,
    notes,
  }
}

function resultOf(file: ReadFile, plan: readonly PlannedRow[], { invite }: ImportWish) {
  const members = plan.filter(isNew).length
  const passes = plan.filter(({ pass }) => pass)
  return {
    headings: file.headings,
    columns: file.columns,
    problems: file.problems,
    counts: {
      members,
      passes: passes.length,
      credits: passes.reduce((sum, { credits }) => sum + credits, 0),
      nothing: plan.filter(({ does }) => does === 'nothing').length,
      wrong: plan.filter(({ does }) => does === 'wrong').length,
      invitations: invite ? members : 0,
    },
  }
}
