import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChange } from '#audit/server/audit.ts'
import type { Clock } from '#foundation/instants.ts'
import type { Database } from '#platform/database/database.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import * as contract from '../contract.ts'
import {
  createPackage,
  deletePackage,
  editPackage,
  packagesBySize,
  togglePackageVisibility,
  toPackage,
} from './packages.ts'

export function packageRoutes(http: Http, { database, clock }: { database: Database; clock: Clock }): void {
  serve(http, contract.listPackages, async () =>
    (await packagesBySize(database.db, { includeHidden: false })).map(toPackage),
  )
  serve(http, contract.listAllPackages, async ({ query }) =>
    (await packagesBySize(database.db, { includeHidden: true, ...query })).map((row) => ({
      ...toPackage(row),
      isForImports: row.isForImports,
    })),
  )
  serve(http, contract.createPackage, async ({ user, body }) =>
    database.transaction(async (tx) => {
      const made = toPackage(await createPackage(tx, body, clock.now()))
      const subject = { kind: 'package' as const, id: made.id }
      const changes = differences(AUDITED.package, {}, made)
      await recordAdminChange(tx, user, { action: 'created', subject, changes }, clock.now())
      return made
    }),
  )
  serve(http, contract.editPackage, async ({ user, params, body }) =>
    toPackage(await database.transaction((tx) => editPackage(tx, user, params.id, body, clock.now()))),
  )
  serve(http, contract.togglePackageVisibility, async ({ user, params }) =>
    toPackage(await database.transaction((tx) => togglePackageVisibility(tx, user, params.id, clock.now()))),
  )
  serve(http, contract.deletePackage, async ({ user, params }) => {
    await database.transaction((tx) => deletePackage(tx, user, params.id, clock.now()))
    return { message: 'Package deleted successfully' }
  })
}
