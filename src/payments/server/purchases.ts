import { and, asc, desc, eq, getColumns, inArray, or, type SQLWrapper, sql } from 'drizzle-orm'
import { memberMatches } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { toDecimal } from '#foundation/money.ts'
import { correctionsOf } from '#passes/server/passes.ts'
import { type PassRow, passes } from '#passes/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { countFrom, limitToPage } from '#platform/database/paging.ts'
import { containsWords } from '#platform/database/search.ts'
import { vouchers } from '#vouchers/tables.ts'
import { DESK_METHODS, type Purchase } from '../contract.ts'
import { FACE_TO_FACE } from '../contract-desk.ts'
import { lineWords, packageNameOf } from '../order-rules.ts'
import {
  cancellableUntil,
  isCancellable,
  maxRefundable,
  pendingDecision,
  policyRefund,
  type Refundable,
  unredeemedPass,
  voidRefusal,
} from '../rules.ts'
import { disputes, fraudWarnings, type PurchaseRow, paymentIntents, purchases, refunds } from '../tables.ts'

type PurchaseQuery = {
  id?: number
  userId?: string
  search?: string
  attention?: boolean
  limit?: number
  offset?: number
}

function matches(reader: Reader, { id, userId, search, attention }: PurchaseQuery) {
  return and(
    id === undefined ? undefined : eq(purchases.id, id),
    userId === undefined ? undefined : eq(purchases.userId, userId),
    attention ? needsDecision(reader) : undefined,
    search ? or(memberMatches(search), containsWords(purchases.searchable, search)) : undefined,
  )
}

/** A failed refund that was not replaced by a later one. */
export const isFailedForGood = sql`(${refunds.status} = 'failed' and not exists (select from refunds later
  where later.purchase_id = ${refunds.purchaseId} and later.id > ${refunds.id} and later.status <> 'failed'))`

/** An open dispute or inquiry, or a refund waiting for a decision ({@link pendingDecision}). */
function needsDecision(reader: Reader) {
  const undecided = reader
    .select({ id: refunds.purchaseId })
    .from(refunds)
    .leftJoin(passes, eq(passes.purchaseId, refunds.purchaseId))
    .where(
      and(
        sql`${refunds.answeredAt} is null`,
        or(
          isFailedForGood,
          sql`${refunds.status} <> 'failed' and ${refunds.origin} = 'provider'
            and ${passes.id} is not null and ${passes.refundedAt} is null`,
        ),
      ),
    )
  const disputed = reader
    .select({ id: disputes.purchaseId })
    .from(disputes)
    .where(inArray(disputes.status, ['inquiry', 'open']))
  // A purchase is rarely among them, so they are found first.
  return sql<boolean>`${purchases.id} in (${undecided} union ${disputed})`
}

/**
 * Purchases, newest first, each with its current refund quote; those of more than one member start with those that
 * need a decision. `search` matches members and packages. Passes, vouchers and payments are read for the purchases of
 * the page only.
 */
export async function allPurchases(reader: Reader, query: PurchaseQuery, now: Temporal.Instant) {
  const undecided = needsDecision(reader).as('needs_decision')
  const inOrder = (of: Record<'needsDecision' | 'purchasedAt' | 'id', SQLWrapper>) => [
    ...(query.userId === undefined ? [desc(of.needsDecision)] : []),
    desc(of.purchasedAt),
    desc(of.id),
  ]
  const page = reader
    .select({
      ...getColumns(purchases),
      email: users.email,
      needsDecision: undecided,
    })
    .from(purchases)
    .leftJoin(users, eq(users.id, purchases.userId))
    .where(matches(reader, query))
    .orderBy(...inOrder({ ...getColumns(purchases), needsDecision: undecided }))
    .$dynamic()
  const shown = limitToPage(page, query).as('shown')
  const rows = await reader
    .select({
      purchase: getColumns(shown),
      pass: {
        id: passes.id,
        creditsTotal: passes.creditsTotal,
        creditsRemaining: passes.creditsRemaining,
        refundedAt: passes.refundedAt,
      },
      voucher: { classCount: vouchers.classCount, redeemedAt: vouchers.redeemedAt },
      method: paymentIntents.method,
    })
    .from(shown)
    .leftJoin(paymentIntents, eq(paymentIntents.id, shown.paymentIntentId))
    .leftJoin(passes, eq(passes.purchaseId, shown.id))
    .leftJoin(vouchers, eq(vouchers.purchaseId, shown.id))
    .orderBy(...inOrder(shown))
  const [related, corrections] = await Promise.all([
    findRelated(
      reader,
      rows.map(({ purchase }) => purchase),
    ),
    // Only a desk sale can be voided.
    correctionsOf(
      reader,
      rows.flatMap(({ purchase, pass }) => (purchase.deskMethod && pass ? pass.id : [])),
    ),
  ])
  return rows.map(({ purchase, pass, voucher, method }) => ({
    ...purchase,
    user: buyerOf(purchase),
    package: soldPackage(purchase),
    amount: purchase.amountPence,
    lines: shownLines(purchase),
    method: methodOf(purchase, method),
    mayVoid: !voidRefusal(
      purchase,
      pass ? { ...pass, creditsCorrected: corrections.get(pass.id) ?? 0 } : unredeemedPass(voucher),
      now,
    ),
    cancellableUntil:
      isOnPremises(purchase) || !isCancellable(purchase.purchasedAt, now)
        ? null
        : cancellableUntil(purchase.purchasedAt),
    isVoucher: voucher !== null,
    ...moneyOf(purchase, { pass: pass ?? undefined, unredeemed: unredeemedPass(voucher) }, related, now),
  }))
}

/** Null once the member is erased. */
function buyerOf(purchase: Pick<PurchaseRow, 'userId' | 'buyer'> & { email: string | null }): Purchase['user'] {
  const { userId: id, buyer, email } = purchase
  if (id === null || buyer === null) return null
  return { id, firstName: buyer.firstName, lastName: buyer.lastName, isByPhone: email === null }
}

/** The package of a purchase or payment, by the name of that day. */
export const soldPackage = (sold: Pick<PurchaseRow, 'packageId' | 'lines'>) => {
  return { id: sold.packageId, name: packageNameOf(sold) }
}

/** The lines of a purchase as the API shows them. */
export function shownLines({ lines }: Pick<PurchaseRow, 'lines'>) {
  return lines.map((line) => ({ label: lineWords(line), amount: toDecimal(line.amountPence) }))
}

/** Sold face to face, without a statutory right to cancel. */
export function isOnPremises({ deskMethod }: Pick<PurchaseRow, 'deskMethod'>): boolean {
  return deskMethod !== null && FACE_TO_FACE.includes(deskMethod)
}

/** The payment method in words. */
export function methodOf({ deskMethod }: Pick<PurchaseRow, 'deskMethod'>, atProvider: string | null): string | null {
  return deskMethod ? DESK_METHODS[deskMethod] : atProvider
}

type Related = Awaited<ReturnType<typeof findRelated>>

/** Refunds, disputes and warnings of purchases, oldest first. */
async function findRelated(reader: Reader, of: readonly PurchaseRow[]) {
  const ids = of.map(({ id }) => id)
  const payments = of.flatMap(({ paymentIntentId }) => paymentIntentId ?? [])
  if (ids.length === 0) return { refunds: [], disputes: [], warnings: [] }
  const [sent, disputed, warned] = await Promise.all([
    reader.select().from(refunds).where(inArray(refunds.purchaseId, ids)).orderBy(asc(refunds.id)),
    reader.select().from(disputes).where(inArray(disputes.purchaseId, ids)).orderBy(asc(disputes.openedAt)),
    reader.select().from(fraudWarnings).where(inArray(fraudWarnings.paymentIntentId, payments)),
  ])
  return { refunds: sent, disputes: disputed, warnings: warned }
}

function moneyOf(
  purchase: PurchaseRow,
  {
    pass,
    unredeemed,
  }: {
    pass: Pick<PassRow, 'creditsTotal' | 'creditsRemaining' | 'refundedAt'> | undefined
    unredeemed: ReturnType<typeof unredeemedPass>
  },
  related: Related,
  now: Temporal.Instant,
) {
  const all = related.refunds.filter(({ purchaseId }) => purchaseId === purchase.id)
  const live = all.filter(({ status }) => status !== 'failed')
  const disputed = related.disputes.filter(({ purchaseId }) => purchaseId === purchase.id)
  const warned = related.warnings.filter(({ paymentIntentId }) => paymentIntentId === purchase.paymentIntentId)
  const isSent = live.length > 0 && live.every(({ sentAt }) => sentAt)
  const isDisputed = disputed.some(({ status }) => status === 'open')
  const hasPass = pass !== undefined && !pass.refundedAt
  return {
    refundedAt: live.at(-1)?.createdAt ?? null,
    refundedAmount: purchase.refundedPence || null,
    refundSentAt: isSent ? (live.at(-1)?.sentAt ?? null) : null,
    refunds: all.map((refund) => {
      return { ...refund, amount: refund.amountPence, decision: pendingDecision(refund, { all, hasPass }) }
    }),
    disputes: disputed.map((dispute) => ({ ...dispute, amount: dispute.amountPence })),
    warnings: warned,
    creditsRemaining: pass?.creditsRemaining ?? null,
    refund: quoteRefund({ ...purchase, isDisputed }, pass ?? unredeemed, now),
  }
}

function quoteRefund(purchase: Refundable, pass: Parameters<typeof policyRefund>[1], now: Temporal.Instant) {
  const quote = policyRefund(purchase, pass, now)
  const most = purchase.isDisputed ? 0 : maxRefundable(purchase)
  if ('refusal' in quote) return { amount: null, fee: null, reason: quote.refusal.message, most }
  return { amount: quote.pence, fee: purchase.amountPence - quote.pence, reason: null, most }
}

export async function countPurchases(reader: Reader, query: PurchaseQuery) {
  const found = reader.select({ id: purchases.id }).from(purchases).where(matches(reader, query)).$dynamic()
  if (query.search) found.leftJoin(users, eq(users.id, purchases.userId))
  return await countFrom(reader, found, query.offset)
}
