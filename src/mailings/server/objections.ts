import { asc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { findByEmail } from '../../accounts/server/accounts.ts'
import { users } from '../../accounts/tables.ts'
import { withdrawMarketingConsent } from '../../health/server/health.ts'
import { forgetSubscriber } from '../../messages/server/messages.ts'
import type { Reader, Tx } from '../../platform/database/database.ts'
import { marketingObjections, messageRecipients as recipients } from '../tables.ts'

/** The member whose message's link this is; undefined for every other token. */
async function memberOf(reader: Reader, token: string) {
  if (!z.uuid().safeParse(token).success) return undefined
  const [member] = await reader
    .select({ id: users.id, email: users.email })
    .from(recipients)
    .innerJoin(users, eq(users.id, recipients.userId))
    .where(eq(recipients.id, token))
  return member
}

/** Whether a mailed link to unsubscribe belongs to a member. */
export async function isLinkOfMember(reader: Reader, token: string): Promise<boolean> {
  return (await memberOf(reader, token)) !== undefined
}

/** A member says no by the link of a message. Repeated, or with a link nobody knows, it changes nothing. */
export async function objectByLink(tx: Tx, token: string, now: Temporal.Instant): Promise<void> {
  const member = await memberOf(tx, token)
  if (member) await object(tx, member, now)
}

/** Somebody has left the newsletter: a member with this address wants no other news and offers either. */
export async function objectByAddress(tx: Tx, email: string, now: Temporal.Instant): Promise<void> {
  const member = await findByEmail(tx, email)
  if (member) await object(tx, member, now)
}

/** No news and offers from now on: neither as a member nor through the newsletter. What they have booked is told as before. */
async function object(tx: Tx, { id, email }: { id: string; email: string }, now: Temporal.Instant): Promise<void> {
  // The user first, as erasing does; who is being erased in this instant is not there any more.
  await tx.execute(sql`
    insert into marketing_objections (user_id, objected_at)
    select id, ${now.toString()}::timestamptz from users where id = ${id} for key share
    on conflict (user_id) do update set objected_at = excluded.objected_at`)
  await withdrawMarketingConsent(tx, id)
  await forgetSubscriber(tx, email)
  // A restored backup must not forget it.
  await tx.enqueue('write-erasures', {})
}

/** Every objection there is, and when it was made. */
export async function objections(reader: Reader): Promise<{ userId: string; at: Temporal.Instant }[]> {
  return await reader
    .select({ userId: marketingObjections.userId, at: marketingObjections.objectedAt })
    .from(marketingObjections)
    .orderBy(asc(marketingObjections.objectedAt), asc(marketingObjections.userId))
}

/**
 * Repeats an objection in a restored database, unless it is known there, or the member has said yes since.
 *
 * @returns whether it was repeated
 */
export async function objectAgain(tx: Tx, userId: string, at: Temporal.Instant): Promise<boolean> {
  const time = at.toString()
  const [member] = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(
      sql`${users.id} = ${userId}
        and not exists (select from marketing_objections where user_id = ${users.id} and objected_at >= ${time})
        and not exists (select from health_questionnaires
          where user_id = ${users.id} and marketing_consent and consented_at > ${time})`,
    )
  if (!member) return false
  await object(tx, member, at)
  return true
}

/** Since when a member wants no news and offers; null where they have not said so. */
export async function objectionOf(reader: Reader, userId: string): Promise<string | null> {
  const [row] = await reader.select().from(marketingObjections).where(eq(marketingObjections.userId, userId))
  return row?.objectedAt.toString() ?? null
}
