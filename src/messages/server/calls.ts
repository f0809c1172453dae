import { asc, eq, lte } from 'drizzle-orm'
import { currentFacts } from '#facts/server/facts.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { ByPhone, MailJob, MailName } from '../mail.ts'
import { isBoundToAddress, isPastItsClass, undeliveredCutoff } from '../rules.ts'
import { calls } from '../tables.ts'
import { spokenMail } from './render-mail.ts'

type Call = typeof calls.$inferSelect

/** Notes that the owner has to call a member instead of an email. Links that prove an address are left out. */
export async function addCall(tx: Tx, mail: MailName, data: object, to: ByPhone): Promise<void> {
  if (isBoundToAddress(mail)) return
  const job = { mail, data: { ...data, to: { email: '', firstName: to.firstName } } } as MailJob
  await tx.insert(calls).values({ userId: to.userId, mail: job })
}

/** Everyone to be called, with the ids of their calls, whether or not these are still true. */
export async function calledMembers(reader: Reader) {
  return await reader.select({ id: calls.id, userId: calls.userId }).from(calls)
}

type Current = {
  isOutdated: (reader: Reader, job: MailJob) => Promise<boolean>
  stillTrue: (reader: Reader, job: MailJob) => Promise<MailJob | undefined>
}

/**
 * Calls to make, the oldest first: those that are still true, and of use.
 *
 * @param options.isOutdated whether what a call says has changed since; `stillTrue`: the call without what has
 */
export async function callsToMake(reader: Reader, { isOutdated, stillTrue, now }: Current & { now: Temporal.Instant }) {
  const rows = await reader.select().from(calls).orderBy(asc(calls.createdAt), asc(calls.id))
  const ofUse = rows.filter(({ mail }) => !isPastItsClass(mail, 'call', now))
  const checked = await Promise.all(
    ofUse.map(async (call) => {
      const mail = await stillTrue(reader, call.mail)
      return mail && !(await isOutdated(reader, mail)) ? { ...call, mail } : undefined
    }),
  )
  return await speak(
    reader,
    checked.filter((call) => call !== undefined).flatMap((call) => sinceLastCall(call, rows)),
  )
}

/**
 * A class may have moved again before the call about its first move: the member knows it from before that one. Moved
 * back, or given back to its teacher, there is nothing to say.
 */
function sinceLastCall(call: Call, all: readonly Call[]): Call[] {
  const { mail } = call
  if (mail.mail === 'teacher-changed') {
    const news = mail.data.taught.filter(({ bookingId, isBack }) => !isBack || !isToBeCalled(bookingId, call, all))
    return news.length === 0 ? [] : [{ ...call, mail: { ...mail, data: { ...mail.data, taught: news } } }]
  }
  if (mail.mail !== 'class-moved') return [call]
  const bookingId = mail.data.class.bookingId
  const first = all.find((one) => one.mail.mail === 'class-moved' && one.mail.data.class.bookingId === bookingId)
  if (first?.mail.mail !== 'class-moved') return [call]
  const { from } = first.mail.data
  const isBack = from.startsAt === mail.data.class.startsAt && from.endsAt === mail.data.class.endsAt
  return isBack ? [] : [{ ...call, mail: { ...mail, data: { ...mail.data, from } } }]
}

/** Whether the member has not been called yet about the teacher before. */
const isToBeCalled = (bookingId: number, { id }: Call, all: readonly Call[]) =>
  all.some(
    ({ id: otherId, mail }) =>
      otherId < id && mail.mail === 'teacher-changed' && mail.data.taught.some((each) => each.bookingId === bookingId),
  )

async function speak(reader: Reader, rows: readonly Call[]) {
  if (rows.length === 0) return []
  const facts = await currentFacts(reader)
  return await Promise.all(
    rows.map(async ({ id, userId, mail, createdAt }) => ({
      id,
      userId,
      createdAt,
      ...(await spokenMail(mail, facts)),
    })),
  )
}

/** A member's calls that have not been made, the oldest first. */
export async function callsOf(reader: Reader, userId: string) {
  const rows = await reader.select().from(calls).where(eq(calls.userId, userId)).orderBy(asc(calls.id))
  const spoken = await speak(reader, rows)
  return spoken.map(({ subject, gist, createdAt }) => ({ subject, gist, createdAt: createdAt.toString() }))
}

/** Records that the owner has made a call. */
export async function endCall(tx: Tx, id: number): Promise<void> {
  await tx.delete(calls).where(eq(calls.id, id))
}

/** Deletes calls that were not made, after the retention time of undelivered mails. */
export async function deleteOldCalls(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(calls).where(lte(calls.createdAt, undeliveredCutoff(now)))
}
