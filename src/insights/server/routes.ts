import type { Reader } from '#platform/database/database.ts'
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
export function insightRoutes(http: Http, { exports }: { exports: Reader }): void {
  serve(http, getAnalytics, async ({ db, now }) => analyticsAt(db, now))
  serve(http, getOverview, async ({ db, now }) => overviewAt(db, now))
  serve(http, getReport, async ({ db, now, query }) => reportOf(db, query, now))
  serveFile(http, exportReport, async ({ now, query }) => reportFile(await reportOf(exports, query, now), query))
  serve(http, listSlots, async ({ db, now, query }) => slotsOf(db, query, now))
  serveFile(http, exportSlots, async ({ now, query }) => slotsFile(await slotsOf(exports, query, now), query))
  serve(http, listUsers, async ({ db, now, query, reply }) => {
    return await sendPage(reply, query, () => countUsers(db, query), usersForAdmin(db, query, now))
  })
  serve(http, getMemberPage, async ({ db, now, params }) => memberPage(db, params.id, now))
  serve(http, listAudit, async ({ db, query, reply }) => {
    const { lines, total } = await auditOf(db, query)
    sendTotal(reply, total)
    return lines
  })
  serve(http, listSecurityRecord, async ({ db, query, reply }) => {
    return await sendPage(reply, query, () => countSecurityRecord(db, query), securityRecord(db, query))
  })
}
