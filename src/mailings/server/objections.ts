import { asc, eq, sql } from 'drizzle-orm'
import { findByEmail, findUser } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { recordMarketingConsentInForm } from '#health/server/health.ts'
import { deleteSubscriber, type TokenOf, unsubscriberOf } from '#messages/server/messages.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { marketingObjections } from '../tables.ts'

/** The current email address of the member whose unsubscribe link this is. Undefined for any other link. */
export async function memberOfUnsubscribeLink(
  reader: Reader,
  token: string,
  tokenOf: TokenOf,
): Promise<string | undefined> {
  const signed = unsubscriberOf(token, tokenOf)
  if (!signed || !('userId' in signed)) return undefined
  return (await findUser(reader, signed.userId))?.email ?? undefined
}

/** Ends newsletter, news and offers for an address; other emails continue. Returns whether a member has it. */
export async function objectByAddress(tx: Tx, email: string, now: Temporal.Instant): Promise<boolean> {
  const member = await findByEmail(tx, email)
  if (member) await object(tx, member.id, now)
  await deleteSubscriber(tx, email)
  return member !== undefined
}

async function object(tx: Tx, userId: string, now: Temporal.Instant): Promise<void> {
  // Locks the user first, as erasing does; a user who is being erased is not found.
  await tx.execute(sql`
    insert into marketing_objections (user_id, objected_at)
    select id, ${now.toString()}::timestamptz from users where id = ${userId} for key share
    on conflict (user_id) do update set objected_at = excluded.objected_at`)
  await recordMarketingConsentInForm(tx, userId, false)
  // Restoring a backup must not lose the objection.
  await tx.enqueue('update-journal', {})
}

/** Every objection and when it was made. */
export async function objections(reader: Reader): Promise<{ userId: string; at: Temporal.Instant }[]> {
  return await reader
    .select({ userId: marketingObjections.userId, at: marketingObjections.objectedAt })
    .from(marketingObjections)
    .orderBy(asc(marketingObjections.objectedAt), asc(marketingObjections.userId))
}

/**
 * Repeats an objection in a restored database, unless it is there or the member has agreed since.
 *
 * @returns whether it was repeated
 */
export async function restoreObjection(tx: Tx, userId: string, at: Temporal.Instant): Promise<boolean> {
  const time = at.toString()
  const [member] = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(
      sql`${users.id} = ${userId}
        and not exists (select from marketing_objections where user_id = ${users.id} and objected_at >= ${time})
        and not exists (select from health_questionnaires
          where user_id = ${users.id} and marketing_consent and consented_at > ${time})
        and not exists (select from marketing_consents where user_id = ${users.id} and agreed_at > ${time})`,
    )
  if (!member) return false
  await object(tx, userId, at)
  if (member.email !== null) await deleteSubscriber(tx, member.email)
  return true
}

/** When a member objected to news and offers, or null. */
export async function objectionOf(reader: Reader, userId: string): Promise<Temporal.Instant | null> {
  const [row] = await reader.select().from(marketingObjections).where(eq(marketingObjections.userId, userId))
  return row?.objectedAt ?? null
}
