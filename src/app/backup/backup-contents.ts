import { keysOf } from '#foundation/collections.ts'
import type { MailName } from '#messages/mail.ts'
import type { Connection } from '#platform/database/backup/catalog.ts'
import type { Manifest } from '#platform/database/backup/copy-out.ts'
import { hasQueue, openJobs } from '#platform/jobs/job-tables.ts'
import type { QueueName } from '#platform/jobs/queues.ts'
import { personalTables, REGISTER } from '#privacy/register.ts'

/** The studio's tables, and in the demo those of the card provider's sandbox. */
export const SCHEMAS = ['public', 'sandbox']

/** Tables that a backup leaves out: what was used or changed since would work again. Every other table is in it. */
export const LEFT_OUT: ReadonlySet<string> = new Set(
  keysOf(REGISTER).filter((table) => REGISTER[table]?.restore === 'left out'),
)

/** Tables with encrypted health information. */
export const SEALED: readonly string[] = personalTables().flatMap(([table, { isSealed }]) => (isSealed ? table : []))

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
