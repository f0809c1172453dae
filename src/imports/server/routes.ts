import type { TokenOf } from '#messages/server/messages.ts'
import { type Http, serve, serveFile } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import * as contract from '../contract.ts'
import { dryRun, importMembers } from './import-members.ts'
import { recentImports } from './imports.ts'
import { reconciliationFile } from './reconciliation.ts'

export function importRoutes(http: Http, { tokenOf }: { tokenOf: TokenOf }): void {
  write(http, contract.importMembers, async ({ tx, now, user, body }) =>
    body.dryRun ? await dryRun(tx, body, now) : await importMembers(tx, user, body, { tokenOf, now }),
  )
  serve(http, contract.listImports, async ({ db, now }) => recentImports(db, now))
  serveFile(http, contract.reconcileImport, async ({ db, params }) => reconciliationFile(db, params.id))
}
