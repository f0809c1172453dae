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

/** What is watched for server errors. */
export const WATCHED = ['booking', 'payment'] as const
export type Watched = (typeof WATCHED)[number]

/** Over this window, in minutes. */
export const FAILING_WINDOW_MINUTES = 10
const FAILING = { least: 20, percent: 10 }

/** Whether too many fail: more than 10 % of at least 20 in ten minutes. */
export function isFailing({ total, failed }: { total: number; failed: number }): boolean {
  return total >= FAILING.least && failed * 100 > total * FAILING.percent
}

/** What the checkout page may load, besides the site's own files and its inline scripts (docs/operations/cards.md). */
const CHECKOUT_SCRIPTS = [/^https:\/\/js\.stripe\.com(\/|$)/, /^https:\/\/\*\.js\.stripe\.com$/]
const OWN_SOURCE = /^'(self|nonce-[^']+|sha(256|384|512)-[^']+)'$/

/** How the checkout page differs from the inventory of its scripts, in sentences. `policy`: its CSP. */
export function checkoutFindings(html: string, policy: string | null, origin: string): string[] {
  const directive = policy?.split(';').find((one) => one.trim().startsWith('script-src '))
  if (!directive) return ['The page has no policy for scripts.']
  const [, ...sources] = directive.trim().split(/\s+/)
  const isKnown = (source: string) => CHECKOUT_SCRIPTS.some((known) => known.test(source))
  const strange = sources.filter((source) => !OWN_SOURCE.test(source) && !isKnown(source))
  const scripts = [...html.matchAll(/<script\b[^>]*?\bsrc\s*=\s*["']?([^"'\s>]+)/gi)].map(([, src = '']) =>
    String(URL.parse(src, `${origin}/checkout`) ?? src),
  )
  const foreign = scripts.filter((src) => !src.startsWith(`${origin}/`) && !isKnown(src))
  return [
    ...strange.map((source) => `The policy allows scripts from ${source}.`),
    ...foreign.map((src) => `The page loads ${src.slice(0, 200)}.`),
  ]
}
