import type { DiskSpace } from '../platform/disk-space.ts'
import type { QueueState } from '../platform/jobs/queue-states.ts'

/** A job is late when the oldest of its queue has waited for a quarter of an hour; most are done in a second. Ours. */
const LATE_SECONDS = 15 * 60
/** A refund the provider does not have, and a payment it could not be asked about, are late after an hour. Ours. */
const LATE_PAYMENT = { hours: 1 }
const GIGABYTE = 1024 ** 3

/** Whether jobs of a queue have waited for too long. */
export function isLate({ oldestSeconds }: Pick<QueueState, 'oldestSeconds'>): boolean {
  return oldestSeconds !== null && oldestSeconds >= LATE_SECONDS
}

/** What was due at this instant or before, and is not done, is late. */
export function latePaymentsSince(now: Temporal.Instant): Temporal.Instant {
  return now.subtract(LATE_PAYMENT)
}

/** Whether a disk is nearly full: under one gigabyte, or under a twentieth of a disk and under ten gigabytes. Ours. */
export function isNearlyFull({ free, total }: DiskSpace): boolean {
  return free < GIGABYTE || (free < total / 20 && free < 10 * GIGABYTE)
}
