import type { Clock } from '#foundation/instants.ts'
import type { Database } from '#platform/database/database.ts'
import { serveOnce } from '#platform/http/idempotency.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import * as contract from '../contract.ts'
import { giftCredits } from './gift-credits.ts'
import { ledgerOf, passesOf, voidPass } from './passes.ts'

export function passRoutes(http: Http, { database, clock }: { database: Database; clock: Clock }): void {
  serve(http, contract.listPasses, async ({ user, query }) =>
    passesOf(database.db, user.id, { activeAt: query.activeOnly === 'true' ? clock.now() : undefined }),
  )

  serve(http, contract.listCredits, async ({ user, query }) =>
    ledgerOf(database.db, user.id, { ...query, namesAdmins: false }),
  )

  serveOnce(http, contract.giftCredits, { database, clock }, async (tx, { user, params, body }) =>
    giftCredits(tx, user, { memberId: params.userId, ...body }, clock.now()),
  )

  serve(http, contract.deletePass, async ({ user, params }) => {
    await database.transaction((tx) => voidPass(tx, params.id, user, clock.now()))
    return { message: 'User pass deleted successfully' }
  })
}
