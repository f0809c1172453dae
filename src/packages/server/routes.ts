import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChange } from '#audit/server/audit.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
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

export function packageRoutes(http: Http): void {
  serve(http, contract.listPackages, async ({ db, now }) =>
    (await packagesBySize(db, { includeHidden: false }, now)).map(toPackage),
  )
  serve(http, contract.listAllPackages, async ({ db, now, query }) =>
    (await packagesBySize(db, { includeHidden: true, ...query }, now)).map(toAdminPackage),
  )
  write(http, contract.createPackage, async ({ tx, now, user, body }) => {
    const made = await createPackage(tx, body, now)
    const subject = { kind: 'package' as const, id: made.id }
    const changes = differences(AUDITED.package, {}, auditedPackage(made))
    await recordAdminChange(tx, user, { action: 'created', subject, changes }, now)
    return toAdminPackage(made)
  })
  write(http, contract.editPackage, async ({ tx, now, user, params, body }) =>
    toAdminPackage(await editPackage(tx, user, params.id, body, now)),
  )
  write(http, contract.togglePackageVisibility, async ({ tx, now, user, params }) =>
    toAdminPackage(await togglePackageVisibility(tx, user, params.id, now)),
  )
  write(http, contract.deletePackage, ({ tx, now, user, params }) => deletePackage(tx, user, params.id, now))
}
