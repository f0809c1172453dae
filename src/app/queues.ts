import type { LinkPurpose } from '#accounts/rules.ts'
import type { MailJob } from '#messages/mail.ts'
import { kept, type QueuePlans, scheduled } from '#platform/jobs/queues.ts'

declare module '../platform/jobs/queues.ts' {
  /** What each queue's jobs carry. Scheduled ones carry nothing: the database knows what is due. */
  interface Queues {
    mail: MailJob
    /** Of a message to many: beside the others, which somebody waits for. */
    'mail-to-many': MailJob
    /** `userId` null: nobody has the address; it is queued all the same, so that asking takes the same time. */
    'mail-link': { userId: string | null; purpose: LinkPurpose }
    'send-refund': { refundId: number }
    /** A member was erased, or withdrew a consent: the journal beside the backups is brought up to date. */
    'write-erasures': Record<string, never>
    'apply-retention': Record<string, never>
    'mail-attention': Record<string, never>
    'complete-classes': Record<string, never>
    'expire-passes': Record<string, never>
    'reconcile-payments': Record<string, never>
    'remind-members': Record<string, never>
    'hand-out-places': Record<string, never>
    'email-cancellations': Record<string, never>
    'tidy-up': Record<string, never>
    'back-up': Record<string, never>
  }
}

/** Everything that runs beside the answers: what use cases queue, what is looked at every minute, and what runs at night. */
export const queuePlans: QueuePlans = {
  mail: kept,
  'mail-to-many': kept,
  'mail-link': kept,
  'send-refund': kept,
  'write-erasures': kept,
  'complete-classes': scheduled('* * * * *'),
  'reconcile-payments': scheduled('* * * * *'),
  'remind-members': scheduled('* * * * *'),
  'hand-out-places': scheduled('* * * * *'),
  'email-cancellations': scheduled('* * * * *'),
  'expire-passes': scheduled('5 0 * * *'),
  'tidy-up': scheduled('30 3 * * *'),
  'apply-retention': scheduled('45 3 * * *'),
  // After retention, so that no backup holds what is over. One that fails is tried again while it is still night.
  'back-up': { ...scheduled('15 4 * * *'), retryLimit: 3, retryDelay: 15 * 60, limitSeconds: 2 * 3600 },
  'mail-attention': scheduled('0 7 * * *'),
}
