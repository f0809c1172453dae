import type { LinkPurpose } from '../../accounts/rules.ts'
import type { MailJob } from '../../messages/mail.ts'

/** Every queue and what its jobs carry. Scheduled queues carry nothing: the database knows what is due. */
export type Queues = {
  mail: MailJob
  /** `userId` null: nobody has the address; it is queued all the same, so that asking takes the same time. */
  'mail-link': { userId: string | null; purpose: LinkPurpose }
  'send-refund': { refundId: number }
  'apply-retention': Record<string, never>
  'complete-classes': Record<string, never>
  'expire-passes': Record<string, never>
  'reconcile-payments': Record<string, never>
  'remind-members': Record<string, never>
  'tidy-up': Record<string, never>
}
export type QueueName = keyof Queues

export type SendOptions = { startAfter?: Date; singletonKey?: string }

type QueuePlan = {
  /** cron, in Europe/London; absent for queues that are fed by use cases. */
  cron?: string
  retryLimit: number
  /** Seconds until the first retry; doubles from there up to `retryDelayMax`. */
  retryDelay: number
  retryDelayMax: number
}

const HOUR = 3600
/** A job that is scheduled anyway tries again at its next turn. */
const scheduled = (cron: string): QueuePlan => ({ cron, retryLimit: 0, retryDelay: 60, retryDelayMax: HOUR })
/** A job that somebody waits for is tried for about three weeks before it is given up and kept as failed. */
const kept: QueuePlan = { retryLimit: 500, retryDelay: 5, retryDelayMax: HOUR }

export const queuePlans: { readonly [Q in QueueName]: QueuePlan } = {
  mail: kept,
  'mail-link': kept,
  'send-refund': kept,
  'apply-retention': scheduled('45 3 * * *'),
  'complete-classes': scheduled('* * * * *'),
  'expire-passes': scheduled('5 0 * * *'),
  'reconcile-payments': scheduled('* * * * *'),
  'remind-members': scheduled('* * * * *'),
  'tidy-up': scheduled('30 3 * * *'),
}
