import type { User } from '#accounts/contract.ts'
import { findUser } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import type { Clock } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import { findPackage } from '#packages/server/packages.ts'
import { type Database, type Tx, violates } from '#platform/database/database.ts'
import { serveOnce } from '#platform/http/idempotency.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import * as contract from '../contract.ts'
import { type Pass, passRefusals } from '../contract.ts'
import { ledgerOf } from './credits.ts'
import { voidPass } from './end-passes.ts'
import { grantPass } from './grant-passes.ts'
import { passesOf, passOf } from './pass-queries.ts'
import { extendPass, resumePass } from './pauses.ts'

export function passRoutes(http: Http, { database, clock }: { database: Database; clock: Clock }): void {
  serve(http, contract.listPasses, async ({ user, query }) =>
    passesOf(database.db, user.id, { activeAt: query.activeOnly ? clock.now() : undefined }),
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

  serve(http, contract.resumePass, ({ user, params }) =>
    database.transaction((tx) => resumePass(tx, user, params.id, clock.now())),
  )

  serve(http, contract.extendPass, ({ user, params, body }) =>
    database.transaction((tx) => extendPass(tx, user, params.id, body, clock.now())),
  )
}

type Gift = { memberId: string; packageId: number; creditsToGift: number; expiryMonths: number }

/** Gives a member a pass with credits, without payment. */
async function giftCredits(tx: Tx, admin: User, body: Gift, now: Temporal.Instant): Promise<Pass> {
  const member = (await findUser(tx, body.memberId)) ?? refuse(passRefusals.user_not_found)
  const gift = (await findPackage(tx, body.packageId, now)) ?? refuse(packageRefusals.package_not_found)
  const pass = await grantPass(
    tx,
    {
      userId: member.id,
      packageId: gift.id,
      credits: body.creditsToGift,
      validityMonths: body.expiryMonths,
      cause: { giftedBy: { by: 'admin', id: admin.id } },
    },
    now,
  ).catch((error) => {
    // The account has just been deleted.
    if (violates(error, 'passes_user_id_fkey')) refuse(passRefusals.user_not_found)
    throw error
  })
  const changes = {
    package: { after: gift.name },
    credits: { after: body.creditsToGift },
    validityMonths: { after: body.expiryMonths },
  }
  await recordAdminChange(
    tx,
    admin,
    { action: 'credits_gifted', subject: { kind: 'user' as const, id: member.id }, changes },
    now,
  )
  return await passOf(tx, member.id, pass.id)
}
