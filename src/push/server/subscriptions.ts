import { createHash } from 'node:crypto'
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { AlertKind } from '#messages/rules.ts'
import { type Alert, eventOf, timesOf } from '#messages/rules-alerts.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { Subscription } from '../contract.ts'
import { pushChoices, pushSubscriptions } from '../tables.ts'

/** Only those of sessions that have not expired; other ends delete the row. */
const isOpen = (now: Temporal.Instant) => sql`exists (
  select from sessions where id = ${pushSubscriptions.sessionId} and expires_at > ${now.toString()}::timestamptz)`

/** A UUID of the event and its member, so that a job which finds the event every minute notifies once. */
function jobIdOf(alert: Alert): string {
  const hash = createHash('sha256')
    .update(`${alert.userId} ${eventOf(alert)}`)
    .digest('hex')
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Queues notifications for members who want them, in the transaction that causes them; each event once. */
export async function queuePushes(tx: Tx, alerts: readonly Alert[], now: Temporal.Instant): Promise<void> {
  const timed = alerts.flatMap((alert) => {
    const times = timesOf(alert, now)
    if (!times) return []
    const isLater = Temporal.Instant.compare(times.sendAfter, now) > 0
    return [{ alert, sendAfter: isLater ? times.sendAfter.toString() : null, jobId: jobIdOf(alert) }]
  })
  if (timed.length === 0) return
  const ids = timed.map(({ alert }) => alert.userId)
  const rows = await tx
    .selectDistinct({ userId: pushSubscriptions.userId })
    .from(pushSubscriptions)
    .where(and(inArray(pushSubscriptions.userId, ids), isOpen(now)))
  const reached = new Set(rows.map(({ userId }) => userId))
  await tx.enqueue('push', ...timed.filter(({ alert }) => reached.has(alert.userId)))
}

/** Where to send a member's notification of this kind. */
export async function subscriptionsFor(
  reader: Reader,
  { userId, kind }: { userId: string; kind: AlertKind },
  now: Temporal.Instant,
) {
  if ((await switchedOff(reader, userId)).includes(kind)) return []
  return await reader
    .select()
    .from(pushSubscriptions)
    .where(and(eq(pushSubscriptions.userId, userId), isOpen(now)))
}

/** The kinds of notifications that a member has switched off. */
export async function switchedOff(reader: Reader, userId: string): Promise<AlertKind[]> {
  const [choice] = await reader.select().from(pushChoices).where(eq(pushChoices.userId, userId))
  return choice?.off ?? []
}

/** The address of a session's subscription. */
export async function endpointOf(reader: Reader, sessionId: string): Promise<string | null> {
  const [row] = await reader
    .select({ endpoint: pushSubscriptions.endpoint })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.sessionId, sessionId))
  return row?.endpoint ?? null
}

/** Saves a browser's subscription. It belongs to the last account that registered it; a session has one. */
export async function saveSubscription(
  tx: Tx,
  caller: { id: string; session: { id: string } },
  { endpoint, keys }: Subscription,
  now: Temporal.Instant,
): Promise<void> {
  const own = { userId: caller.id, sessionId: caller.session.id, ...keys }
  await tx
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.sessionId, own.sessionId), ne(pushSubscriptions.endpoint, endpoint)))
  await tx
    .insert(pushSubscriptions)
    .values({ ...own, endpoint, createdAt: now })
    .onConflictDoUpdate({ target: pushSubscriptions.endpoint, set: own })
}

export async function deleteSubscription(tx: Pick<Tx, 'delete'>, sessionId: string): Promise<void> {
  await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.sessionId, sessionId))
}

/** The push service no longer knows it. */
export async function forgetSubscription(db: Pick<Tx, 'delete'>, id: number): Promise<void> {
  await db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, id))
}

export async function chooseKinds(tx: Tx, userId: string, off: AlertKind[]): Promise<void> {
  // A restored backup must not notify the member again.
  await tx.enqueue('update-journal', {})
  await tx.insert(pushChoices).values({ userId, off }).onConflictDoUpdate({ target: pushChoices.userId, set: { off } })
}

/** The sessions whose browsers show notifications. */
export async function sessionsWithPush(reader: Reader, userId: string): Promise<ReadonlySet<string>> {
  const rows = await reader
    .select({ sessionId: pushSubscriptions.sessionId })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.userId, userId))
  return new Set(rows.map(({ sessionId }) => sessionId))
}

/** A member's subscriptions and choices, for the download of their data. */
export async function pushDataOf(reader: Reader, userId: string) {
  const rows = await reader.select().from(pushSubscriptions).where(eq(pushSubscriptions.userId, userId))
  const devices = rows.map(({ endpoint, createdAt }) => ({ service: new URL(endpoint).hostname, since: createdAt }))
  return { devices, off: await switchedOff(reader, userId) }
}
