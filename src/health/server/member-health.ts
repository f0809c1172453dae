import { findUser } from '#accounts/server/accounts.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Tx } from '#platform/database/database.ts'
import { healthRefusals, type MemberHealth } from '../contract.ts'
import { recordHealthReads } from './access-log.ts'
import { emergencyContactOf, questionnaireOf } from './queries.ts'
import type { HealthVault } from './vault.ts'

/** All that a member has told, for an admin who opens it deliberately. Recorded also when there is nothing to read. */
export async function memberHealthFor(
  tx: Tx,
  vault: HealthVault,
  admin: { id: string },
  memberId: string,
  now: Temporal.Instant,
): Promise<MemberHealth> {
  const member = (await findUser(tx, memberId)) ?? refuse(healthRefusals.user_not_found)
  await recordHealthReads(tx, admin, { members: [memberId], what: 'answers' }, now)
  return {
    member: { id: member.id, firstName: member.firstName, lastName: member.lastName },
    questionnaire: await questionnaireOf(tx, vault, memberId),
    emergencyContact: await emergencyContactOf(tx, vault, memberId),
  }
}
