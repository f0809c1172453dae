import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { asc, eq, inArray, sql } from 'drizzle-orm'
import { CONTACT, users } from '#accounts/tables.ts'
import { pick } from '#foundation/collections.ts'
import { refuse } from '#foundation/refusal.ts'
import { passes } from '#passes/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { CSV } from '#platform/http/serve.ts'
import { importRefusals } from '../contract.ts'
import { importRows, imports } from '../tables.ts'

const COLUMNS = [
  'First name',
  'Last name',
  'Email or phone',
  'Credits in the old system',
  'Credits imported',
  'Difference',
  'Bookings imported',
  'Credits left now',
]

/**
 * The reconciliation sheet of an import: a line per member with the credits in its file, those granted, the bookings
 * made from it, and what its passes hold now, and a last line with the totals. Erased members are in the totals only.
 */
export async function reconciliationFile(reader: Reader, id: number) {
  const [batch] = await reader.select({ id: imports.id }).from(imports).where(eq(imports.id, id))
  if (!batch) refuse(importRefusals.import_not_found)
  const rows = await reader.select().from(importRows).where(eq(importRows.importId, id))
  const held = await reader
    .select({ id: passes.id, left: passes.creditsRemaining })
    .from(passes)
    .where(
      inArray(
        passes.id,
        rows.flatMap(({ passId }) => passId ?? []),
      ),
    )
  const leftOf = new Map(held.map((pass) => [pass.id, pass.left]))
  const sumsOf = (some: typeof rows) => {
    const sum = (value: (row: (typeof rows)[number]) => number) => some.reduce((total, row) => total + value(row), 0)
    const inFile = sum((row) => row.fileCredits)
    const granted = sum(({ credits }) => credits)
    const booked = some.filter(({ bookingId }) => bookingId !== null).length
    return [inFile, granted, inFile - granted, booked, sum(({ passId }) => (passId && leftOf.get(passId)) || 0)]
  }
  const members = await reader
    .select({ ...pick(users, CONTACT), phone: users.phone })
    .from(users)
    .where(
      inArray(
        users.id,
        rows.flatMap(({ userId }) => userId ?? []),
      ),
    )
    .orderBy(asc(sql`lower(${users.lastName})`), asc(sql`lower(${users.firstName})`), asc(users.id))
  const byMember = Map.groupBy(rows, ({ userId }) => userId)
  const lines = members.map(({ id: userId, firstName, lastName, email, phone }) => [
    firstName,
    lastName,
    email ?? phone,
    ...sumsOf(byMember.get(userId) ?? []),
  ])
  const text = stringify([...lines, ['Total', '', '', ...sumsOf(rows)]], { ...CSV, header: true, columns: COLUMNS })
  return { name: `import-${id}.csv`, content: Readable.from([text]) }
}
