import type { Clock } from '../../foundation/clock.ts'
import type { Database } from '../../server/database/database.ts'
import { type Http, serve, tellTotal } from '../../server/http/serve.ts'
import { getAnalytics, listAudit, listUsers } from '../contract.ts'
import { auditOf } from './audit.ts'
import { analyticsAt, countUsers, usersForAdmin } from './queries.ts'

export function insightRoutes(http: Http, { database, clock }: { database: Database; clock: Clock }): void {
  serve(http, getAnalytics, async () => analyticsAt(database.db, clock.now()))
  serve(http, listUsers, async ({ query, reply }) => {
    if (query.limit !== undefined) tellTotal(reply, await countUsers(database.db, query))
    return await usersForAdmin(database.db, query, clock.now())
  })
  serve(http, listAudit, async ({ query, reply }) => {
    const { lines, total } = await auditOf(database.db, query)
    tellTotal(reply, total)
    return lines
  })
}
