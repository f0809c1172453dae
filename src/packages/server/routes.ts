import type { Clock } from '../../foundation/clock.ts'
import type { Database } from '../../server/database/database.ts'
import { type Http, serve } from '../../server/http/serve.ts'
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
    (await packagesBySize(database.db, { hiddenToo: false })).map(toPackage),
  )
  serve(http, contract.listAllPackages, async ({ query }) =>
    (await packagesBySize(database.db, { hiddenToo: true, ...query })).map(toPackage),
  )
  serve(http, contract.createPackage, async ({ body }) =>
    toPackage(await database.transaction((tx) => createPackage(tx, body, clock.now()))),
  )
  serve(http, contract.editPackage, async ({ params, body }) =>
    toPackage(await database.transaction((tx) => editPackage(tx, params.id, body, clock.now()))),
  )
  serve(http, contract.togglePackageVisibility, async ({ params }) =>
    toPackage(await database.transaction((tx) => togglePackageVisibility(tx, params.id, clock.now()))),
  )
  serve(http, contract.deletePackage, async ({ params }) => {
    await database.transaction((tx) => deletePackage(tx, params.id, clock.now()))
    return { message: 'Package deleted successfully' }
  })
}
