import {
  restoreReminders,
  restoreSentToRegulars,
  type SentReminder,
  type SentToRegulars,
  sentReminders,
  sentToRegulars,
} from '#booking/server/booking.ts'
import type { Connection } from '#platform/database/backup/catalog.ts'
import { dropRestoredJobs } from '#platform/database/backup/records.ts'
import type { Tx } from '#platform/database/database.ts'
import { migrationsIn, otherMigration, type RanMigration } from '#platform/database/migrate.ts'
import { doneJobs, hasQueue } from '#platform/jobs/job-tables.ts'
import { erasedIds, recordErasures, repeatWithdrawals, withdrawalsIn } from '#privacy/server/privacy.ts'
import { type MailedVoucher, mailedVouchers, restoreMailed } from '#vouchers/server/vouchers.ts'
import { PROMISED_QUEUES } from './backup-contents.ts'
import type { Journal } from './journal.ts'
import { linesOf, type NotGranted, notGrantedIn, rememberReplaced } from './replaced.ts'
import { isOfSameStudio, type KnownRights, repeatLosses, rightsIn, rightsOfReplaced } from './rights.ts'

/** What the replaced database knows about the time after the backup, and must not be lost. */
export type Since = Omit<Journal, 'rights'> & {
  rights: KnownRights | undefined
  doneJobs: string[]
  reminded: SentReminder[]
  regulars: SentToRegulars | undefined
  mailedVouchers: MailedVoucher[]
  /** The last receipt number; undefined where nothing is known. */
  lastReceipt: number | undefined
  /** What happened after the backup, a line each; undefined where nothing is known. */
  happened: HappenedSince | undefined
}

const nameOf = (user: string) => `${user}.first_name || ' ' || ${user}.last_name`
const PLACE = `${nameOf('u')} || ', ' || c.title || ', ' || c.date || ' ' || left(c.start_time::text, 5) as line
  from taken_places b join users u on u.id = b.user_id join classes c on c.id = b.class_id`
const SALE = `'receipt ' || receipt_number || coalesce(', ' || (buyer ->> 'firstName') || ' ' || (buyer ->> 'lastName'), '')
  as line from purchases where purchased_at > $1`

/** What the owner has to repeat: a query for one line each; `$1` is the moment of the backup. */
export const HAPPENED_SINCE = {
  registered: `select ${nameOf('users')} as line from users where created_at > $1 order by created_at`,
  booked: `select ${PLACE} where b.booked_at > $1 order by b.booked_at`,
  cancelled: `select ${PLACE} where b.cancelled_at > $1 and b.booked_at <= $1 order by b.cancelled_at`,
  paidByCard: `select ${SALE} and payment_intent_id is not null order by receipt_number`,
  soldAtDesk: `select ${SALE} and desk_method is not null order by receipt_number`,
  boughtForFree: `select ${SALE} and payment_intent_id is null and desk_method is null order by receipt_number`,
  vouchersSold: `select coalesce(${nameOf('u')}, 'a former member') || ', code ending ' || last_four as line
    from vouchers v left join users u on u.id = v.buyer_id where sold_at > $1 order by sold_at`,
  refundedAtDesk: `select 'receipt ' || coalesce(p.receipt_number::text, '?') as line
    from refunds r left join purchases p on p.id = r.purchase_id
    where r.created_at > $1 and r.payment_intent_id is null order by r.id`,
  changedByAdmins: `select action || ' ' || subject_kind || ' ' || subject_id as line from audit_log where at > $1 order by id`,
} as const
type HappenedSince = Record<keyof typeof HAPPENED_SINCE, string[]>

/** Of a database without a studio of this schema. */
const NOTHING_KNOWN: Since = {
  erased: [],
  withdrawals: [],
  rights: undefined,
  mailedVouchers: [],
  doneJobs: [],
  reminded: [],
  regulars: undefined,
  lastReceipt: undefined,
  happened: undefined,
}

/** Reads what the replaced database knows, in the transaction that replaces it. @param schema every migration of now */
export async function readSince(
  connection: Connection,
  tx: Tx,
  { schema, takenAt, now }: { schema: readonly RanMigration[]; takenAt: string; now: Temporal.Instant },
): Promise<Since> {
  const ran = await migrationsIn(connection)
  if (!ran || ran.length < schema.length || otherMigration(ran, schema)) return NOTHING_KNOWN
  await rememberReplaced(connection)
  return {
    erased: await erasedIds(tx),
    withdrawals: await withdrawalsIn(tx),
    rights: await rightsOfReplaced(tx),
    mailedVouchers: await mailedVouchers(tx),
    doneJobs: await idsOfDoneJobs(connection),
    reminded: await sentReminders(tx, now),
    regulars: await sentToRegulars(tx),
    lastReceipt: await lastReceipt(connection),
    happened: await happened(connection, takenAt),
  }
}

/** pg-boss deletes a job a day after it is done. An email that was given up is not done. */
async function idsOfDoneJobs(connection: Connection): Promise<string[]> {
  if (!(await hasQueue(connection))) return []
  const { rows } = await connection.query<{ id: string }>(
    `${doneJobs(PROMISED_QUEUES)} and id not in (select id from undelivered_mails)`,
  )
  return rows.map(({ id }) => id)
}

/** The last receipt number; 0 before the first. */
export async function lastReceipt(connection: Connection): Promise<number> {
  const { rows } = await connection.query<{ last: number }>('select last from receipt_counter')
  return rows[0]?.last ?? 0
}

async function happened(connection: Connection, takenAt: string): Promise<HappenedSince> {
  return await linesOf(connection, HAPPENED_SINCE, [takenAt])
}

/** What a restore repeated, and what the replaced database knows about the rest. */
export type Repeated = {
  health: number
  marketing: number
  /** Counts of lost rights, by description; undefined where nothing was known. */
  lost: Map<string, number> | undefined
  /** Whether the replaced database was of the same studio. */
  isSame: boolean
  notGranted: NotGranted | undefined
  happened: HappenedSince | undefined
}

/** Applies to the restored database: erasures, withdrawals, lost rights, emails and reminders that were sent. */
export async function applySince(
  connection: Connection,
  tx: Tx,
  since: Since & { known: { isSame: boolean; isLater: boolean }; journal: KnownRights | undefined },
  now: Temporal.Instant,
): Promise<Repeated> {
  await recordErasures(tx, since.erased, now)
  const repeated = await repeatWithdrawals(tx, since.withdrawals)
  const { isSame, isLater } = since.known
  const known = isSame ? since.rights : since.journal
  const isUsable = known && (isSame || isOfSameStudio(known, await rightsIn(tx)))
  const lost = isUsable ? await repeatLosses(connection, tx, known, now) : undefined
  await dropRestoredJobs(tx, since.doneJobs)
  await restoreReminders(tx, since.reminded)
  if (isSame && isLater && since.regulars) await restoreSentToRegulars(tx, since.regulars)
  await restoreMailed(tx, since.mailedVouchers)
  return {
    ...repeated,
    lost,
    isSame,
    notGranted: isSame && isLater ? await notGrantedIn(connection) : undefined,
    happened: isSame && isLater ? since.happened : undefined,
  }
}
