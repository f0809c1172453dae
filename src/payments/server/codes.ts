import { and, count, desc, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChange } from '#audit/server/audit.ts'
import { today } from '#foundation/instants.ts'
import { toDecimal } from '#foundation/money.ts'
import { refuse } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import { packages } from '#packages/tables.ts'
import { changedAt } from '#platform/database/columns.ts'
import { onlyRow, type Reader, type Tx, violates } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { codeRefusals } from '../code-refusals.ts'
import type { PromotionCodeForm } from '../contract-codes.ts'
import { codeRefusal } from '../order-rules.ts'
import { type PromotionCodeRow, paymentIntents, promotionCodes, promotionUses, purchases } from '../tables.ts'

/** Finds the live code with this text, or else the last one that ended. @param text in capitals */
async function findCode(reader: Reader, text: string): Promise<PromotionCodeRow | undefined> {
  const [row] = await reader
    .select()
    .from(promotionCodes)
    .where(eq(promotionCodes.code, text))
    .orderBy(sql`${promotionCodes.endedAt} desc nulls first`)
    .limit(1)
  return row
}

type Use = { code: string; packageId: number; userId: string }

/**
 * The code of this text, or a refusal if this member cannot use it for this package now. Unpaid payments of the member
 * that have it reserved do not count, because a new payment cancels them.
 */
export async function usableCode(
  reader: Reader,
  { code, packageId, userId }: Use,
  now: Temporal.Instant,
): Promise<PromotionCodeRow> {
  const found = (await findCode(reader, code)) ?? refuse(codeRefusals.code_unknown)
  const { own, ...member } = await historyOf(reader, found.id, userId)
  const refusal = codeRefusal({ ...found, uses: found.uses - own }, { packageId, day: today(now), member })
  if (refusal) refuse(refusal)
  return found
}

/** `own`: unpaid. Purchases count from the first, refunded ones too; a sale recorded by mistake does not. */
async function historyOf(reader: Reader, codeId: number, userId: string) {
  const isOwn = and(eq(promotionUses.codeId, codeId), eq(promotionUses.userId, userId))
  const [used, own, bought] = await Promise.all([
    reader.$count(promotionUses, and(isOwn, isNotNull(promotionUses.purchaseId))),
    reader.$count(promotionUses, and(isOwn, isNull(promotionUses.purchaseId))),
    reader.$count(purchases, and(eq(purchases.userId, userId), isNull(purchases.voidedAt))),
  ])
  return { hasUsed: used > 0, hasBought: bought > 0, own }
}

/** The code that an unpaid payment has reserved, until the reservation ends. */
export async function reservedCode(
  reader: Reader,
  paymentIntentId: string,
  now: Temporal.Instant,
): Promise<PromotionCodeRow | undefined> {
  const [row] = await reader
    .select({ code: promotionCodes })
    .from(promotionUses)
    .innerJoin(promotionCodes, eq(promotionCodes.id, promotionUses.codeId))
    .where(
      and(
        eq(promotionUses.paymentIntentId, paymentIntentId),
        sql`${promotionUses.reservedUntil} > ${now.toString()}::timestamptz`,
      ),
    )
  return row?.code
}

/**
 * Uses a code for a payment (reserved for some minutes) or at once for a free purchase. Locks the code, which comes
 * last in the lock order: the last use is taken once.
 */
export async function takeUse(
  tx: Tx,
  { code, packageId, userId }: { code: PromotionCodeRow; packageId: number; userId: string },
  order: { paymentIntentId: string } | { purchaseId: number },
  now: Temporal.Instant,
): Promise<void> {
  // `for update` would wait for other new payments with the code, whose foreign keys hold it, and they for us.
  const [locked] = await tx.select().from(promotionCodes).where(eq(promotionCodes.id, code.id)).for('no key update')
  if (!locked) refuse(codeRefusals.code_unknown)
  const isFree = 'purchaseId' in order
  // The purchase of this order is on record already; the unique index stops concurrent first purchases.
  const { hasUsed } = await historyOf(tx, code.id, userId)
  const refusal = codeRefusal(locked, { packageId, day: today(now), member: { hasUsed, hasBought: false } })
  if (refusal) refuse(refusal)
  try {
    await tx.insert(promotionUses).values({
      codeId: code.id,
      userId,
      ...order,
      reservedUntil: isFree ? null : now.add({ minutes: studio.policies.codeReservedMinutes }),
      // Something free could be taken repeatedly.
      isOncePerMember: locked.oncePerMember || isFree,
      isFirstPurchase: locked.firstPurchaseOnly,
      usedAt: now,
    })
  } catch (error) {
    if (violates(error, 'a_code_is_used_once_per_member')) refuse(codeRefusals.code_already_used)
    if (violates(error, 'a_member_has_one_first_purchase')) refuse(codeRefusals.code_for_first_purchase)
    throw error
  }
}

/** Keeps the code of an unpaid payment reserved from now on: its checkout is open. */
export async function keepReserved(writer: Reader, paymentIntentId: string, now: Temporal.Instant): Promise<void> {
  const reservedUntil = now.add({ minutes: studio.policies.codeReservedMinutes })
  await writer
    .update(promotionUses)
    .set({ reservedUntil })
    .where(and(eq(promotionUses.paymentIntentId, paymentIntentId), isNotNull(promotionUses.reservedUntil)))
}

/** Counts the use that a payment had reserved: it has become a purchase. */
export async function countUse(tx: Tx, paymentIntentId: string, purchaseId: number): Promise<void> {
  await tx
    .update(promotionUses)
    .set({ purchaseId, reservedUntil: null })
    .where(eq(promotionUses.paymentIntentId, paymentIntentId))
}

/** Gives back the use of a payment that is over without a purchase. */
export async function releaseUse(tx: Tx, paymentIntentId: string): Promise<void> {
  await tx
    .delete(promotionUses)
    .where(and(eq(promotionUses.paymentIntentId, paymentIntentId), isNull(promotionUses.purchaseId)))
}

/** Unpaid payments whose reservation has ended. */
export async function endedReservations(reader: Reader, now: Temporal.Instant): Promise<string[]> {
  const rows = await reader
    .select({ id: paymentIntents.id })
    .from(promotionUses)
    .innerJoin(paymentIntents, eq(paymentIntents.id, promotionUses.paymentIntentId))
    .where(and(lte(promotionUses.reservedUntil, now), eq(paymentIntents.state, 'open')))
  return rows.map(({ id }) => id)
}

/** A member's unpaid payments that have this code reserved or, if it is for a first purchase, another of that kind. */
export async function reservationsOf(
  reader: Reader,
  { code, userId }: { code: PromotionCodeRow; userId: string },
): Promise<string[]> {
  const isSame = eq(promotionUses.codeId, code.id)
  const isInTheWay = code.firstPurchaseOnly ? or(isSame, promotionUses.isFirstPurchase) : isSame
  const rows = await reader
    .select({ id: paymentIntents.id })
    .from(promotionUses)
    .innerJoin(paymentIntents, eq(paymentIntents.id, promotionUses.paymentIntentId))
    .where(and(isInTheWay, eq(promotionUses.userId, userId), eq(paymentIntents.state, 'open')))
  return rows.map(({ id }) => id)
}

/** All codes, newest first, ended ones last. */
export async function promotionCodeList(reader: Reader, id?: number) {
  const reserved = reader
    .select({ codeId: promotionUses.codeId, reserved: count().as('reserved') })
    .from(promotionUses)
    .where(isNotNull(promotionUses.reservedUntil))
    .groupBy(promotionUses.codeId)
    .as('reservations')
  const rows = await reader
    .select({ row: promotionCodes, reserved: reserved.reserved })
    .from(promotionCodes)
    .leftJoin(reserved, eq(reserved.codeId, promotionCodes.id))
    .where(id === undefined ? undefined : eq(promotionCodes.id, id))
    .orderBy(sql`${promotionCodes.endedAt} is not null`, desc(promotionCodes.id))
  return rows.map(({ row, reserved: waiting }) => ({
    ...row,
    value: row.kind === 'amount' ? row.value / 100 : row.value,
    from: row.fromDay,
    until: row.untilDay,
    reserved: waiting ?? 0,
  }))
}

function valuesOf({ value, from, until, packageIds, maxUses, ...form }: PromotionCodeForm) {
  return {
    ...form,
    value: form.kind === 'amount' ? Math.round(value * 100) : value,
    packageIds: packageIds ?? null,
    fromDay: from ?? null,
    untilDay: until ?? null,
    maxUses: maxUses ?? null,
  }
}

type Admin = { id: string }

/** Creates a code. Refuses an unknown package, and letters that another live code has. */
export async function createPromotionCode(tx: Tx, admin: Admin, form: PromotionCodeForm, now: Temporal.Instant) {
  await refuseUnknownPackages(tx, form)
  const [row] = await tx
    .insert(promotionCodes)
    .values({ ...valuesOf(form), createdAt: now, updatedAt: now })
    .onConflictDoNothing()
    .returning()
  if (!row) refuseExisting()
  await record(tx, admin, { action: 'created', before: undefined, after: row }, now)
  return await promotionCodeList(tx, row.id).then(onlyRow)
}

/** Changes a code. Payments that have it reserved keep their price. */
export async function editPromotionCode(
  tx: Tx,
  admin: Admin,
  id: number,
  form: PromotionCodeForm,
  now: Temporal.Instant,
) {
  await refuseUnknownPackages(tx, form)
  const before = await codeForUpdate(tx, id)
  try {
    const after = await tx
      .update(promotionCodes)
      .set({
        ...valuesOf(form),
        updatedAt: changedAt(promotionCodes.updatedAt, now),
      })
      .where(eq(promotionCodes.id, id))
      .returning()
      .then(onlyRow)
    await record(tx, admin, { action: 'edited', before, after }, now)
  } catch (error) {
    if (violates(error, 'one_live_code_of_a_text')) refuseExisting()
    throw error
  }
  return await promotionCodeList(tx, id).then(onlyRow)
}

/** Ends a code. Payments that have it reserved keep their price. */
export async function endPromotionCode(tx: Tx, admin: Admin, id: number, now: Temporal.Instant): Promise<void> {
  const before = await codeForUpdate(tx, id)
  await tx.update(promotionCodes).set({ endedAt: now, updatedAt: now }).where(eq(promotionCodes.id, id))
  await record(tx, admin, { action: 'code_ended', before, after: before }, now)
  await tx.enqueue('update-journal', {})
}

async function codeForUpdate(tx: Tx, id: number): Promise<PromotionCodeRow> {
  const [row] = await tx
    .select()
    .from(promotionCodes)
    .where(and(eq(promotionCodes.id, id), isNull(promotionCodes.endedAt)))
    .for('update')
  return row ?? refuse(codeRefusals.code_not_found)
}

function refuseExisting(): never {
  const { code_exists } = codeRefusals
  refuse(code_exists, [{ path: 'code', message: code_exists.message }])
}

async function refuseUnknownPackages(tx: Tx, { packageIds }: PromotionCodeForm): Promise<void> {
  if (!packageIds) return
  const known = await tx.$count(packages, and(inArray(packages.id, packageIds), isNull(packages.deletedAt)))
  if (known !== new Set(packageIds).size) refuse(packageRefusals.package_not_found)
}

const audited = (row: PromotionCodeRow) => ({
  ...row,
  value: row.kind === 'amount' ? toDecimal(row.value) : String(row.value),
  from: row.fromDay,
  until: row.untilDay,
  packages: row.packageIds?.join(', ') ?? null,
})

async function record(
  tx: Tx,
  admin: Admin,
  change: {
    action: 'created' | 'edited' | 'code_ended'
    before: PromotionCodeRow | undefined
    after: PromotionCodeRow
  },
  now: Temporal.Instant,
): Promise<void> {
  const { action, before, after } = change
  const changes = differences(AUDITED.promotion_code, before ? audited(before) : {}, audited(after))
  await recordAdminChange(tx, admin, { action, subject: { kind: 'promotion_code', id: after.id }, changes }, now)
}
