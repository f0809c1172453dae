import { accountRefusals } from '../../accounts/contract.ts'
import type { Clock } from '../../foundation/clock.ts'
import { refuse } from '../../foundation/refusal.ts'
import type { Database } from '../../server/database/database.ts'
import { type Http, serve } from '../../server/http/serve.ts'
import * as contract from '../contract.ts'
import { deleteUser } from './delete-user.ts'

export function privacyRoutes(http: Http, { database, clock }: { database: Database; clock: Clock }): void {
  serve(http, contract.deleteUser, async ({ user, params }) => {
    if (params.id === user.id) refuse(accountRefusals.cannot_delete_self)
    await database.transaction((tx) => deleteUser(tx, user, params.id, clock.now()))
    return { message: 'User deleted successfully' }
  })
}
