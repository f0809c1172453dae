import { factsThen, vatByDay } from '#facts/server/facts.ts'
import type { Clock } from '#foundation/clock.ts'
import { studioMonth } from '#foundation/instants.ts'
import type { Database, Db } from '#platform/database/database.ts'
import { type Http, serve, serveFile } from '#platform/http/serve.ts'
import { studio } from '#studio.ts'
import * as contract from '../contract-receipts.ts'
import { movementsOf } from './movements.ts'
import { receiptPaper } from './paper/receipt-paper.ts'
import { statementPaper } from './paper/statement-paper.ts'
import { purchasesFile } from './purchases-file.ts'
import { ownPurchases, receiptOf } from './receipts.ts'

/** Receipts, statements and the accountant's file. @param options.exports where files are read from: they may take longer */
export function receiptRoutes(
  http: Http,
  { database, exports, clock }: { database: Database; exports: Db; clock: Clock },
): void {
  serve(http, contract.listOwnPurchases, async ({ user }) => ownPurchases(database.db, user.id, clock.now()))

  const receipt = async (which: { id: number; userId?: string }) => {
    const of = await receiptOf(exports, which)
    const [factsAt, vatAt] = [await factsThen(exports), await vatByDay(exports)]
    const { purchasedAt } = of.purchase
    return await receiptPaper(of, factsAt(purchasedAt), vatAt(purchasedAt))
  }
  serveFile(http, contract.ownReceipt, async ({ user, params }) => receipt({ ...params, userId: user.id }))
  serveFile(http, contract.receiptForAdmin, async ({ params }) => receipt(params))

  const statement = async (month: string, member?: { id: string; name: string; email: string }) => {
    const { from, until } = studioMonth(
      Temporal.PlainDate.from(`${month}-15`).toZonedDateTime(studio.timeZone).toInstant(),
    )
    const [factsAt, vatAt] = [await factsThen(exports), await vatByDay(exports)]
    const query = { from, until, ...(member && { userId: member.id }) }
    const lines = await Array.fromAsync(movementsOf(exports, query))
    const now = clock.now()
    // Of a month that is not over it says how the studio is today.
    const asOf = Temporal.Instant.compare(until, now) < 0 ? until.subtract({ seconds: 1 }) : now
    const heading = { facts: factsAt(asOf), vat: vatAt(asOf) }
    return await statementPaper(lines, { month, ...heading, vatAt, ...(member && { member }) })
  }
  serveFile(http, contract.monthStatement, async ({ query }) => statement(query.month))
  serveFile(http, contract.ownStatement, async ({ user, query }) =>
    statement(query.month, { id: user.id, name: `${user.firstName} ${user.lastName}`.trim(), email: user.email }),
  )

  serveFile(http, contract.exportPurchases, async ({ query }) => purchasesFile(exports, query))
}
