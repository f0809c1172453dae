import { and, asc, eq, ilike, isNull } from 'drizzle-orm'
import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChange } from '#audit/server/audit.ts'
import { toPence } from '#foundation/amounts.ts'
import { refuseIfChanged } from '#foundation/fields.ts'
import { toDecimal } from '#foundation/money.ts'
import { refuse } from '#foundation/refusal.ts'
import { changedAt } from '#platform/database/columns.ts'
import { onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import { likePattern, limitToPage } from '#platform/database/paging.ts'
import { type Package, type PackageForm, packageRefusals } from '../contract.ts'
import { mayBeSaved } from '../rules.ts'
import { type PackageRow, packages } from '../tables.ts'

export function toPackage(row: PackageRow): Package {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    price: toDecimal(row.pricePence),
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

/** Packages, smallest first; without `includeHidden` only those on sale. */
export async function packagesBySize(
  reader: Reader,
  options: { includeHidden: boolean; search?: string; limit?: number; offset?: number },
): Promise<PackageRow[]> {
  const rows = reader
    .select()
    .from(packages)
    .where(
      and(
        isNull(packages.deletedAt),
        options.includeHidden ? undefined : eq(packages.isActive, true),
        options.search ? ilike(packages.name, likePattern(options.search)) : undefined,
      ),
    )
    .orderBy(asc(packages.classCount), asc(packages.pricePence), asc(packages.id))
    .$dynamic()
  return await limitToPage(rows, options)
}

/** A package that is not deleted; it may be hidden. */
export async function findPackage(reader: Reader, id: number): Promise<PackageRow | undefined> {
  const [row] = await reader
    .select()
    .from(packages)
    .where(and(eq(packages.id, id), isNull(packages.deletedAt)))
  return row
}

/** A package that a pass or purchase refers to; it may be deleted. */
export async function packageEvenDeleted(reader: Reader, id: number): Promise<PackageRow> {
  const [row] = await reader.select().from(packages).where(eq(packages.id, id))
  return row ?? refuse(packageRefusals.package_not_found)
}

/** Creates a package; it is on sale immediately. */
export async function createPackage(tx: Tx, form: PackageForm, now: Temporal.Instant): Promise<PackageRow> {
  const { price, description, ...rest } = form
  return await tx
    .insert(packages)
    .values({ ...rest, description: description || null, pricePence: toPence(price), createdAt: now, updatedAt: now })
    .returning()
    .then(onlyRow)
}

/** Changes the given fields. Passes already held keep what was bought. */
export async function editPackage(
  tx: Tx,
  admin: { id: string },
  id: number,
  edit: Partial<PackageForm> & { ifUpdatedAt?: string | null },
  now: Temporal.Instant,
): Promise<PackageRow> {
  const { price, description, ifUpdatedAt, ...rest } = edit
  const before = await packageForUpdate(tx, id)
  refuseIfChanged(before.updatedAt, ifUpdatedAt)
  const pricePence = price === undefined ? before.pricePence : toPence(price)
  refuseLowPrice(before, { pricePence, isActive: before.isActive })
  const after = await change(tx, id, {
    ...rest,
    description: description === undefined ? undefined : description || null,
    pricePence,
    updatedAt: changedAt(packages.updatedAt, now),
  })
  const subject = { kind: 'package' as const, id }
  const changes = differences(AUDITED.package, toPackage(before), toPackage(after))
  await recordAdminChange(tx, admin, { action: 'edited', subject, changes }, now)
  return after
}

/** Hides or shows a package. */
export async function togglePackageVisibility(
  tx: Tx,
  admin: { id: string },
  id: number,
  now: Temporal.Instant,
): Promise<PackageRow> {
  const before = await packageForUpdate(tx, id)
  const isActive = !before.isActive
  refuseLowPrice(before, { pricePence: before.pricePence, isActive })
  const after = await change(tx, id, {
    isActive,
    updatedAt: changedAt(packages.updatedAt, now),
  })
  const action = after.isActive ? 'shown' : 'hidden'
  await recordAdminChange(tx, admin, { action, subject: { kind: 'package', id } }, now)
  return after
}

/** Removes a package from every list; passes and purchases keep it on record. */
export async function deletePackage(tx: Tx, admin: { id: string }, id: number, now: Temporal.Instant): Promise<void> {
  await change(tx, id, { deletedAt: now, isActive: false, updatedAt: changedAt(packages.updatedAt, now) })
  await recordAdminChange(tx, admin, { action: 'deleted', subject: { kind: 'package', id } }, now)
}

function refuseLowPrice(before: PackageRow, after: Pick<PackageRow, 'pricePence' | 'isActive'>): void {
  if (mayBeSaved(before, after)) return
  const { price_too_low } = packageRefusals
  refuse(price_too_low, [{ path: 'price', message: price_too_low.message }])
}

async function packageForUpdate(tx: Tx, id: number): Promise<PackageRow> {
  const [row] = await tx
    .select()
    .from(packages)
    .where(and(eq(packages.id, id), isNull(packages.deletedAt)))
    .for('update')
  return row ?? refuse(packageRefusals.package_not_found)
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

export const IMPORT_PACKAGE = 'Brought over'
/** For imported credits whose file has no expiry; our choice. */
export const IMPORT_VALIDITY_MONTHS = 12

/** The hidden package of imported credits, created on first use. */
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
