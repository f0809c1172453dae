/** Every queue and the data of its jobs; the application adds them (`declare module`). */
// biome-ignore lint/suspicious/noEmptyInterface: the application fills it
export interface Queues {}
export type QueueName = keyof Queues

export type QueuePlan = {
  /** cron, in the studio's time zone; absent for queues that use cases feed. */
  cron?: string
  retryLimit: number
  /** Seconds until the first retry; doubles from there up to `retryDelayMax`. */
  retryDelay: number
  retryDelayMax: number
  /** How long a job waits before its first try; none unless given. */
  delaySeconds?: number
  /** How long a job may take before it is retried; a minute unless given. */
  limitSeconds?: number
}

const HOUR = 3600
/** A job that is not retried, because another one follows. */
const once: QueuePlan = { retryLimit: 0, retryDelay: 60, retryDelayMax: HOUR }
export const scheduled = (cron: string): QueuePlan => ({ ...once, cron })
/** A job that a person waits for is retried for about three weeks before it fails. */
export const kept: QueuePlan = { retryLimit: 500, retryDelay: 5, retryDelayMax: HOUR }

export type QueuePlans = { readonly [Q in QueueName]: QueuePlan }
