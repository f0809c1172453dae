import { and, asc, count, desc, eq, inArray, lte, max, min, not, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#platform/database/database.ts'
import { countJobsToRetry } from '#platform/jobs/job-tables.ts'
import type { MailJob } from '../mail.ts'
import { isBoundToAddress, undeliveredCutoff } from '../rules.ts'
import { refusedAddresses, undeliveredMails } from '../tables.ts'

const isTo = (address: string) => eq(sql`lower(${undeliveredMails.address})`, address.toLowerCase())

/** Saves a mail that is no longer retried. Saving the same job twice changes nothing. */
export async function saveUndelivered(
  tx: Tx,
  given: { jobId: string; job: MailJob; reason: string; isAddressRefused: boolean },
  now: Temporal.Instant,
): Promise<void> {
  const { jobId, job, reason, isAddressRefused } = given
  const address = job.data.to.email
  await tx
    .insert(undeliveredMails)
    .values({ id: jobId, address, mail: job, reason, failedAt: now })
    .onConflictDoNothing()
  if (!isAddressRefused) return
  await tx
    .insert(refusedAddresses)
    .values({ address: address.toLowerCase(), reason, since: now })
    .onConflictDoUpdate({ target: refusedAddresses.address, set: { reason } })
}

/** Why and since when an address is refused; undefined if it is not. */
export async function refusalOf(reader: Reader, address: string) {
  const [row] = await reader
    .select()
    .from(refusedAddresses)
    .where(eq(refusedAddresses.address, address.toLowerCase()))
    .prepare('refusal_of_address')
    .execute()
  return row
}

/** Call this when a mail to the address has arrived. */
export async function clearRefusal(tx: Pick<Tx, 'delete'>, address: string): Promise<void> {
  await tx.delete(refusedAddresses).where(eq(refusedAddresses.address, address.toLowerCase()))
}

/** Undelivered mails by address, the oldest first. `reason` is the latest mail's. */
export async function undeliveredByAddress(reader: Reader) {
  return await reader
    .select({
      address: sql<string>`lower(${undeliveredMails.address})`,
      mails: count(),
      since: min(undeliveredMails.failedAt),
      last: max(undeliveredMails.failedAt),
      reason: sql<string>`(array_agg(${undeliveredMails.reason} order by ${desc(undeliveredMails.failedAt)}))[1]`,
      names: sql<MailJob['mail'][]>`array_agg(distinct ${undeliveredMails.mail} ->> 'mail')`,
    })
    .from(undeliveredMails)
    .groupBy(sql`lower(${undeliveredMails.address})`)
    .orderBy(asc(min(undeliveredMails.failedAt)))
}

/** Queues the undelivered mails of an address again. Returns how many. */
export async function resendUndelivered(tx: Tx, address: string): Promise<number> {
  const mails = await tx.delete(undeliveredMails).where(isTo(address)).returning({ mail: undeliveredMails.mail })
  await tx.enqueue('mail', ...mails.map(({ mail }) => mail))
  return mails.length
}

/** Deletes the undelivered mails of an address. Returns how many. */
export async function dropUndelivered(tx: Tx, address: string): Promise<number> {
  const deleted = await tx.delete(undeliveredMails).where(isTo(address)).returning({ id: undeliveredMails.id })
  return deleted.length
}

/** Moves undelivered mails to a person's new address, except links that prove who owns the old one. */
export async function redirectUndelivered(tx: Tx, from: string, to: string): Promise<void> {
  const mails = await tx.delete(undeliveredMails).where(isTo(from)).returning()
  const moved = mails
    .filter(({ mail }) => !isBoundToAddress(mail.mail))
    .map((row) => ({ ...row, address: to, mail: readdress(row.mail, to) }))
  if (moved.length > 0) await tx.insert(undeliveredMails).values(moved)
  await clearRefusal(tx, from)
}

function readdress(job: MailJob, email: string): MailJob {
  const { to } = job.data
  return { ...job, data: { ...job.data, to: { ...to, email } } } as MailJob
}

/** Deletes the undelivered mails and the refusal of an address. */
export async function deleteUndelivered(tx: Tx, address: string): Promise<void> {
  await dropUndelivered(tx, address)
  await clearRefusal(tx, address)
}

/** Deletes undelivered invitations to a stranger, of whom nothing else is kept. */
export async function forgetInvited(tx: Tx, address: string): Promise<void> {
  const isInvitation = inArray(sql`${undeliveredMails.mail} ->> 'mail'`, ['companion-invited', 'invitation-ended'])
  await tx.delete(undeliveredMails).where(and(isTo(address), isInvitation))
  const isKept = sql`exists (select from ${undeliveredMails} where ${isTo(address)})`
  await tx.delete(refusedAddresses).where(and(eq(refusedAddresses.address, address.toLowerCase()), not(isKept)))
}

/** Deletes undelivered mails after their retention time. */
export async function deleteOldUndelivered(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(undeliveredMails).where(and(lte(undeliveredMails.failedAt, undeliveredCutoff(now))))
}

/** How many mails are being retried after a failure, and how many are undelivered. */
export async function countFailedMails(reader: Reader): Promise<{ retrying: number; givenUp: number }> {
  const [single, toMany, givenUp] = await Promise.all([
    countJobsToRetry(reader, 'mail'),
    countJobsToRetry(reader, 'mail-to-many'),
    reader.$count(undeliveredMails),
  ])
  return { retrying: single + toMany, givenUp }
}
