import { and, eq, gt, inArray, lte, ne, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#platform/database/database.ts'
import { emailChanges } from '../../tables.ts'

/** Which of these names, in lower case, are reserved for other users. Deletes expired reservations. */
export async function reservedAddresses(
  tx: Tx,
  names: { email?: string | null; username?: string | null },
  { now, exceptId }: { now: Temporal.Instant; exceptId: string },
): Promise<ReadonlySet<string>> {
  const wanted = [names.email, names.username].flatMap((name) => (name == null ? [] : [name.toLowerCase()]))
  if (wanted.length === 0) return new Set()
  const isWanted = inArray(sql`lower(${emailChanges.oldEmail})`, [...new Set(wanted)])
  const rows = await tx
    .select({ address: sql<string>`lower(${emailChanges.oldEmail})`, expiresAt: emailChanges.expiresAt })
    .from(emailChanges)
    .where(and(isWanted, ne(emailChanges.userId, exceptId)))
  const hasExpired = (row: { expiresAt: Temporal.Instant }) => Temporal.Instant.compare(row.expiresAt, now) <= 0
  if (rows.some(hasExpired)) await tx.delete(emailChanges).where(and(isWanted, lte(emailChanges.expiresAt, now)))
  return new Set(rows.filter((row) => !hasExpired(row)).map(({ address }) => address))
}

/** Which of these addresses, in lower case, are reserved. */
export async function reservedAmong(
  reader: Reader,
  emails: readonly string[],
  now: Temporal.Instant,
): Promise<string[]> {
  const rows = await reader
    .select({ address: sql<string>`lower(${emailChanges.oldEmail})` })
    .from(emailChanges)
    .where(and(inArray(sql`lower(${emailChanges.oldEmail})`, [...emails]), gt(emailChanges.expiresAt, now)))
  return rows.map(({ address }) => address)
}

/** Former addresses that a user can still restore. */
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

export async function deleteExpiredEmailChanges(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(emailChanges).where(lte(emailChanges.expiresAt, now))
}
