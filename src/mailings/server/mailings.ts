import { eq } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { healthQuestionnaires } from '#health/tables.ts'
import type { MailJob } from '#messages/mail.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { maySendMarketing } from '../rules.ts'
import { marketingObjections as objections, messageRecipients as recipients, studioMessages } from '../tables.ts'

/** What other parts and the assembly may call of mailings. */
export { memberOfLink, objectAgain, objectByAddress, objectionOf, objections } from './objections.ts'
export { eraseMessages, messagesTo } from './sent-messages.ts'

type Status = (typeof recipients.$inferSelect)['status']

const rowOf = (job: MailJob) => (job.mail === 'studio-message' ? job.data.recipientId : null)

/**
 * Whether a mail of the outbox is still to be sent, asked when its turn comes: not one to somebody who has been erased or has
 * left the list since, nor news and offers to a member who has objected or was blocked in the meantime. Every other mail is.
 */
export async function isStillWanted(reader: Reader, job: MailJob): Promise<boolean> {
  const id = rowOf(job)
  if (id === null) return true
  const [row] = await reader
    .select({
      kind: studioMessages.kind,
      userId: users.id,
      blockedAt: users.blockedAt,
      hasAgreed: healthQuestionnaires.marketingConsent,
      consentedAt: healthQuestionnaires.consentedAt,
      objectedAt: objections.objectedAt,
    })
    .from(recipients)
    .innerJoin(studioMessages, eq(studioMessages.id, recipients.messageId))
    .leftJoin(users, eq(users.id, recipients.userId))
    .leftJoin(healthQuestionnaires, eq(healthQuestionnaires.userId, users.id))
    .leftJoin(objections, eq(objections.userId, users.id))
    .where(eq(recipients.id, id))
  if (!row) return false
  if (row.kind === 'service' || row.userId === null) return true
  if (row.blockedAt) return false
  return maySendMarketing({ agreedAt: row.hasAgreed ? row.consentedAt : null, objectedAt: row.objectedAt })
}

/** Notes what became of a mail, if it belongs to a message; the last word counts, as one that failed may be sent again. */
export async function noteOutcome(
  tx: Pick<Tx, 'update'>,
  job: MailJob,
  outcome: { status: Status; reason?: string },
  now: Temporal.Instant,
): Promise<void> {
  const id = rowOf(job)
  if (id === null) return
  const { status, reason = null } = outcome
  await tx.update(recipients).set({ status, reason, statusAt: now }).where(eq(recipients.id, id))
}
