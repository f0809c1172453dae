import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChange } from '#audit/server/audit.ts'
import type { Clock } from '#foundation/instants.ts'
import type { Database } from '#platform/database/database.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import * as contract from '../contract.ts'
import {
  auditedPackage,
  createPackage,
  deletePackage,
  editPackage,
  packagesBySize,
  toAdminPackage,
  togglePackageVisibility,
  toPackage,
} from './packages.ts'

export function packageRoutes(http: Http, { database, clock }: { database: Database; clock: Clock }): void {
  serve(http, contract.listPackages, async () =>
    (await packagesBySize(database.db, { includeHidden: false }, clock.now())).map(toPackage),
  )
  serve(http, contract.listAllPackages, async ({ query }) =>
    (await packagesBySize(database.db, { includeHidden: true, ...query }, clock.now())).map(toAdminPackage),
  )
  serve(http, contract.createPackage, async ({ user, body }) =>
    database.transaction(async (tx) => {
      const made = await createPackage(tx, body, clock.now())
      const subject = { kind: 'package' as const, id: made.id }
      const changes = differences(AUDITED.package, {}, auditedPackage(made))
      await recordAdminChange(tx, user, { action: 'created', subject, changes }, clock.now())
      return toAdminPackage(made)
    }),
  )
  serve(http, contract.editPackage, async ({ user, params, body }) =>
    toAdminPackage(await database.transaction((tx) => editPackage(tx, user, params.id, body, clock.now()))),
  )
  serve(http, contract.togglePackageVisibility, async ({ user, params }) =>
    toAdminPackage(await database.transaction((tx) => togglePackageVisibility(tx, user, params.id, clock.now()))),
  )
  serve(http, contract.deletePackage, async ({ user, params }) => {
    await database.transaction((tx) => deletePackage(tx, user, params.id, clock.now()))
    return { message: 'Package deleted successfully' }
  })
}
