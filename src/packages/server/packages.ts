import { and, asc, eq, ilike, isNull, not } from 'drizzle-orm'
import { toPence, toPounds } from '../../foundation/money.ts'
import { refuse } from '../../foundation/refusal.ts'
import type { Reader, Tx } from '../../server/database/database.ts'
import { likePattern } from '../../server/database/like-pattern.ts'
import { type Package, type PackageForm, packageRefusals } from '../contract.ts'
import { type PackageRow, packages } from '../tables.ts'

/** A package as the wire knows one. */
export function toPackage(row: PackageRow): Package {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    price: toPounds(row.pricePence),
    classCount: row.classCount,
    validityMonths: row.validityMonths,
    maxParticipants: row.maxParticipants,
    isLimitedOffer: row.isLimitedOffer,
    purchaseOncePerUser: row.purchaseOncePerUser,
    isActive: row.isActive,
    createdAt: row.createdAt.toString(),
    updatedAt: row.updatedAt.toString(),
  }
}

/** Packages by size, the smallest first; without `hiddenToo` only those on sale. */
export async function packagesBySize(
  reader: Reader,
  options: { hiddenToo: boolean; search?: string; limit?: number; offset?: number },
): Promise<PackageRow[]> {
  const rows = reader
    .select()
    .from(packages)
    .where(
      and(
        isNull(packages.deletedAt),
        options.hiddenToo ? undefined : eq(packages.isActive, true),
        options.search ? ilike(packages.name, likePattern(options.search)) : undefined,
      ),
    )
    .orderBy(asc(packages.classCount), asc(packages.pricePence), asc(packages.id))
    .$dynamic()
  if (options.limit !== undefined) rows.limit(options.limit)
  if (options.offset !== undefined) rows.offset(options.offset)
  return await rows
}

/** A package that is not deleted, hidden or not. */
export async function findPackage(reader: Reader, id: number): Promise<PackageRow | undefined> {
  const [row] = await reader
    .select()
    .from(packages)
    .where(and(eq(packages.id, id), isNull(packages.deletedAt)))
  return row
}

/** A package for a pass or purchase that refers to it, even a deleted one. */
export async function packageOnRecord(reader: Reader, id: number): Promise<PackageRow> {
  const [row] = await reader.select().from(packages).where(eq(packages.id, id))
  return row ?? refuse(packageRefusals.package_not_found)
}

/** Puts a new package on sale. */
export async function createPackage(tx: Tx, form: PackageForm, now: Temporal.Instant): Promise<PackageRow> {
  const { price, description, ...rest } = form
  const [row] = await tx
    .insert(packages)
    .values({ ...rest, description: description || null, pricePence: toPence(price), createdAt: now, updatedAt: now })
    .returning()
  return row as PackageRow
}

/** Changes what is given. Passes already held keep what was bought. */
export async function editPackage(
  tx: Tx,
  id: number,
  edit: Partial<PackageForm>,
  now: Temporal.Instant,
): Promise<PackageRow> {
  const { price, description, ...rest } = edit
  return await change(tx, id, {
    ...rest,
    description: description === undefined ? undefined : description || null,
    pricePence: price === undefined ? undefined : toPence(price),
    updatedAt: now,
  })
}

/** Hides a shown package, shows a hidden one. */
export async function togglePackageVisibility(tx: Tx, id: number, now: Temporal.Instant): Promise<PackageRow> {
  return await change(tx, id, { isActive: not(packages.isActive), updatedAt: now })
}

/** Takes a package out of every list; it stays on record for passes and purchases. */
export async function deletePackage(tx: Tx, id: number, now: Temporal.Instant): Promise<void> {
  await change(tx, id, { deletedAt: now, isActive: false, updatedAt: now })
}

type Change = Parameters<ReturnType<Tx['update']>['set']>[0]
async function change(tx: Tx, id: number, values: Change): Promise<PackageRow> {
  const [row] = await tx
    .update(packages)
    .set(values)
    .where(and(eq(packages.id, id), isNull(packages.deletedAt)))
    .returning()
  return row ?? refuse(packageRefusals.package_not_found)
}
