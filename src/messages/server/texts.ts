import { and, asc, count, desc, eq, gte, inArray, isNotNull, lte, notInArray, or, sum } from 'drizzle-orm'
import { currentFacts } from '#facts/server/facts.ts'
import { studioMonth } from '#foundation/instants.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import { getTextUse } from '../contract-texts.ts'
import { isText } from '../rules.ts'
import { type Alert, eventOf, textOf, timesOf, topicOf } from '../rules-alerts.ts'
import { texts } from '../tables.ts'

/**
 * Queues texts in the transaction that causes them. Each event is texted once, and a newer text on the same topic
 * replaces one still queued; the number is read when it is sent. Without a provider the job deletes them.
 */
export async function queueTexts(tx: Tx, alerts: readonly Alert[], now: Temporal.Instant): Promise<void> {
  const { name } = await currentFacts(tx)
  const rows = alerts.flatMap((alert) => {
    const { userId, kind } = alert
    const times = timesOf(alert, now)
    if (!times || !isText(kind)) return []
    const words = { topic: topicOf(alert), event: eventOf(alert), alert, body: textOf(alert, name) }
    return [{ userId, kind, ...words, ...times, createdAt: now }]
  })
  if (rows.length === 0) return
  const isReplaced = or(...rows.map(({ userId, topic }) => and(eq(texts.userId, userId), eq(texts.topic, topic))))
  const isOther = notInArray(
    texts.event,
    rows.map(({ event }) => event),
  )
  await tx.delete(texts).where(and(eq(texts.state, 'queued'), isReplaced, isOther))
  await tx.insert(texts).values(rows).onConflictDoNothing()
  await tx.enqueue('send-texts', {})
}

/** This month's texts that went to the provider, and what they cost as far as it has said so. */
async function textUse(reader: Reader, now: Temporal.Instant) {
  const { from } = studioMonth(now)
  const [used] = await reader
    .select({ sent: count(), cost: sum(texts.cost), currency: texts.currency })
    .from(texts)
    .where(and(isNotNull(texts.claimedAt), gte(texts.claimedAt, from)))
    .groupBy(texts.currency)
    .orderBy(asc(texts.currency))
  const sent = await reader.$count(texts, and(isNotNull(texts.claimedAt), gte(texts.claimedAt, from)))
  return { sent, cost: used?.cost ?? null, currency: used?.currency ?? null }
}

const CHECKED_DAYS = 7

/** Texts of the last days that failed, may not have arrived, or were over the limit; newest first. */
export async function textsToCheck(reader: Reader, now: Temporal.Instant) {
  return await reader
    .select()
    .from(texts)
    .where(
      and(
        inArray(texts.state, ['failed', 'unknown', 'over_limit']),
        gte(texts.createdAt, now.subtract({ hours: 24 * CHECKED_DAYS })),
      ),
    )
    .orderBy(asc(texts.id))
}

/** A member's texts, for the download of their data. */
export async function textsOf(reader: Reader, userId: string) {
  const rows = await reader.select().from(texts).where(eq(texts.userId, userId)).orderBy(asc(texts.id))
  return rows.map((text) => ({ ...text, writtenAt: text.createdAt }))
}

/** Deletes texts as old as other messages that are erased. */
export async function deleteOldTexts(tx: Tx, until: Temporal.Instant): Promise<void> {
  await tx.delete(texts).where(lte(texts.createdAt, until))
}

/** After a restore: what is queued may have been sent since the backup, or is out of date. */
export async function forgetQueuedTexts(tx: Tx): Promise<void> {
  await tx.update(texts).set({ state: 'left_out' }).where(eq(texts.state, 'queued'))
}

/** Texts that went to the provider, newest first, for the demo's mailbox. */
export async function sentTexts(reader: Reader) {
  return await reader.select().from(texts).where(isNotNull(texts.claimedAt)).orderBy(desc(texts.id)).limit(100)
}

/** @param isOn whether a provider is set up */
export function textRoutes(http: Http, { isOn }: { isOn: boolean }) {
  serve(http, getTextUse, async ({ db, now }) => {
    const { monthlyLimit } = (await currentFacts(db)).texts
    return { isOn, ...(await textUse(db, now)), monthlyLimit }
  })
}
