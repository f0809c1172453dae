import type { LastBackup } from '#platform/database/backup/records.ts'
import type { DiskSpace } from '#platform/disk.ts'
import type { QueueState } from '#platform/jobs/job-tables.ts'

/** A queue is late when one of its jobs has waited for a quarter of an hour; most are done in a second. Ours. */
const LATE_SECONDS = 15 * 60
/** A refund the provider does not have, and a payment it could not be asked about, are late after an hour. Ours. */
const LATE_PAYMENT = { hours: 1 }
const GIGABYTE = 1024 ** 3
/** A backup is made every night: one that is older was missed. Ours. */
const BACKUP_AGE = { hours: 36 }

/** Whether jobs of a queue have waited for too long. One that takes long, as a backup may, is no late one. */
export function isLate({ longestWaitSeconds }: Pick<QueueState, 'longestWaitSeconds'>): boolean {
  return longestWaitSeconds !== null && longestWaitSeconds >= LATE_SECONDS
}

/** What was due at this instant or before, and is not done, is late. */
export function latePaymentsSince(now: Temporal.Instant): Temporal.Instant {
  return now.subtract(LATE_PAYMENT)
}

/** Whether a disk is nearly full: under one gigabyte, or under a twentieth of a disk and under ten gigabytes. Ours. */
export function isNearlyFull({ free, total }: DiskSpace): boolean {
  return free < GIGABYTE || (free < total / 20 && free < 10 * GIGABYTE)
}

/** Whether the last backup is too old, or none was ever made although it was tried. A new studio has its first by morning. */
export function isBackupOld({ made, failure }: LastBackup, now: Temporal.Instant): boolean {
  return made ? Temporal.Instant.compare(made.endedAt, now.subtract(BACKUP_AGE)) < 0 : failure !== undefined
}
