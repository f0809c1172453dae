import type { Clock } from '#foundation/instants.ts'
import type { TokenOf } from '#messages/server/messages.ts'
import type { Database } from '#platform/database/database.ts'
import { serveOnce } from '#platform/http/idempotency.ts'
import { type Http, serve, serveFile } from '#platform/http/serve.ts'
import * as contract from '../contract.ts'
import { dryRun, importMembers } from './import-members.ts'
import { recentImports } from './imports.ts'
import { reconciliationFile } from './reconciliation.ts'

export function importRoutes(http: Http, options: { database: Database; clock: Clock; tokenOf: TokenOf }): void {
  const { database, clock, tokenOf } = options
  serveOnce(http, contract.importMembers, options, async (tx, { user, body }) =>
    body.dryRun
      ? await dryRun(tx, body, clock.now())
      : await importMembers(tx, user, body, { tokenOf, now: clock.now() }),
  )
  serve(http, contract.listImports, async () => recentImports(database.db, clock.now()))
  serveFile(http, contract.reconcileImport, async ({ params }) => reconciliationFile(database.db, params.id))
}
