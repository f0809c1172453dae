import { type AnyColumn, and, asc, count, desc, eq, inArray, lte, notExists, type SQL, sql } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { newsletterSubscribers as subscribers } from '#messages/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { limitToPage } from '#platform/database/paging.ts'
import { LISTED, type Person } from '../contract.ts'
import { messageRecipients as recipients, type StudioMessageRow, studioMessages } from '../tables.ts'

type Outcomes = Record<(typeof recipients.$inferSelect)['status'], number>

export function toStudioMessage(row: StudioMessageRow, sentBy: string | null, of: Outcomes) {
  return {
    ...row,
    audience: row.audienceLabel,
    sentBy,
    handedOver: of.handed_over,
    queued: of.queued,
    failed: of.failed,
    leftOut: of.left_out,
  }
}

/** Sent messages with their outcomes, newest first. */
export async function sentMessages(reader: Reader, { id, ...page }: { id?: number; limit?: number; offset?: number }) {
  const found = reader
    .select({ message: studioMessages, firstName: users.firstName, lastName: users.lastName })
    .from(studioMessages)
    .leftJoin(users, eq(users.id, studioMessages.adminId))
    .where(id === undefined ? undefined : eq(studioMessages.id, id))
    .orderBy(desc(studioMessages.sentAt), desc(studioMessages.id))
    .$dynamic()
  const rows = await limitToPage(found, page)
  const ids = rows.map(({ message }) => message.id)
  const counted = await reader
    .select({ messageId: recipients.messageId, status: recipients.status, count: count() })
    .from(recipients)
    .where(inArray(recipients.messageId, ids))
    .groupBy(recipients.messageId, recipients.status)
  return rows.map(({ message, firstName, lastName }) => {
    const outcomes: Outcomes = { queued: 0, handed_over: 0, failed: 0, left_out: 0 }
    for (const one of counted) if (one.messageId === message.id) outcomes[one.status] = one.count
    return toStudioMessage(message, firstName === null ? null : `${firstName} ${lastName}`, outcomes)
  })
}

export async function countMessages(reader: Reader): Promise<number> {
  return await reader.$count(studioMessages)
}

/** Recipients whose email the mail server refused for good; at most {@link LISTED}. */
export async function notReached(reader: Reader, id: number): Promise<(Person & { reason: string | null })[]> {
  return await reader
    .select({
      userId: recipients.userId,
      firstName: sql<string>`coalesce(${users.firstName}, '')`,
      lastName: sql<string>`coalesce(${users.lastName}, '')`,
      email: sql<string>`coalesce(${users.email}, ${subscribers.email})`,
      phone: users.phone,
      reason: recipients.reason,
    })
    .from(recipients)
    .leftJoin(users, eq(users.id, recipients.userId))
    .leftJoin(subscribers, eq(subscribers.token, recipients.subscriber))
    .where(and(eq(recipients.messageId, id), eq(recipients.status, 'failed')))
    .orderBy(asc(users.firstName), asc(users.lastName), asc(recipients.id))
    .limit(LISTED)
}

/** Messages sent to a member or to their newsletter subscription, for the export of their data. */
export async function messagesForExport(reader: Reader, user: { id: string; email: string | null }) {
  const rows = await reader
    .select({ message: studioMessages, status: recipients.status })
    .from(recipients)
    .innerJoin(studioMessages, eq(studioMessages.id, recipients.messageId))
    .leftJoin(subscribers, eq(subscribers.token, recipients.subscriber))
    .where(sql`${recipients.userId} = ${user.id} or lower(${subscribers.email}) = ${user.email?.toLowerCase() ?? null}`)
    .orderBy(desc(studioMessages.sentAt), desc(studioMessages.id))
  return rows.map(({ message, status }) => ({ ...message, status }))
}

/** Erases at most `limit` messages of `until` or before, but none to members that `keeps` selects. Returns how many. */
export async function eraseMessages(
  tx: Tx,
  { until, limit, keeps }: { until: Temporal.Instant; limit: number; keeps: (userId: AnyColumn) => SQL },
): Promise<number> {
  const kept = tx
    .select({ id: recipients.id })
    .from(recipients)
    .where(and(eq(recipients.messageId, studioMessages.id), keeps(recipients.userId)))
  const expired = tx
    .select({ id: studioMessages.id })
    .from(studioMessages)
    .where(and(lte(studioMessages.sentAt, until), notExists(kept)))
    .orderBy(asc(studioMessages.sentAt))
    .limit(limit)
  const erased = await tx
    .delete(studioMessages)
    .where(inArray(studioMessages.id, expired))
    .returning({ id: studioMessages.id })
  return erased.length
}
