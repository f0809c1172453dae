import { and, eq, gt, inArray, lte, ne, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#platform/database/database.ts'
import { emailChanges } from '../../tables.ts'

/** Which of these names are addresses that somebody else had until lately, lower case. Forgets of them what has run out. */
export async function reservedAddresses(
  tx: Tx,
  names: { email?: string | null; username?: string | null },
  { now, exceptId }: { now: Temporal.Instant; exceptId: string },
): Promise<ReadonlySet<string>> {
  const asked = [names.email, names.username].flatMap((name) => (name == null ? [] : [name.toLowerCase()]))
  if (asked.length === 0) return new Set()
  const isAsked = inArray(sql`lower(${emailChanges.oldEmail})`, [...new Set(asked)])
  const rows = await tx
    .select({ address: sql<string>`lower(${emailChanges.oldEmail})`, expiresAt: emailChanges.expiresAt })
    .from(emailChanges)
    .where(and(isAsked, ne(emailChanges.userId, exceptId)))
  const isOver = (row: { expiresAt: Temporal.Instant }) => Temporal.Instant.compare(row.expiresAt, now) <= 0
  if (rows.some(isOver)) await tx.delete(emailChanges).where(and(isAsked, lte(emailChanges.expiresAt, now)))
  return new Set(rows.filter((row) => !isOver(row)).map(({ address }) => address))
}

/** Which of these addresses, lower case, somebody had until lately; whoever that was. */
export async function reservedAmong(reader: Reader, emails: readonly string[], now: Temporal.Instant): Promise<string[]> {
  const rows = await reader
    .select({ address: sql<string>`lower(${emailChanges.oldEmail})` })
    .from(emailChanges)
    .where(and(inArray(sql`lower(${emailChanges.oldEmail})`, [...emails]), gt(emailChanges.expiresAt, now)))
  return rows.map(({ address }) => address)
}

/** The addresses that a user had until lately and can still restore, but for the present one. */
export async function formerAddresses(
  reader: Reader,
  user: { id: string; email: string },
  now: Temporal.Instant,
): Promise<string[]> {
  const isTheirs = and(eq(emailChanges.userId, user.id), gt(emailChanges.expiresAt, now))
  const isOther = ne(sql`lower(${emailChanges.oldEmail})`, user.email.toLowerCase())
  const rows = await reader
    .selectDistinct({ email: emailChanges.oldEmail })
    .from(emailChanges)
    .where(and(isTheirs, isOther))
  return rows.map(({ email }) => email)
}

/** Deletes the changes of addresses that can no longer be undone. */
export async function deleteExpiredEmailChanges(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(emailChanges).where(lte(emailChanges.expiresAt, now))
}
