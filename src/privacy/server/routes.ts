import { accountRefusals } from '../../accounts/contract.ts'
import { refuse } from '../../foundation/refusal.ts'
import type { Database } from '../../server/database/database.ts'
import { type Http, serve } from '../../server/http/serve.ts'
import * as contract from '../contract.ts'
import { deleteUser } from './delete-user.ts'

export function privacyRoutes(http: Http, { database }: { database: Database }): void {
  serve(http, contract.deleteUser, async ({ user, params }) => {
    if (params.id === user.id) refuse(accountRefusals.cannot_delete_self)
    await database.transaction((tx) => deleteUser(tx, params.id))
    return { message: 'User deleted successfully' }
  })
}
