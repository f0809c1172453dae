import type { User } from '#accounts/contract.ts'
import { findUser } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { refuse } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import { findPackage } from '#packages/server/packages.ts'
import { type Tx, violates } from '#platform/database/database.ts'
import { passRefusals } from '../contract.ts'
import { grantPass } from './grant-passes.ts'
import { passOf } from './pass-queries.ts'

type Gift = { memberId: string; packageId: number; creditsToGift: number; expiryMonths: number }

/** Gives a member a pass with credits, without payment. */
export async function giftCredits(tx: Tx, admin: User, body: Gift, now: Temporal.Instant) {
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
