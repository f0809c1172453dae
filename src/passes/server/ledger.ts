import { desc, eq } from 'drizzle-orm'
import { packages } from '../../packages/tables.ts'
import type { Reader } from '../../server/database/database.ts'
import type { LedgerLine } from '../contract.ts'
import { creditLedger, passes } from '../tables.ts'

/** The movements of a member's credits, the newest first. */
export async function ledgerOf(reader: Reader, userId: string, limit: number): Promise<LedgerLine[]> {
  const rows = await reader
    .select({ line: creditLedger, package: packages.name })
    .from(creditLedger)
    .innerJoin(passes, eq(passes.id, creditLedger.passId))
    .innerJoin(packages, eq(packages.id, passes.packageId))
    .where(eq(passes.userId, userId))
    .orderBy(desc(creditLedger.id))
    .limit(limit)
  return rows.map(({ line, package: held }) => {
    const { id, kind, credits, reason } = line
    return { id, kind, credits, package: held, reason, at: line.at.toString() }
  })
}
