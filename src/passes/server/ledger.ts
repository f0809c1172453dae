import { desc, eq } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { packages } from '#packages/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { paged } from '#platform/database/paging.ts'
import type { LedgerLine } from '../contract.ts'
import { creditLedger, passes } from '../tables.ts'

/**
 * The movements of a member's credits, the newest first.
 *
 * @param options.namesAdmins whether an admin who caused a line is named: to admins, not to members
 */
export async function ledgerOf(
  reader: Reader,
  userId: string,
  options: { limit?: number; offset?: number; namesAdmins: boolean },
): Promise<LedgerLine[]> {
  const found = reader
    .select({ line: creditLedger, package: packages.name, admin: { first: users.firstName, last: users.lastName } })
    .from(creditLedger)
    .innerJoin(passes, eq(passes.id, creditLedger.passId))
    .innerJoin(packages, eq(packages.id, passes.packageId))
    .leftJoin(users, eq(users.id, creditLedger.causedByAdmin))
    .where(eq(passes.userId, userId))
    .orderBy(desc(creditLedger.at), desc(creditLedger.id))
    .$dynamic()
  paged(found, options)
  return (await found).map(({ line, package: held, admin }) => ({
    id: line.id,
    kind: line.kind,
    credits: line.credits,
    passId: line.passId,
    package: held,
    bookingId: line.bookingId,
    class: classOf(line),
    causedBy: line.causedBy && {
      by: line.causedBy,
      name: options.namesAdmins && admin ? `${admin.first} ${admin.last}`.trim() : null,
    },
    reason: line.reason,
    at: line.at.toString(),
  }))
}

function classOf({ classTitle, classDate, classStartTime }: typeof creditLedger.$inferSelect): LedgerLine['class'] {
  if (classTitle === null || classDate === null || classStartTime === null) return null
  return { title: classTitle, date: classDate, startTime: classStartTime }
}
