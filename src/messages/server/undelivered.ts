import { and, asc, count, desc, eq, lte, max, min, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#platform/database/database.ts'
import { jobsToRetry } from '#platform/jobs/job-tables.ts'
import type { MailJob } from '../mail.ts'
import { diesWithItsAddress, lastKeptUndelivered } from '../rules.ts'
import { refusedAddresses, undeliveredMails } from '../tables.ts'

const isTo = (address: string) => eq(sql`lower(${undeliveredMails.address})`, address.toLowerCase())

/** Keeps a mail that is given up, in place of its job. Repeated for the same job, it changes nothing. */
export async function keepUndelivered(
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

/** Why and since when an address takes no mail; undefined when nothing is known against it. */
export async function refusalOf(reader: Reader, address: string) {
  const [row] = await reader.select().from(refusedAddresses).where(eq(refusedAddresses.address, address.toLowerCase()))
  return row
}

/** A mail has arrived there: nothing is known against the address any more. */
export async function clearRefusal(tx: Pick<Tx, 'delete'>, address: string): Promise<void> {
  await tx.delete(refusedAddresses).where(eq(refusedAddresses.address, address.toLowerCase()))
}

/** Mails that are given up, by address, the longest waiting first. `reason` is the last mail's. */
export async function undeliveredByAddress(reader: Reader) {
  const rows = await reader
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
  return rows
}

/** Queues anew what is undelivered to an address. Returns how many mails; 0 when somebody else did it, or there are none. */
export async function sendUndelivered(tx: Tx, address: string): Promise<number> {
  const mails = await tx.delete(undeliveredMails).where(isTo(address)).returning({ mail: undeliveredMails.mail })
  await tx.enqueue('mail', ...mails.map(({ mail }) => mail))
  return mails.length
}

/** Gives up for good what is undelivered to an address. Returns how many mails. */
export async function dropUndelivered(tx: Tx, address: string): Promise<number> {
  const gone = await tx.delete(undeliveredMails).where(isTo(address)).returning({ id: undeliveredMails.id })
  return gone.length
}

/** A person's address has changed: what is undelivered follows, but for links, which prove who has the old address. */
export async function redirectUndelivered(tx: Tx, from: string, to: string): Promise<void> {
  const mails = await tx.delete(undeliveredMails).where(isTo(from)).returning()
  const following = mails.flatMap((row) => {
    if (diesWithItsAddress(row.mail.mail)) return []
    return [{ ...row, address: to, mail: readdressed(row.mail, to) }]
  })
  if (following.length > 0) await tx.insert(undeliveredMails).values(following)
  await clearRefusal(tx, from)
}

function readdressed(job: MailJob, email: string): MailJob {
  const { to } = job.data
  return { ...job, data: { ...job.data, to: { ...to, email } } } as MailJob
}

/** Forgets an address of somebody who is being erased: what is undelivered to it, and what was said against it. */
export async function forgetUndelivered(tx: Tx, address: string): Promise<void> {
  await dropUndelivered(tx, address)
  await clearRefusal(tx, address)
}

/** Removes what the owner has left alone for long. */
export async function deleteOldUndelivered(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(undeliveredMails).where(and(lte(undeliveredMails.failedAt, lastKeptUndelivered(now))))
}

/** How many mails the mail server did not take: those that are tried again, and those given up, which wait for the owner. */
export async function failedMails(reader: Reader): Promise<{ retrying: number; givenUp: number }> {
  const [single, toMany, givenUp] = await Promise.all([
    jobsToRetry(reader, 'mail'),
    jobsToRetry(reader, 'mail-to-many'),
    reader.$count(undeliveredMails),
  ])
  return { retrying: single + toMany, givenUp }
}
