import type { Clock } from '../../foundation/clock.ts'
import type { Database } from '../../server/database/database.ts'
import { type Http, serve } from '../../server/http/serve.ts'
import { getAnalytics, listUsers } from '../contract.ts'
import { analyticsAt, usersForAdmin } from './queries.ts'

export function insightRoutes(http: Http, { database, clock }: { database: Database; clock: Clock }): void {
  serve(http, getAnalytics, async () => analyticsAt(database.db, clock.now()))
  serve(http, listUsers, async ({ query }) => usersForAdmin(database.db, query, clock.now()))
}
