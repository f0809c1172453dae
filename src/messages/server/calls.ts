import { asc, eq, lte } from 'drizzle-orm'
import { currentFacts } from '#facts/server/facts.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { ByPhone, MailJob, MailName } from '../mail.ts'
import { isBoundToAddress, undeliveredCutoff } from '../rules.ts'
import { calls } from '../tables.ts'
import { spokenMail } from './render-mail.ts'

/** Notes that the owner has to call a member instead of an email. Links that prove an address are left out. */
export async function addCall(tx: Tx, mail: MailName, data: object, to: ByPhone): Promise<void> {
  if (isBoundToAddress(mail)) return
  const job = { mail, data: { ...data, to: { email: '', firstName: to.firstName } } } as MailJob
  const spoken = await spokenMail(job, await currentFacts(tx))
  await tx.insert(calls).values({ userId: to.userId, mail, ...spoken })
}

/** Calls to make, the oldest first. */
export async function callsToMake(reader: Reader) {
  return await reader.select().from(calls).orderBy(asc(calls.createdAt), asc(calls.id))
}

/** A member's calls that have not been made, the oldest first. */
export async function callsOf(reader: Reader, userId: string) {
  const rows = await reader.select().from(calls).where(eq(calls.userId, userId)).orderBy(asc(calls.id))
  return rows.map(({ subject, gist, createdAt }) => ({ subject, gist, createdAt: createdAt.toString() }))
}

/** Records that the owner has made a call. */
export async function endCall(tx: Tx, id: number): Promise<void> {
  await tx.delete(calls).where(eq(calls.id, id))
}

/** Deletes calls that were not made, after the retention time of undelivered mails. */
export async function deleteOldCalls(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(calls).where(lte(calls.createdAt, undeliveredCutoff(now)))
}
