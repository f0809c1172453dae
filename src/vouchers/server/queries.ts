import {
  aliasedTable,
  and,
  desc,
  eq,
  gt,
  isNotNull,
  isNull,
  lte,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { memberMatches } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { keysOf } from '#foundation/collections.ts'
import { onlyRow, type Reader } from '#platform/database/database.ts'
import { countFrom, limitToPage } from '#platform/database/paging.ts'
import { containsWords, folded } from '#platform/database/search.ts'
import { stateOf, VOUCHER_FIGURES, type VoucherState } from '../rules.ts'
import { type VoucherRow, vouchers } from '../tables.ts'

type Query = {
  id?: number | undefined
  buyerId?: string | undefined
  paymentIntentId?: string | undefined
  search?: string | undefined
  state?: VoucherState | undefined
  limit?: number | undefined
  offset?: number | undefined
}
const redeemers = aliasedTable(users, 'redeemers')

/** The same as {@link stateOf}. */
function isIn(state: VoucherState, now: Temporal.Instant) {
  if (state === 'redeemed') return isNotNull(vouchers.redeemedAt)
  if (state === 'void') return isNotNull(vouchers.voidedAt)
  const isOpen = and(isNull(vouchers.redeemedAt), isNull(vouchers.voidedAt))
  if (state === 'frozen') return and(isOpen, isNotNull(vouchers.frozenAt))
  const expires = state === 'expired' ? lte(vouchers.expiresAt, now) : gt(vouchers.expiresAt, now)
  return and(isOpen, isNull(vouchers.frozenAt), expires)
}

const matches = ({ id, buyerId, paymentIntentId, search, state }: Query, now: Temporal.Instant) =>
  and(
    isNotNull(vouchers.soldAt),
    id === undefined ? undefined : eq(vouchers.id, id),
    buyerId === undefined ? undefined : eq(vouchers.buyerId, buyerId),
    paymentIntentId === undefined ? undefined : eq(vouchers.paymentIntentId, paymentIntentId),
    state && isIn(state, now),
    search
      ? or(
          memberMatches(search),
          containsWords(folded(sql`concat_ws(' ', ${vouchers.recipientName}, ${vouchers.recipientEmail})`), search),
          eq(vouchers.lastFour, search.trim().toUpperCase().slice(-4)),
        )
      : undefined,
  )

/** Vouchers, newest first. */
export async function allVouchers(reader: Reader, query: Query, now: Temporal.Instant) {
  const page = reader
    .select({
      voucher: vouchers,
      buyer: { id: users.id, firstName: users.firstName, lastName: users.lastName },
      redeemedBy: { id: redeemers.id, firstName: redeemers.firstName, lastName: redeemers.lastName },
    })
    .from(vouchers)
    .leftJoin(users, eq(users.id, vouchers.buyerId))
    .leftJoin(redeemers, eq(redeemers.id, vouchers.redeemedBy))
    .where(matches(query, now))
    .orderBy(desc(vouchers.soldAt), desc(vouchers.id))
    .$dynamic()
  const rows = await limitToPage(page, query)
  return rows.map(({ voucher, buyer, redeemedBy }) => ({
    ...toVoucher(voucher, now),
    amount: voucher.amountPence,
    buyer,
    redeemedBy,
  }))
}

/** A voucher as its buyer sees it. */
export function toVoucher(voucher: VoucherRow, now: Temporal.Instant) {
  const { packageId: id, packageName: name } = voucher
  return { ...voucher, package: { id, name }, state: stateOf(voucher, now) }
}

export async function countVouchers(reader: Reader, query: Query, now: Temporal.Instant) {
  const found = reader
    .select({ id: vouchers.id })
    .from(vouchers)
    .leftJoin(users, eq(users.id, vouchers.buyerId))
    .where(matches(query, now))
  return await countFrom(reader, found, query.offset)
}

/** Vouchers that are paid for and not redeemed, expired or void; on hold ones included. */
export async function outstandingVouchers(reader: Reader, now: Temporal.Instant) {
  const [sum] = await reader
    .select({
      count: sql<number>`count(*)::int`,
      pence: sql<number>`coalesce(sum(${vouchers.amountPence}), 0)::float8`,
    })
    .from(vouchers)
    .where(
      and(
        isNotNull(vouchers.soldAt),
        isNull(vouchers.redeemedAt),
        isNull(vouchers.voidedAt),
        gt(vouchers.expiresAt, now),
      ),
    )
  return { count: sum?.count ?? 0, amount: sum?.pence ?? 0 }
}

export type VoucherSums = Record<keyof typeof VOUCHER_FIGURES, { count: number; pence: number }>

/**
 * Vouchers sold, redeemed, voided (with or without a refund) and expired from `from` and before `until`, and those
 * outstanding at its end or now, if it has not ended. A voucher that is extended counts by its latest expiry.
 */
export async function voucherSums(
  reader: Reader,
  { from, until }: { from: Temporal.Instant; until: Temporal.Instant },
  now: Temporal.Instant,
): Promise<VoucherSums> {
  const { soldAt, redeemedAt, voidedAt, expiresAt, amountPence } = vouchers
  // Events of this second count.
  const end = sql`least(${until.toString()}::timestamptz, ${now.toString()}::timestamptz + interval '1 second')`
  const isWithin = (at: SQLWrapper) => sql`(${at} >= ${from.toString()}::timestamptz and ${at} < ${end})`
  const which: Record<keyof VoucherSums, SQL> = {
    sold: isWithin(soldAt),
    redeemed: isWithin(redeemedAt),
    voided: sql`${isWithin(voidedAt)} and ${voidedAt} <= ${expiresAt}`,
    expired: sql`${isWithin(expiresAt)} and ${redeemedAt} is null and (${voidedAt} is null or ${voidedAt} > ${expiresAt})`,
    outstanding: sql`${soldAt} < ${end} and least(${redeemedAt}, ${voidedAt}, ${expiresAt}) >= ${end}`,
  }
  const sums = keysOf(VOUCHER_FIGURES).map(
    (figure) => sql`json_build_object('count', count(*) filter (where ${which[figure]}),
      'pence', coalesce(sum(${amountPence}) filter (where ${which[figure]}), 0)) as ${sql.identifier(figure)}`,
  )
  const { rows } = await reader.execute<VoucherSums>(
    sql`select ${sql.join(sums, sql`, `)} from ${vouchers} where ${soldAt} is not null`,
  )
  return onlyRow(rows)
}

/** What is kept about a member as the buyer or the redeemer of vouchers, for their download. */
export async function vouchersOf(reader: Reader, userId: string, now: Temporal.Instant) {
  // A gift that has not been sent stays a surprise.
  const wasSentTo = sql`(${vouchers.sentAt} is not null and lower(${vouchers.recipientEmail}) =
    (select lower(${users.email}) from ${users} where ${users.id} = ${userId}))`
  const rows = await reader
    .select({ voucher: vouchers, isToThem: sql<boolean>`coalesce(${wasSentTo}, false)` })
    .from(vouchers)
    .where(
      and(isNotNull(vouchers.soldAt), or(eq(vouchers.buyerId, userId), eq(vouchers.redeemedBy, userId), wasSentTo)),
    )
    .orderBy(desc(vouchers.soldAt), desc(vouchers.id))
  return rows.map(({ voucher, isToThem }) => {
    const isBuyer = voucher.buyerId === userId
    return {
      ...voucher,
      package: voucher.packageName,
      state: stateOf(voucher, now),
      isBuyer,
      // What the buyer typed: the buyer and the person it is about see it, another redeemer does not.
      recipientEmail: isBuyer || isToThem ? voucher.recipientEmail : null,
    }
  })
}
