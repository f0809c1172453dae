import type { LinkPurpose } from '#accounts/rules.ts'
import type { MailJob } from '#messages/mail.ts'
import type { Alert } from '#messages/rules-alerts.ts'
import { kept, type QueuePlans, scheduled } from '#platform/jobs/queues.ts'
import { studio } from '#studio.ts'

declare module '../platform/jobs/queues.ts' {
  /** The data of each queue's jobs. Scheduled jobs have none: they find what is due in the database. */
  interface Queues {
    mail: MailJob
    /** For messages to many members, so that they do not delay the others. */
    'mail-to-many': MailJob
    /** `userId` is null for an unknown address: the job is queued anyway, so that the request takes the same time. */
    'mail-link': { userId: string | null; purpose: LinkPurpose }
    /** Also queued when a text is written; otherwise for those that waited for the morning, and for prices. */
    'send-texts': Record<string, never>
    /** A notification on a member's phones, once per `jobId`; `sendAfter`: an instant, ISO 8601; null: now. */
    push: { alert: Alert; sendAfter: string | null; jobId?: string }
    'send-refund': { refundId: number }
    /** After a member cancelled: emails and the waiting list wait until it can no longer be undone. */
    'end-undo': Record<string, never>
    /** After a member was erased or withdrew a consent: updates the journal next to the backups. */
    'update-journal': Record<string, never>
    'apply-retention': Record<string, never>
    'mail-attention': Record<string, never>
    'every-minute': Record<string, never>
    'check-checkout': Record<string, never>
    'expire-passes': Record<string, never>
    'reconcile-payments': Record<string, never>
    'read-card-fees': Record<string, never>
    'read-own-calendar': Record<string, never>
    'warn-of-expiry': Record<string, never>
    /** After a companion agreed to come along every week: books their places. */
    'book-for-companion': { regularId: number }
    'book-for-regulars': Record<string, never>
    'email-regulars': Record<string, never>
    'tidy-up': Record<string, never>
    'back-up': Record<string, never>
  }
}

/**
 * What one job runs every minute, in this order, so that a quiet studio needs one connection for it. What calls other
 * services has jobs of its own.
 */
export const MINUTE_TASKS = [
  'watch-failures',
  'complete-classes',
  'end-holds',
  'offer-reserved-places',
  'email-cancellations',
  'send-vouchers',
  'remind-members',
] as const

/** Jobs that use cases queue, jobs that run every minute, and nightly jobs. */
export const queuePlans: QueuePlans = {
  mail: kept,
  'mail-to-many': kept,
  'mail-link': kept,
  push: { ...kept, retryLimit: 8 },
  'send-refund': kept,
  'update-journal': kept,
  // A second later, because the database's clock may be ahead of ours; the next run sends what is not due yet.
  'end-undo': { ...kept, delaySeconds: studio.policies.cancellationUndo.allowedSeconds + 1 },
  'book-for-companion': kept,
  // Each task may take a minute.
  'every-minute': { ...scheduled('* * * * *'), limitSeconds: 60 * (MINUTE_TASKS.length + 1) },
  'send-texts': scheduled('* * * * *'),
  'check-checkout': scheduled('20 6 * * 1'),
  'reconcile-payments': scheduled('* * * * *'),
  // Reads it when it is due; also queued when the address is set.
  'read-own-calendar': scheduled('* * * * *'),
  // Before the backup, and retried until morning; also queued when a payment is settled.
  'read-card-fees': { ...scheduled('15 3 * * *'), retryLimit: 5, retryDelay: 5 * 60, limitSeconds: 15 * 60 },
  'expire-passes': scheduled('5 0 * * *'),
  // After passes have expired.
  'book-for-regulars': { ...scheduled('20 0 * * *'), limitSeconds: 15 * 60 },
  'email-regulars': { ...scheduled('0 9 * * *'), limitSeconds: 15 * 60 },
  'tidy-up': scheduled('30 3 * * *'),
  'apply-retention': scheduled('45 3 * * *'),
  // After retention, so that no backup contains data past its time. Retries end before morning.
  'back-up': { ...scheduled('15 4 * * *'), retryLimit: 3, retryDelay: 15 * 60, limitSeconds: 2 * 3600 },
  'mail-attention': scheduled('0 7 * * *'),
  'warn-of-expiry': scheduled('0 10 * * *'),
}
