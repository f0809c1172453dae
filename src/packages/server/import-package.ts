import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { onlyRow } from '#platform/database/only-row.ts'
import { type PackageRow, packages } from '../tables.ts'

/** What the import's own package is called until the owner says otherwise. */
export const IMPORT_PACKAGE = 'Brought over'
/** Months for which credits are valid whose file says no day; ours. */
export const IMPORT_VALIDITY_MONTHS = 12

/** The hidden package that imported credits are of; made where there is none. */
export async function packageForImports(tx: Tx, now: Temporal.Instant): Promise<PackageRow> {
  const values = {
    name: IMPORT_PACKAGE,
    description: 'Credits that members brought along from the booking system before.',
    pricePence: 0,
    classCount: 1,
    validityMonths: IMPORT_VALIDITY_MONTHS,
    maxParticipants: 2,
    isLimitedOffer: false,
    purchaseOncePerUser: false,
    isActive: false,
    isForImports: true,
    createdAt: now,
    updatedAt: now,
  }
  await tx.insert(packages).values(values).onConflictDoNothing()
  return await tx
    .select()
    .from(packages)
    .where(and(eq(packages.isForImports, true), isNull(packages.deletedAt)))
    .then(onlyRow)
}
