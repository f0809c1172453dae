import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChange } from '#audit/server/audit.ts'
import { toPence } from '#foundation/amounts.ts'
import { refuseIfChanged } from '#foundation/fields.ts'
import { today } from '#foundation/instants.ts'
import { toDecimal } from '#foundation/money.ts'
import { refuse } from '#foundation/refusal.ts'
import { changedAt } from '#platform/database/columns.ts'
import { onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import { limitToPage } from '#platform/database/paging.ts'
import { containsWords, folded } from '#platform/database/search.ts'
import { studio } from '#studio.ts'
import { type PackageForm, packageRefusals } from '../contract.ts'
import { inForce } from '../rules.ts'
import { type PackageRow, packages } from '../tables.ts'

/** @param row with the price in force */
export const toPackage = (row: PackageRow) => ({ ...row, price: row.pricePence })

/** As admins see it. */
export function toAdminPackage(row: PackageRow) {
  const { nextPricePence: price, nextPriceFrom: from } = row
  return { ...toPackage(row), nextPrice: price !== null && from !== null ? { price, from } : null }
}

/** A package in the audit log. */
export function auditedPackage({ pricePence, nextPricePence, ...sold }: PackageRow) {
  return {
    ...sold,
    price: toDecimal(pricePence),
    nextPrice: nextPricePence === null ? null : toDecimal(nextPricePence),
  }
}

/** Packages with the price in force, smallest first; without `includeHidden` only those on sale. */
export async function packagesBySize(
  reader: Reader,
  options: { includeHidden: boolean; search?: string; limit?: number; offset?: number },
  now: Temporal.Instant,
): Promise<PackageRow[]> {
  const rows = reader
    .select()
    .from(packages)
    .where(
      and(
        isNull(packages.deletedAt),
        options.includeHidden ? undefined : eq(packages.isActive, true),
        options.search ? containsWords(folded(packages.name), options.search) : undefined,
      ),
    )
    .orderBy(asc(packages.classCount), asc(packages.pricePence), asc(packages.id))
    .$dynamic()
  return (await limitToPage(rows, options)).map((row) => inForce(row, now))
}

/** A package with the price in force that is not deleted; it may be hidden. */
export async function findPackage(reader: Reader, id: number, now: Temporal.Instant): Promise<PackageRow | undefined> {
  const [row] = await reader
    .select()
    .from(packages)
    .where(and(eq(packages.id, id), isNull(packages.deletedAt)))
  return row && inForce(row, now)
}

/** A package that a pass or purchase refers to; it may be deleted. */
export async function packageEvenDeleted(reader: Reader, id: number): Promise<PackageRow> {
  const [row] = await reader.select().from(packages).where(eq(packages.id, id))
  return row ?? refuse(packageRefusals.package_not_found)
}

/** Creates a package; it is on sale immediately. */
export async function createPackage(tx: Tx, form: PackageForm, now: Temporal.Instant): Promise<PackageRow> {
  const { price, nextPrice, description, ...rest } = form
  return await tx
    .insert(packages)
    .values({
      ...rest,
      ...nextPriceOf(nextPrice ?? null, now),
      description: description || null,
      pricePence: toPence(price),
      createdAt: now,
      updatedAt: now,
    })
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
  const { price, nextPrice, description, ifUpdatedAt, ...rest } = edit
  const before = await packageForUpdate(tx, id, now)
  refuseIfChanged(before.updatedAt, ifUpdatedAt)
  const pricePence = price === undefined ? before.pricePence : toPence(price)
  const after = await change(tx, id, {
    ...rest,
    description: description === undefined ? undefined : description || null,
    ...(nextPrice === undefined ? nextOf(before) : nextPriceOf(nextPrice, now)),
    pricePence,
    cameIntoForceAt: pricePence === before.pricePence ? before.cameIntoForceAt : null,
    updatedAt: changedAt(packages.updatedAt, now),
  })
  const subject = { kind: 'package' as const, id }
  const changes = differences(AUDITED.package, auditedPackage(before), auditedPackage(after))
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
  const before = await packageForUpdate(tx, id, now)
  const isActive = !before.isActive
  const after = await change(tx, id, {
    isActive,
    ...nextOf(before),
    pricePence: before.pricePence,
    cameIntoForceAt: before.cameIntoForceAt,
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

const nextOf = ({ nextPricePence, nextPriceFrom }: PackageRow) => ({ nextPricePence, nextPriceFrom })

/** Refused unless its day is after today. */
function nextPriceOf(next: NonNullable<PackageForm['nextPrice']> | null, now: Temporal.Instant) {
  if (next === null) return { nextPricePence: null, nextPriceFrom: null }
  const { next_price_not_ahead } = packageRefusals
  if (next.from <= today(now))
    refuse(next_price_not_ahead, [{ path: 'nextPrice.from', message: next_price_not_ahead.message }])
  return { nextPricePence: toPence(next.price), nextPriceFrom: next.from }
}

/** Writes the next prices whose day has come into the prices. {@link inForce} has counted them since midnight. */
export async function applyNextPrices(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx
    .update(packages)
    .set({
      pricePence: sql`${packages.nextPricePence}`,
      cameIntoForceAt: sql`${packages.nextPriceFrom}::timestamp at time zone ${studio.timeZone}`,
      nextPricePence: null,
      nextPriceFrom: null,
      updatedAt: changedAt(packages.updatedAt, now),
    })
    .where(lte(packages.nextPriceFrom, today(now)))
}

/** With the price in force. */
async function packageForUpdate(tx: Tx, id: number, now: Temporal.Instant): Promise<PackageRow> {
  const [row] = await tx
    .select()
    .from(packages)
    .where(and(eq(packages.id, id), isNull(packages.deletedAt)))
    .for('update')
  return inForce(row ?? refuse(packageRefusals.package_not_found), now)
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
