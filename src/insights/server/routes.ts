import type { Clock } from '#foundation/instants.ts'
import type { Database, Db } from '#platform/database/database.ts'
import { type Http, sendTotal, serve, serveFile } from '#platform/http/serve.ts'
import {
  exportReport,
  exportSlots,
  getAnalytics,
  getMemberPage,
  getOverview,
  getReport,
  listAudit,
  listSlots,
  listUsers,
} from '../contract.ts'
import { listSecurityRecord } from '../contract-security.ts'
import { analyticsAt, auditOf, countUsers, memberPage, overviewAt, usersForAdmin } from './queries.ts'
import { reportFile, reportOf, slotsFile, slotsOf } from './report.ts'
import { countSecurityRecord, securityRecord } from './security-record.ts'

/** @param options.exports the database for files, which may take longer */
export function insightRoutes(http: Http, options: { database: Database; exports: Db; clock: Clock }): void {
  const { database, exports, clock } = options
  serve(http, getAnalytics, async () => analyticsAt(database.db, clock.now()))
  serve(http, getOverview, async () => overviewAt(database.db, clock.now()))
  serve(http, getReport, async ({ query }) => reportOf(database.db, query, clock.now()))
  serveFile(http, exportReport, async ({ query }) => reportFile(await reportOf(exports, query, clock.now()), query))
  serve(http, listSlots, async ({ query }) => slotsOf(database.db, query, clock.now()))
  serveFile(http, exportSlots, async ({ query }) => slotsFile(await slotsOf(exports, query, clock.now()), query))
  serve(http, listUsers, async ({ query, reply }) => {
    if (query.limit !== undefined) sendTotal(reply, await countUsers(database.db, query))
    return await usersForAdmin(database.db, query, clock.now())
  })
  serve(http, getMemberPage, async ({ params }) => memberPage(database.db, params.id, clock.now()))
  serve(http, listAudit, async ({ query, reply }) => {
    const { lines, total } = await auditOf(database.db, query)
    sendTotal(reply, total)
    return lines
  })
  serve(http, listSecurityRecord, async ({ query, reply }) => {
    if (query.limit !== undefined) sendTotal(reply, await countSecurityRecord(database.db, query))
    return await securityRecord(database.db, query)
  })
}
