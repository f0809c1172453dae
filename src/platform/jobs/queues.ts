/** Every queue and what its jobs carry: the assembly names them (`declare module`). */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by those who stand on it
export interface Queues {}
export type QueueName = keyof Queues

export type QueuePlan = {
  /** cron, at the studio's wall time; absent for queues that are fed by use cases. */
  cron?: string
  retryLimit: number
  /** Seconds until the first retry; doubles from there up to `retryDelayMax`. */
  retryDelay: number
  retryDelayMax: number
  /** How long a job may take before it counts as lost and another try begins; a minute unless stated. */
  limitSeconds?: number
}

const HOUR = 3600
/** A job that is scheduled anyway tries again at its next turn. */
export const scheduled = (cron: string): QueuePlan => ({ cron, retryLimit: 0, retryDelay: 60, retryDelayMax: HOUR })
/** A job that somebody waits for is tried for about three weeks before it is given up and kept as failed. */
export const kept: QueuePlan = { retryLimit: 500, retryDelay: 5, retryDelayMax: HOUR }

export type QueuePlans = { readonly [Q in QueueName]: QueuePlan }
