import type { User } from '#accounts/contract.ts'
import { findUser } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { refuse } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import { findPackage } from '#packages/server/packages.ts'
import { type Tx, violates } from '#platform/database/database.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import * as contract from '../contract.ts'
import { passRefusals } from '../contract.ts'
import { ledgerOf } from './credits.ts'
import { voidPass } from './end-passes.ts'
import { grantPass } from './grant-passes.ts'
import { passesOf, passOf } from './pass-queries.ts'
import { extendPass, resumePass } from './pauses.ts'

export function passRoutes(http: Http): void {
  serve(http, contract.listPasses, async ({ db, now, user, query }) =>
    passesOf(db, user.id, { activeAt: query.activeOnly ? now : undefined }),
  )

  serve(http, contract.listCredits, async ({ db, user, query }) =>
    ledgerOf(db, user.id, { ...query, namesAdmins: false }),
  )

  write(http, contract.giftCredits, async ({ tx, now, user, params, body }) =>
    giftCredits(tx, user, { memberId: params.userId, ...body }, now),
  )

  write(http, contract.deletePass, async ({ tx, now, user, params }) => {
    await voidPass(tx, params.id, user, now)
    return { message: 'User pass deleted successfully' }
  })

  write(http, contract.resumePass, ({ tx, now, user, params }) => resumePass(tx, user, params.id, now))

  write(http, contract.extendPass, ({ tx, now, user, params, body }) => extendPass(tx, user, params.id, body, now))
}

type Gift = { memberId: string; packageId: number; creditsToGift: number; expiryMonths: number }

/** Gives a member a pass with credits, without payment. */
async function giftCredits(tx: Tx, admin: User, body: Gift, now: Temporal.Instant) {
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
