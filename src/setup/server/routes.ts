import type { Clock } from '#foundation/instants.ts'
import type { Database } from '#platform/database/database.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import * as contract from '../contract.ts'
import { confirmSetUp, type Site, setUpNow } from './setup.ts'

export function setUpRoutes(
  http: Http,
  { database, clock, site }: { database: Database; clock: Clock; site: Site },
): void {
  serve(http, contract.readSetUp, async () => setUpNow(database.db, site, clock.now()))
  serve(http, contract.confirmSetUp, async ({ user, params }) =>
    database.transaction((tx) => confirmSetUp(tx, user, params.item, site, clock.now())),
  )
}
