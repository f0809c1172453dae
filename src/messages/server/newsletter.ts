import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#platform/database/database.ts'
import { confirmationCutoff } from '../rules.ts'
import { newsletterSubscribers as subscribers } from '../tables.ts'
import { type TokenOf, unsubscriberOf } from './link-tokens.ts'
import { queueMail } from './queue-mail.ts'

/** Saves a request for the newsletter and emails a link to confirm it, or that the address is on the list already. */
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

/** The state of a link to confirm; an expired one is `unknown`. */
export async function subscriptionState(
  reader: Reader,
  token: string,
  now: Temporal.Instant,
): Promise<'requested' | 'confirmed' | 'unknown'> {
  const [row] = await reader.select().from(subscribers).where(isValid(token, now))
  if (!row) return 'unknown'
  return row.confirmedAt ? 'confirmed' : 'requested'
}

/** Confirms a subscription; may be repeated. Returns false if the link is unknown or expired. */
export async function confirmNewsletter(tx: Tx, token: string, now: Temporal.Instant): Promise<boolean> {
  const confirmed = await tx
    .update(subscribers)
    .set({ confirmedAt: sql`coalesce(${subscribers.confirmedAt}, ${now.toString()}::timestamptz)` })
    .where(isValid(token, now))
    .returning({ token: subscribers.token })
  return confirmed.length > 0
}

function isValid(token: string, now: Temporal.Instant) {
  const isInTime = or(isNotNull(subscribers.confirmedAt), gt(subscribers.requestedAt, confirmationCutoff(now)))
  return and(eq(subscribers.token, token), isInTime)
}

/** The address of an unsubscribe link: signed in the link, or found by the token of a subscription's own page. */
export async function findUnsubscribeAddress(
  reader: Reader,
  token: string,
  tokenOf: TokenOf,
): Promise<string | undefined> {
  const signed = unsubscriberOf(token, tokenOf)
  if (signed) return 'email' in signed ? signed.email : undefined
  const [row] = await reader.select({ email: subscribers.email }).from(subscribers).where(eq(subscribers.token, token))
  return row?.email
}

/** Ends the subscription of an address in any case and deletes the address. */
export async function deleteSubscriber(tx: Tx, email: string): Promise<void> {
  await tx.delete(subscribers).where(eq(sql`lower(${subscribers.email})`, sql`lower(${email})`))
}

/** Deletes addresses that were not confirmed in time. */
export async function deleteUnconfirmedSubscribers(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx
    .delete(subscribers)
    .where(and(isNull(subscribers.confirmedAt), lte(subscribers.requestedAt, confirmationCutoff(now))))
}
