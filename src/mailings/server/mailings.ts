import { eq } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { healthQuestionnaires } from '#health/tables.ts'
import type { MailJob } from '#messages/mail.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { maySendMarketing } from '../rules.ts'
import { marketingConsents, marketingObjections, messageRecipients as recipients, studioMessages } from '../tables.ts'
import { agreedAt } from './consents.ts'

// What other server code may call of this part.
export {
  deleteOverruledConsent,
  marketingConsentOf,
  newsConsentOf,
  newsConsents,
  recordMarketingConsent,
  takeBackConsents,
} from './consents.ts'
export { newsOfferAnsweredAt } from './news-offer.ts'
export { memberOfUnsubscribeLink, objectByAddress, objectionOf, objections, restoreObjection } from './objections.ts'
export { eraseMessages, messagesForExport } from './sent-messages.ts'
export { warnOfExpiry } from './warn-of-expiry.ts'

type Status = (typeof recipients.$inferSelect)['status']

const recipientIdOf = (job: MailJob) => (job.mail === 'studio-message' ? job.data.recipientId : null)

/**
 * Whether a queued email may still be sent. False if its recipient has been erased or has unsubscribed since, and for
 * news and offers to a member who has objected or been blocked since.
 */
export async function mayStillSend(reader: Reader, job: MailJob): Promise<boolean> {
  const id = recipientIdOf(job)
  if (id === null) return true
  const [row] = await reader
    .select({
      kind: studioMessages.kind,
      userId: users.id,
      blockedAt: users.blockedAt,
      agreedAt,
      objectedAt: marketingObjections.objectedAt,
    })
    .from(recipients)
    .innerJoin(studioMessages, eq(studioMessages.id, recipients.messageId))
    .leftJoin(users, eq(users.id, recipients.userId))
    .leftJoin(healthQuestionnaires, eq(healthQuestionnaires.userId, users.id))
    .leftJoin(marketingConsents, eq(marketingConsents.userId, users.id))
    .leftJoin(marketingObjections, eq(marketingObjections.userId, users.id))
    .where(eq(recipients.id, id))
  if (!row) return false
  if (row.kind === 'service' || row.userId === null) return true
  if (row.blockedAt) return false
  return maySendMarketing(row)
}

/** Records the outcome of an email that belongs to a message. A later outcome replaces an earlier one. */
export async function recordOutcome(
  tx: Pick<Tx, 'update'>,
  job: MailJob,
  outcome: { status: Status; reason?: string },
  now: Temporal.Instant,
): Promise<void> {
  const id = recipientIdOf(job)
  if (id === null) return
  const { status, reason = null } = outcome
  await tx.update(recipients).set({ status, reason, statusAt: now }).where(eq(recipients.id, id))
}
