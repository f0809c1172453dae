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
import { eraseLocked, lockMember } from './delete-user.ts'
import { endHold, isRunHeld } from './retention-hold.ts'
import { type Ending, isMemberDue, membersDue } from './who-is-due.ts'

/** Members looked up at a time, and rows of records erased in one transaction. */
const A_BATCH = { members: 100, rows: 1000 }
/** A run stops after so many of each and says that there is more: what is left is another job's. */
const A_RUN = { members: 500, rows: 20_000 }

/**
 * Applies the retention that the privacy policy promises: accounts, health information, purchases and records whose time
 * is over are erased, a short transaction each, and counted. What fails is reported and left for the next run. May run
 * twice, and beside everything else: who comes back in the same instant is looked at again under lock.
 *
 * It erases nothing while a clock may be wrong, until the owner confirms ({@link isRunHeld}).
 *
 * @param processNow by the clock of this machine, which may differ from the database's
 * @returns whether there is more to do now
 */
export async function applyRetention(
  database: Database,
  now: Temporal.Instant,
  onError: (error: Error) => void,
  processNow = systemClock.now(),
): Promise<{ isMore: boolean }> {
  const cutoffs = cutoffsAt(now)
  const { transaction } = database
  if (await transaction((tx) => isRunHeld(tx, now, processNow))) return { isMore: false }
  const accounts = await eraseMembers(database, 'account', now, onError)
  const health = await eraseMembers(database, 'health', now, onError)
  const erase = (some: (tx: Tx, limit: number) => Promise<number>) =>
    inBatches((limit) => transaction((tx) => some(tx, limit)), onError)
  const { financial, records } = cutoffs
  const [purchases, reads, lines, events, messages] = [
    await erase((tx, limit) => erasePurchases(tx, { until: financial, limit, keeps: hasComplaint })),
    await erase((tx, limit) => eraseHealthReads(tx, { until: records, limit, keeps: hasComplaint })),
    await erase((tx, limit) => eraseAuditLines(tx, { until: records, limit, keeps: isAboutComplaint })),
    await erase((tx, limit) => eraseSecurityEvents(tx, { until: records, limit, keeps: isEventOfComplaint })),
    await erase((tx, limit) => eraseMessages(tx, { until: records, limit, keeps: hasComplaint })),
  ]
  const all = [accounts, health, purchases, reads, lines, events, messages]
  const erased = {
    members: accounts.erased,
    healthRecords: health.erased,
    purchases: purchases.erased,
    recordLines: reads.erased + lines.erased + events.erased + messages.erased,
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
  ending: Ending,
  now: Temporal.Instant,
  onError: (error: Error) => void,
): Promise<Part> {
  const part = { erased: 0, failures: 0, isMore: false }
  const cutoffs = cutoffsAt(now)
  let after = ''
  while (!part.isMore) {
    const due = await membersDue(database.db, ending, { cutoffs, now, after, limit: A_BATCH.members })
    for (const id of due) {
      try {
        if (await database.transaction((tx) => eraseIfDue(tx, ending, id, now))) part.erased++
      } catch (error) {
        part.failures++
        onError(new Error(`retention (${ending}) failed for a member and will be tried tomorrow`, { cause: error }))
      }
    }
    after = due.at(-1) ?? ''
    if (due.length < A_BATCH.members) break
    part.isMore = part.erased >= A_RUN.members
  }
  return part
}

/** Erases one member, or their health information, unless that is no longer due once they are locked. */
async function eraseIfDue(tx: Tx, ending: Ending, id: string, now: Temporal.Instant): Promise<boolean> {
  const cutoffs = cutoffsAt(now)
  if (ending === 'account') {
    const user = await lockMember(tx, id)
    if (!user || !(await isMemberDue(tx, ending, { id, cutoffs, now }))) return false
    await eraseLocked(tx, user, now)
    await recordSecurity(tx, { kind: 'erased', subject: id, details: { cause: 'retention' } }, now)
    return true
  }
  // Against a pass or a booking that is just being made: both refer to the user, and wait.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('update')
  if (!(await isMemberDue(tx, ending, { id, cutoffs, now }))) return false
  await eraseHealth(tx, id)
  return true
}

/** Erases rows batch by batch until none is over. */
async function inBatches(
  eraseSome: (limit: number) => Promise<number>,
  onError: (error: Error) => void,
): Promise<Part> {
  const part = { erased: 0, failures: 0, isMore: false }
  try {
    while (!part.isMore) {
      const some = await eraseSome(A_BATCH.rows)
      part.erased += some
      if (some < A_BATCH.rows) break
      part.isMore = part.erased >= A_RUN.rows
    }
  } catch (error) {
    part.failures++
    onError(new Error('retention of records failed and will be tried tomorrow', { cause: error }))
  }
  return part
}
