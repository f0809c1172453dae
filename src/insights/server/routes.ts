import type { Clock } from '#foundation/instants.ts'
import type { Database, Reader } from '#platform/database/database.ts'
import { type Http, sendPage, sendTotal, serve, serveFile } from '#platform/http/serve.ts'
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
export function insightRoutes(http: Http, options: { database: Database; exports: Reader; clock: Clock }): void {
  const { database, exports, clock } = options
  const { db } = database
  serve(http, getAnalytics, async () => analyticsAt(db, clock.now()))
  serve(http, getOverview, async () => overviewAt(db, clock.now()))
  serve(http, getReport, async ({ query }) => reportOf(db, query, clock.now()))
  serveFile(http, exportReport, async ({ query }) => reportFile(await reportOf(exports, query, clock.now()), query))
  serve(http, listSlots, async ({ query }) => slotsOf(db, query, clock.now()))
  serveFile(http, exportSlots, async ({ query }) => slotsFile(await slotsOf(exports, query, clock.now()), query))
  serve(http, listUsers, async ({ query, reply }) => {
    return await sendPage(reply, query, () => countUsers(db, query), usersForAdmin(db, query, clock.now()))
  })
  serve(http, getMemberPage, async ({ params }) => memberPage(db, params.id, clock.now()))
  serve(http, listAudit, async ({ query, reply }) => {
    const { lines, total } = await auditOf(db, query)
    sendTotal(reply, total)
    return lines
  })
  serve(http, listSecurityRecord, async ({ query, reply }) => {
    return await sendPage(reply, query, () => countSecurityRecord(db, query), securityRecord(db, query))
  })
}
