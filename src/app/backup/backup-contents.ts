import type { MailName } from '#messages/mail.ts'
import type { Connection } from '#platform/database/backup/catalog.ts'
import type { Manifest } from '#platform/database/backup/copy-out.ts'
import { hasQueue, openJobs } from '#platform/jobs/job-tables.ts'
import type { QueueName } from '#platform/jobs/queues.ts'

/** The studio's tables, and in the demo those of the card provider's sandbox. */
export const SCHEMAS = ['public', 'sandbox']

/** Tables that a backup leaves out, and why; every other table is in it. Decision 12. */
export const EXCLUDED_TABLES: { readonly [table: string]: string } = {
  migrations: 'the migrations create the tables and record themselves',
  sessions: 'a session that has ended since would be open again',
  one_time_links: 'a link that was used since would work again',
  email_changes: 'a change that was undone since could be undone again',
  email_change_requests: 'a change that was confirmed or cancelled since could be confirmed again',
  passkey_challenges: 'they last minutes',
  pending_sign_ins: 'they last minutes',
  idempotency_keys: 'replies of the last day, which may name members who were erased since',
  throttles: 'counters of the last hours',
}

/** Queues whose jobs people were promised. Scheduled jobs find what is due in the tables. */
export const PROMISED_QUEUES: readonly QueueName[] = ['mail', 'mail-to-many', 'send-refund']
/** Their links are not in the backup, so the member has to request a new one. */
const LINK_EMAILS: readonly MailName[] = [
  'verify-email',
  'set-password',
  'invitation',
  'confirm-new-email',
  'email-changed',
  'email-change-undone',
]

/** SQL for what is copied as the table `restored_jobs`: the jobs that wait now, and those a restore left waiting. */
export async function waitingJobsSql(connection: Connection): Promise<string> {
  const links = LINK_EMAILS.map((mail) => `'${mail}'`).join(', ')
  const queued = `union all select id, name, data, created_on from (${openJobs(PROMISED_QUEUES)}) as open
    where not (name = 'mail' and data ->> 'mail' in (${links}))`
  return `(select id, queue, data, created_at from restored_jobs ${(await hasQueue(connection)) ? queued : ''}) as waiting`
}

const isSandbox = (name: string) => name.startsWith('sandbox.')

/**
 * The demo's sandbox is in the same database, and in the backup. An existing one is left alone, as Stripe would be; a
 * missing one is restored, or the payments would be unknown. Live has none.
 */
export async function sandboxTables(
  connection: Connection,
  manifest: Manifest,
  isDemo: boolean,
): Promise<{ prepare?(): Promise<void>; leaveOut(name: string): boolean }> {
  const { rows } = await connection.query<{ there: boolean }>(
    "select to_regclass('sandbox.objects') is not null as there",
  )
  const isWanted = isDemo && !rows[0]?.there && Object.keys(manifest.tables).some(isSandbox)
  if (!isWanted) return { leaveOut: isSandbox }
  const { makeSandboxTables } = await import('../demo/sandbox.ts')
  return { prepare: () => makeSandboxTables(connection), leaveOut: () => false }
}
