import { and, asc, count, desc, eq, gte, inArray, isNotNull, lte, sum } from 'drizzle-orm'
import { currentFacts } from '#facts/server/facts.ts'
import { formatDay } from '#foundation/dates.ts'
import { type Clock, studioMonth, timeOf } from '#foundation/instants.ts'
import type { Database, Reader, Tx } from '#platform/database/database.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import { getTextUse } from '../contract-texts.ts'
import type { MailedClass } from '../mail.ts'
import { type TextKind, textAt, uselessAfter } from '../rules.ts'
import { texts } from '../tables.ts'

/** An event that a member is texted about; `id` makes sure that it happens once. */
export type TextEvent = { userId: string; id: string } & (
  | { kind: 'class_moved'; from: MailedClass; class: MailedClass }
  | { kind: 'class_cancelled'; class: MailedClass }
  /** `until`: an instant, ISO 8601. */
  | { kind: 'place_offered' | 'hold_ending'; class: MailedClass; until: string }
)

const timesOf = (event: TextEvent) => {
  const starts = [event.class, ...(event.kind === 'class_moved' ? [event.from] : [])].map(({ startsAt }) => startsAt)
  const startsAt = Temporal.Instant.from(starts.sort()[0] ?? '')
  return { kind: event.kind, startsAt, until: 'until' in event ? Temporal.Instant.from(event.until) : undefined }
}

/** The events that are worth a text now, or in the morning. */
export const dueTexts = (events: readonly TextEvent[], now: Temporal.Instant) =>
  events.filter((event) => textAt(timesOf(event), now) !== undefined)

/**
 * Queues texts in the transaction that causes them. Each event is texted once; the number is read when it is sent.
 * Without a provider the job deletes them.
 */
export async function queueTexts(tx: Tx, events: readonly TextEvent[], now: Temporal.Instant): Promise<void> {
  const { name } = await currentFacts(tx)
  const rows = events.flatMap((event) => {
    const times = timesOf(event)
    const sendAfter = textAt(times, now)
    if (!sendAfter) return []
    const { userId, kind, id } = event
    const about = `${kind}:${id}`
    return [
      { userId, kind, about, body: bodyOf(event, name), sendAfter, uselessAfter: uselessAfter(times), createdAt: now },
    ]
  })
  if (rows.length === 0) return
  await tx.insert(texts).values(rows).onConflictDoNothing()
  await tx.enqueue('send-texts', {})
}

const when = ({ date, startTime }: Pick<MailedClass, 'date' | 'startTime'>) => `${formatDay(date)}, ${startTime}`

/** Plain letters only, because any other halves the length of a text. */
function bodyOf(event: TextEvent, studioName: string): string {
  const { title } = event.class
  const lines: Record<TextKind, () => string> = {
    class_moved: () =>
      event.kind === 'class_moved'
        ? `${title} on ${when(event.from)} moves to ${when(event.class)}. If you can't make it, cancel free of charge. Details are in our email.`
        : '',
    class_cancelled: () => `${title} on ${when(event.class)} is cancelled, sorry. Details are in our email.`,
    place_offered: () =>
      'until' in event
        ? `a place is free in ${title} on ${when(event.class)}. It is yours until ${timeOf(event.until)}: book with the link in our email.`
        : '',
    hold_ending: () =>
      'until' in event
        ? `the place you are holding in ${title} on ${when(event.class)} ends at ${timeOf(event.until)} unless your companion accepts.`
        : '',
  }
  return plain(`${studioName}: ${lines[event.kind]()}`)
}

const plain = (text: string) => text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/[–—]/g, '-')

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
  return rows.map(({ body, phone, state, createdAt }) => ({ body, phone, state, writtenAt: createdAt.toString() }))
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
export function textRoutes(http: Http, { database, clock, isOn }: { database: Database; clock: Clock; isOn: boolean }) {
  serve(http, getTextUse, async () => {
    const { monthlyLimit } = (await currentFacts(database.db)).texts
    return { isOn, ...(await textUse(database.db, clock.now())), monthlyLimit }
  })
}
