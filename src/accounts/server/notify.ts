import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { MailName } from '#messages/mail.ts'
import type { Alert } from '#messages/rules-alerts.ts'
import { type Queued, queueMails, queueTexts } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { queuePushes } from '#push/server/push.ts'
import { users } from '../tables.ts'

/** A mail, and the alert about the same event if it may be urgent. */
export type Notice<M extends MailName> = { mail: Queued<M>; alert: Alert }

/**
 * Notifies members of events of one kind: everyone by email, and as {@link alertMembers} does. Call it in the
 * transaction that causes the events.
 */
export async function notify<M extends MailName>(
  tx: Tx,
  mail: M,
  notices: readonly Notice<M>[],
  now: Temporal.Instant,
): Promise<void> {
  const mails = notices.map((notice) => notice.mail)
  await queueMails(tx, mail, mails)
  const alerts = notices.map(({ alert }) => alert)
  await alertMembers(tx, alerts, now)
}

/**
 * The alerts alone, where there is no email, or one about several events: a notification to those who switched them on,
 * and a text to those who gave a phone number and have not switched texts off.
 */
export async function alertMembers(tx: Tx, alerts: readonly Alert[], now: Temporal.Instant): Promise<void> {
  if (alerts.length === 0) return
  await queuePushes(tx, alerts, now)
  const ids = [...new Set(alerts.map(({ userId }) => userId))]
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, ids), isNotNull(users.phone), eq(users.textsOff, false)))
  const wanted = new Set(rows.map(({ id }) => id))
  const toText = alerts.filter(({ userId }) => wanted.has(userId))
  await queueTexts(tx, toText, now)
}
