import { and, asc, between, desc, eq, getColumns, sql } from 'drizzle-orm'
import { loadFactsHistory, loadVatByDay } from '#facts/server/facts.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Reader } from '#platform/database/database.ts'
import { type Http, serve, serveFile } from '#platform/http/serve.ts'
import { toVoucher, voucherSums } from '#vouchers/server/vouchers.ts'
import { vouchers } from '#vouchers/tables.ts'
import { paymentRefusals } from '../contract.ts'
import { getCardFees, type Payout } from '../contract-payouts.ts'
import * as contract from '../contract-receipts.ts'
import { type Period, periodWith } from '../period-rules.ts'
import { balanceChanges, paymentIntents, payouts, purchases, refunds } from '../tables.ts'
import { purchasesWithClassTaken } from './begin-requests.ts'
import { cardFeesOf, movementsOf, purchasesFile, spanOf } from './movements.ts'
import { type ReceiptOf, receiptPaper } from './paper/receipt-paper.ts'
import { statementPaper } from './paper/statement-paper.ts'
import { methodOf, shownLines, soldPackage } from './purchases.ts'

/** Receipts, statements and the accountant's file. @param options.exports a database handle with a longer time limit */
export function receiptRoutes(http: Http, { exports }: { exports: Reader }): void {
  serve(http, contract.listOwnPurchases, async ({ db, now, user }) => ownPurchases(db, user.id, now))

  const receipt = async (which: { id: number; userId?: string }) => {
    const of = await receiptOf(exports, which)
    const [factsAt, vatAt] = [await loadFactsHistory(exports), await loadVatByDay(exports)]
    const { purchasedAt } = of.purchase
    return await receiptPaper(of, factsAt(purchasedAt), vatAt(purchasedAt))
  }
  serveFile(http, contract.ownReceipt, async ({ user, params }) => receipt({ ...params, userId: user.id }))
  serveFile(http, contract.receiptForAdmin, async ({ params }) => receipt(params))

  const statement = async (period: Period, member?: { id: string; name: string; email: string }) => {
    const { from, until } = spanOf(period)
    const [factsAt, vatAt] = [await loadFactsHistory(exports), await loadVatByDay(exports)]
    const query = { from, until, userId: member?.id }
    const lines = await Array.fromAsync(movementsOf(exports, query))
    const now = http.clock.now()
    // The letterhead is as of the end of the period, or of now while it lasts.
    const asOf = Temporal.Instant.compare(until, now) < 0 ? until.subtract({ seconds: 1 }) : now
    const heading = { facts: factsAt(asOf), vat: vatAt(asOf) }
    const more = member ? { member } : { vouchers: await voucherSums(exports, { from, until }, now) }
    return await statementPaper(lines, { period, ...heading, vatAt, ...more })
  }
  serveFile(http, contract.studioStatement, async ({ query: { month, from = '', to = '' } }) =>
    statement(month ? monthPeriod(month) : { from, to }),
  )
  serveFile(http, contract.ownStatement, async ({ user, query }) =>
    statement(monthPeriod(query.month), {
      id: user.id,
      name: `${user.firstName} ${user.lastName}`.trim(),
      email: user.email,
    }),
  )

  serve(http, getCardFees, async ({ db, query }) => cardFees(db, query))
  serveFile(http, contract.exportPurchases, async ({ now, query }) => purchasesFile(exports, query, now))
}

const monthPeriod = (month: string) => periodWith(Temporal.PlainDate.from(`${month}-01`), 'month')

async function cardFees(reader: Reader, period: Period) {
  const { feesPence, lines, notKnown } = await cardFeesOf(reader, period)
  return { fees: feesPence, lines, notKnown, payouts: await payoutsIn(reader, period) }
}

async function payoutsIn(reader: Reader, { from, to }: Period) {
  type Content = { kind: Payout['contents'][number]['kind']; count: number; amount: number; fees: number }
  const contents = sql<Content[]>`coalesce((
    select json_agg(sums order by sums.kind) from (
      select kind, count(*)::int as count, sum(amount_pence)::int as amount, sum(fee_pence)::int as fees
        from ${balanceChanges} where payout_id = payouts.id group by kind
    ) as sums), '[]')`
  const rows = await reader
    .select({ ...getColumns(payouts), contents })
    .from(payouts)
    .where(between(payouts.arrivesOn, from, to))
    .orderBy(desc(payouts.arrivesOn), desc(payouts.id))
  return rows.map((row) => ({ ...row, amount: row.amountPence }))
}

async function ownPurchases(reader: Reader, userId: string, now: Temporal.Instant) {
  const rows = await reader
    .select({
      purchase: purchases,
      voucher: vouchers,
      method: paymentIntents.method,
    })
    .from(purchases)
    .leftJoin(paymentIntents, eq(paymentIntents.id, purchases.paymentIntentId))
    .leftJoin(vouchers, eq(vouchers.purchaseId, purchases.id))
    .where(eq(purchases.userId, userId))
    .orderBy(desc(purchases.purchasedAt), desc(purchases.id))
  const requested = rows.filter(({ purchase }) => purchase.beginRequestedAt).map(({ purchase }) => purchase.id)
  const taken = await purchasesWithClassTaken(reader, requested, now)
  return rows.map(({ purchase, voucher, method }) => ({
    ...purchase,
    package: soldPackage(purchase),
    amount: purchase.amountPence,
    lines: shownLines(purchase),
    voucher: voucher && toVoucher(voucher, now),
    method: methodOf(purchase, method),
    refundedAmount: purchase.refundedPence || null,
    mayWithdrawBeginRequest: purchase.beginRequestedAt !== null && !taken.has(purchase.id),
  }))
}

/** The data of a receipt. @param options.userId the owner it must have; any if absent */
export async function receiptOf(reader: Reader, { id, userId }: { id: number; userId?: string }): Promise<ReceiptOf> {
  const [row] = await reader
    .select({ purchase: purchases, method: paymentIntents.method })
    .from(purchases)
    .leftJoin(paymentIntents, eq(paymentIntents.id, purchases.paymentIntentId))
    .where(and(eq(purchases.id, id), userId === undefined ? undefined : eq(purchases.userId, userId)))
  if (!row) refuse(paymentRefusals.purchase_not_found)
  const { purchase, method } = row
  return {
    purchase,
    method: methodOf(purchase, method),
    refunds: await reader.select().from(refunds).where(eq(refunds.purchaseId, id)).orderBy(asc(refunds.id)),
  }
}
