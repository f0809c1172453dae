import { findUser } from '../../accounts/server/accounts.ts'
import { recordAdminChange } from '../../audit/server/audit.ts'
import type { Clock } from '../../foundation/clock.ts'
import { refuse } from '../../foundation/refusal.ts'
import { packageRefusals } from '../../packages/contract.ts'
import { findPackage } from '../../packages/server/packages.ts'
import { type Database, violates } from '../../server/database/database.ts'
import { type Http, serve } from '../../server/http/serve.ts'
import * as contract from '../contract.ts'
import { grantPass, ledgerOf, passesOf, passOf, voidPass } from './passes.ts'

const { passRefusals } = contract

export function passRoutes(http: Http, { database, clock }: { database: Database; clock: Clock }): void {
  serve(http, contract.listPasses, async ({ user, query }) =>
    passesOf(database.db, user.id, { activeAt: query.activeOnly === 'true' ? clock.now() : undefined }),
  )

  serve(http, contract.listCredits, async ({ user, query }) =>
    ledgerOf(database.db, user.id, { ...query, namesAdmins: false }),
  )

  serve(http, contract.giftCredits, async ({ user, params, body }) =>
    database
      .transaction(async (tx) => {
        const member = (await findUser(tx, params.userId)) ?? refuse(passRefusals.member_not_found)
        const gift = (await findPackage(tx, body.packageId)) ?? refuse(packageRefusals.package_not_found)
        const pass = await grantPass(
          tx,
          {
            userId: member.id,
            packageId: gift.id,
            credits: body.creditsToGift,
            validityMonths: body.expiryMonths,
            cause: { giftedBy: { by: 'admin', id: user.id } },
          },
          clock.now(),
        )
        const changes = {
          package: { after: gift.name },
          credits: { after: body.creditsToGift },
          validityMonths: { after: body.expiryMonths },
        }
        const subject = { kind: 'user' as const, id: member.id }
        await recordAdminChange(tx, user, { action: 'credits_gifted', subject, changes }, clock.now())
        return await passOf(tx, member.id, pass.id)
      })
      .catch((error) => {
        // Deleted since we looked.
        if (violates(error, 'passes_user_id_fkey')) refuse(passRefusals.member_not_found)
        throw error
      }),
  )

  serve(http, contract.deletePass, async ({ user, params }) => {
    await database.transaction((tx) => voidPass(tx, params.id, user, clock.now()))
    return { message: 'User pass deleted successfully' }
  })
}
