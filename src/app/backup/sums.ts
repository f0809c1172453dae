import { BackupRefused } from '#platform/database/backup/archive.ts'
import type { Connection } from '#platform/database/backup/catalog.ts'
import type { Finding } from '#platform/database/backup/copy-out.ts'

/** What must be equal in a backup and after its restore: a query for one number each. */
const SUMS: { readonly [what: string]: string } = {
  'credits that the ledger moved': 'select coalesce(sum(credits), 0) from credit_ledger',
  'credits left on passes': 'select coalesce(sum(credits_remaining), 0) from passes',
  'passes that their ledger lines do not explain': `
    select count(*) from passes p
    where credits_remaining <> (select coalesce(sum(credits), 0) from credit_ledger where pass_id = p.id)`,
  'pence paid for purchases': 'select coalesce(sum(amount_pence), 0) from purchases',
  'pence of them refunded': 'select coalesce(sum(refunded_pence), 0) from purchases',
  'pence of refunds that did not fail': `
    select coalesce(sum(amount_pence), 0) from refunds where status <> 'failed' and purchase_id is not null`,
  'pence of them lost in disputes': 'select coalesce(sum(lost_pence), 0) from purchases',
}

/** The sums of the credit ledger and the revenue. */
export async function sumsOf(connection: Connection): Promise<Record<string, string>> {
  const questions = Object.entries(SUMS).map(([what, question]) => `(${question})::text as "${what}"`)
  const { rows } = await connection.query<Record<string, string>>(`select ${questions.join(', ')}`)
  return rows[0] ?? {}
}

/** Compares the sums of a manifest with those of a database. */
export async function compareSums(connection: Connection, expected: Record<string, string>): Promise<Finding[]> {
  const found = await sumsOf(connection)
  return Object.entries(expected).map(([what, sum]) => ({
    what,
    expected: sum,
    found: found[what] ?? 'not known here',
  }))
}

/** @throws BackupRefused when the loaded data does not add up to the backup's sums */
export async function refuseOtherSums(connection: Connection, expected: Record<string, string>): Promise<void> {
  for (const finding of await compareSums(connection, expected)) {
    if (finding.expected === finding.found) continue
    throw new BackupRefused(
      `The restored data does not add up: ${finding.what} are ${finding.found}, but should be ${finding.expected}. Nothing was changed.`,
    )
  }
}
