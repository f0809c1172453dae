import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { MailName } from '#messages/mail.ts'
import { dueTexts, type Queued, queueMails, queueTexts, type TextEvent } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { users } from '../tables.ts'

/** A mail, and a text about the same event if it may be urgent. */
export type Notice<M extends MailName> = { mail: Queued<M>; text?: TextEvent | false | null | undefined }

/**
 * Notifies members of events of one kind: everyone by email, and by text those who gave a phone number and have not
 * switched texts off, if it is urgent. Call it in the transaction that causes the events.
 */
export async function notify<M extends MailName>(
  tx: Tx,
  mail: M,
  notices: readonly Notice<M>[],
  now: Temporal.Instant,
): Promise<void> {
  await queueMails(
    tx,
    mail,
    notices.map((notice) => notice.mail),
  )
  await textMembers(
    tx,
    notices.flatMap(({ text }) => text || []),
    now,
  )
}

/** The texts alone, where one email is about several events. */
export async function textMembers(tx: Tx, events: readonly TextEvent[], now: Temporal.Instant): Promise<void> {
  const due = dueTexts(events, now)
  if (due.length === 0) return
  const ids = [...new Set(due.map(({ userId }) => userId))]
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, ids), isNotNull(users.phone), eq(users.textsOff, false)))
  const wanted = new Set(rows.map(({ id }) => id))
  const kept = due.filter(({ userId }) => wanted.has(userId))
  if (kept.length > 0) await queueTexts(tx, kept, now)
}
