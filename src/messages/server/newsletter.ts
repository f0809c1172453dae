import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#platform/database/database.ts'
import { lastForgotten } from '../rules.ts'
import { newsletterSubscribers as subscribers } from '../tables.ts'
import { type TokenOf, unsubscriberOf } from './link-tokens.ts'
import { queueMail } from './queue-mail.ts'

/**
 * Notes that somebody wants the newsletter at this address and mails it a link to confirm. Asked again, the same link
 * is mailed again; an address that is on the list already is told so by mail, and nobody else is.
 */
export async function requestNewsletter(tx: Tx, email: string, now: Temporal.Instant): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  const { rows } = await tx.execute<{ email: string; token: string; is_confirmed: boolean }>(sql`
    insert into newsletter_subscribers (token, email, requested_at) values (${token}, ${email}, ${now.toString()})
    on conflict (lower(email)) do update set requested_at = excluded.requested_at
    returning email, token, confirmed_at is not null as is_confirmed`)
  for (const { is_confirmed: isConfirmed, ...row } of rows) {
    await queueMail(tx, 'newsletter-confirm', { to: { email: row.email }, token: row.token, isConfirmed })
  }
}

/** What a link to confirm would do: `asks-to-join` until it was used, `unknown` also when it is out of date. */
export async function stateOfRequest(
  reader: Reader,
  token: string,
  now: Temporal.Instant,
): Promise<'asks-to-join' | 'confirmed' | 'unknown'> {
  const [row] = await reader.select().from(subscribers).where(isStillGood(token, now))
  if (!row) return 'unknown'
  return row.confirmedAt ? 'confirmed' : 'asks-to-join'
}

/** Confirms a subscription, as often as it is asked to. False: the link is unknown or out of date. */
export async function confirmNewsletter(tx: Tx, token: string, now: Temporal.Instant): Promise<boolean> {
  const confirmed = await tx
    .update(subscribers)
    .set({ confirmedAt: sql`coalesce(${subscribers.confirmedAt}, ${now.toString()}::timestamptz)` })
    .where(isStillGood(token, now))
    .returning({ token: subscribers.token })
  return confirmed.length > 0
}

function isStillGood(token: string, now: Temporal.Instant) {
  const isInTime = or(isNotNull(subscribers.confirmedAt), gt(subscribers.requestedAt, lastForgotten(now)))
  return and(eq(subscribers.token, token), isInTime)
}

/**
 * The address that an unsubscribe link belongs to: one that the link names, or that of the subscription whose token
 * older links carry. Undefined for an unknown link.
 */
export async function addressOfLink(reader: Reader, token: string, tokenOf: TokenOf): Promise<string | undefined> {
  const signed = unsubscriberOf(token, tokenOf)
  if (signed) return 'email' in signed ? signed.email : undefined
  const [row] = await reader.select({ email: subscribers.email }).from(subscribers).where(eq(subscribers.token, token))
  return row?.email
}

/** Ends the subscription of an address, whatever its case, and forgets the address. Repeated, it changes nothing. */
export async function forgetSubscriber(tx: Tx, email: string): Promise<void> {
  await tx.delete(subscribers).where(eq(sql`lower(${subscribers.email})`, sql`lower(${email})`))
}

/** Forgets addresses that were never confirmed. */
export async function forgetUnconfirmed(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx
    .delete(subscribers)
    .where(and(isNull(subscribers.confirmedAt), lte(subscribers.requestedAt, lastForgotten(now))))
}
