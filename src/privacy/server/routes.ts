import { accountRefusals } from '../../accounts/contract.ts'
import type { SessionCookies } from '../../accounts/server/accounts.ts'
import type { Clock } from '../../foundation/clock.ts'
import { refuse } from '../../foundation/refusal.ts'
import type { HealthVault } from '../../health/server/health.ts'
import type { Database, Db } from '../../server/database/database.ts'
import { type Http, serve } from '../../server/http/serve.ts'
import * as contract from '../contract.ts'
import { deleteUser, eraseMember } from './delete-user.ts'
import { exportMember } from './export-member.ts'

export function privacyRoutes(
  http: Http,
  deps: { database: Database; exports: Db; clock: Clock; vault: HealthVault; cookies: SessionCookies },
): void {
  const { database, exports, clock, vault, cookies } = deps

  serve(http, contract.deleteUser, async ({ user, params }) => {
    if (params.id === user.id) refuse(accountRefusals.cannot_delete_self)
    await database.transaction((tx) => deleteUser(tx, user, params.id, clock.now()))
    return { message: 'User deleted successfully' }
  })

  serve(http, contract.deleteOwnAccount, async ({ user, request, reply }) => {
    await database.transaction((tx) => eraseMember(tx, user.id, clock.now()))
    cookies.clear(request, reply)
    return { message: 'Your account has been deleted.' }
  })

  serve(http, contract.exportOwnData, async ({ user, reply }) => {
    reply.header('content-disposition', 'attachment; filename="my-data.json"')
    return await exportMember(exports, vault, user, clock.now())
  })
}
