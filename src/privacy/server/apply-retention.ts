import { eq } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { eraseAuditLines } from '#audit/server/audit.ts'
import { systemClock } from '#foundation/instants.ts'
import { eraseHealth, eraseHealthReads } from '#health/server/health.ts'
import { eraseMessages } from '#mailings/server/mailings.ts'
import { erasePurchases } from '#payments/server/payments.ts'
import type { Database, Tx } from '#platform/database/database.ts'
import { eraseSecurityEvents, recordSecurity } from '#security/server/security.ts'
import { cutoffsAt } from '../rules.ts'
import { retentionRuns } from '../tables.ts'
import { hasComplaint, isAboutComplaint, isEventOfComplaint } from './complaints.ts'
import { eraseOutsideComplaints } from './data-complaints.ts'
import { eraseLocked, lockMember } from './delete-user.ts'
import { type ErasureScope, isMemberDue, membersDue } from './due-members.ts'
import { endHold, isRunHeld } from './retention-hold.ts'

/** Members per query, and rows per transaction. */
const BATCH = { members: 100, rows: 1000 }
/** A run stops after this many and leaves the rest to another job. */
const MAX_RUN = { members: 500, rows: 20_000 }

/**
 * Erases accounts, health information, purchases and log lines whose retention period is over, in short transactions.
 * Failures are reported and left for the next run. May run twice and concurrently with everything else. Erases nothing
 * while a clock may be wrong, until the owner confirms ({@link isRunHeld}).
 *
 * @param processNow by the system clock, which may differ from the database's
 * @returns whether there is more to erase now
 */
export async function applyRetention(
  database: Database,
  now: Temporal.Instant,
  onError: (error: Error) => void,
  processNow = systemClock.now(),
): Promise<{ isMore: boolean }> {
  const { contact, financial, records } = cutoffsAt(now)
  const { transaction } = database
  if (await transaction((tx) => isRunHeld(tx, now, processNow))) return { isMore: false }
  const accounts = await eraseMembers(database, 'account', now, onError)
  const health = await eraseMembers(database, 'health', now, onError)
  const erase = (eraseRows: (tx: Tx, limit: number) => Promise<number>) =>
    inBatches((limit) => transaction((tx) => eraseRows(tx, limit)), onError)
  const [purchases, reads, lines, events, messages, complaints] = [
    await erase((tx, limit) => erasePurchases(tx, { until: financial, limit, keeps: hasComplaint })),
    await erase((tx, limit) => eraseHealthReads(tx, { until: records, limit, keeps: hasComplaint })),
    await erase((tx, limit) => eraseAuditLines(tx, { until: records, limit, keeps: isAboutComplaint })),
    await erase((tx, limit) => eraseSecurityEvents(tx, { until: records, limit, keeps: isEventOfComplaint })),
    await erase((tx, limit) => eraseMessages(tx, { until: records, limit, keeps: hasComplaint })),
    await erase((tx, limit) => eraseOutsideComplaints(tx, { until: contact, limit })),
  ]
  const all = [accounts, health, purchases, reads, lines, events, messages, complaints]
  const erased = {
    members: accounts.erased,
    healthRecords: health.erased,
    purchases: purchases.erased,
    recordLines: reads.erased + lines.erased + events.erased + messages.erased + complaints.erased,
    failures: all.reduce((sum, { failures }) => sum + failures, 0),
  }
  const isMore = all.some((part) => part.isMore)
  await transaction(async (tx) => {
    await tx.insert(retentionRuns).values({ ranAt: now, ...erased })
    if (!isMore) await endHold(tx)
  })
  return { isMore }
}

type Part = { erased: number; failures: number; isMore: boolean }

async function eraseMembers(
  database: Database,
  scope: ErasureScope,
  now: Temporal.Instant,
  onError: (error: Error) => void,
): Promise<Part> {
  const part = { erased: 0, failures: 0, isMore: false }
  let after = ''
  while (!part.isMore) {
    const due = await membersDue(database.db, scope, { now, after, limit: BATCH.members })
    for (const id of due) {
      try {
        if (await database.transaction((tx) => eraseIfDue(tx, scope, id, now))) part.erased++
      } catch (error) {
        part.failures++
        onError(new Error(`retention (${scope}) failed for a member and will be tried tomorrow`, { cause: error }))
      }
    }
    after = due.at(-1) ?? ''
    if (due.length < BATCH.members) break
    part.isMore = part.erased >= MAX_RUN.members
  }
  return part
}

/** Locks a member and erases them, or their health information, if that is still due. */
async function eraseIfDue(tx: Tx, scope: ErasureScope, id: string, now: Temporal.Instant): Promise<boolean> {
  if (scope === 'account') {
    const user = await lockMember(tx, id)
    if (!user || !(await isMemberDue(tx, scope, id, now))) return false
    await eraseLocked(tx, user, now)
    await recordSecurity(tx, { kind: 'erased', subject: id, details: { cause: 'retention' } }, now)
    return true
  }
  // Blocks concurrent purchases and bookings, which reference the user.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('update')
  if (!(await isMemberDue(tx, scope, id, now))) return false
  await eraseHealth(tx, id)
  return true
}

async function inBatches(
  eraseSome: (limit: number) => Promise<number>,
  onError: (error: Error) => void,
): Promise<Part> {
  const part = { erased: 0, failures: 0, isMore: false }
  try {
    while (!part.isMore) {
      const some = await eraseSome(BATCH.rows)
      part.erased += some
      if (some < BATCH.rows) break
      part.isMore = part.erased >= MAX_RUN.rows
    }
  } catch (error) {
    part.failures++
    onError(new Error('retention of records failed and will be tried tomorrow', { cause: error }))
  }
  return part
}
