import type { LastBackup } from '#platform/database/backup/records.ts'
import type { DiskSpace } from '#platform/disk.ts'
import type { QueueState } from '#platform/jobs/job-tables.ts'

/** A queue is late when a job has waited this long; most are done in a second. */
const LATE_SECONDS = 15 * 60
/** When an unsent refund or an unchecked payment counts as late. */
const LATE_PAYMENT = { hours: 1 }
const GIGABYTE = 1024 ** 3
/** Backups are nightly, so an older one means that a night was missed. */
const BACKUP_AGE = { hours: 36 }

/** Whether a job of the queue has waited too long. A job that runs for long, such as a backup, is not late. */
export function isLate({ longestWaitSeconds }: Pick<QueueState, 'longestWaitSeconds'>): boolean {
  return longestWaitSeconds !== null && longestWaitSeconds >= LATE_SECONDS
}

/** Refunds and payments due at or before this instant are late. */
export function latePaymentsSince(now: Temporal.Instant): Temporal.Instant {
  return now.subtract(LATE_PAYMENT)
}

/** Whether a disk is nearly full: under 1 GB free, or under 10 GB and under a twentieth of the disk. */
export function isNearlyFull({ free, total }: DiskSpace): boolean {
  return free < GIGABYTE || (free < total / 20 && free < 10 * GIGABYTE)
}

/** Whether the last backup is too old, or every attempt has failed. A new studio has its first by morning. */
export function isBackupOld({ made, failure }: LastBackup, now: Temporal.Instant): boolean {
  return made ? Temporal.Instant.compare(made.endedAt, now.subtract(BACKUP_AGE)) < 0 : failure !== undefined
}
