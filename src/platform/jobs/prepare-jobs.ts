import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Db, PgBoss } from 'pg-boss'
import { openPool, runInTransaction, unavailable } from '../database/database.ts'
import { LIMITS } from '../limits.ts'
import type { QueuePlan, QueuePlans } from './queues.ts'

/**
 * Migrates pg-boss's schema (`pgboss`) and creates missing queues, with the migrations: serving changes no schema.
 *
 * @param url a PostgreSQL URL whose role may create or owns the schema; where nothing is to do, any role
 */
export async function prepareJobs(url: string, plans: QueuePlans): Promise<void> {
  const { db, close } = openQueueDatabase(url, { max: 2, application_name: 'studio migrations' })
  const boss = new PgBoss({ db, supervise: false, schedule: false })
  let fault: Error | undefined
  boss.on('error', (error) => {
    fault = error
  })
  try {
    await boss.start()
    const existing = new Set((await boss.getQueues()).map((queue) => queue.name))
    for (const [name, plan] of Object.entries<QueuePlan>(plans)) {
      if (!existing.has(name)) await boss.createQueue(name, { ...KEPT, ...planned(plan) })
    }
    // A new version of pg-boss builds indexes in the background.
    while (!fault && (await boss.getBamStatus()).some(({ status }) => status !== 'completed')) await pause(200)
    if (fault) throw fault
  } finally {
    await boss.stop({ graceful: false }).finally(close)
  }
}

/**
 * Connections for pg-boss: with our keepalive, and with errors that say whether the database is unavailable. Statements
 * have no time limits, because pg-boss builds indexes too.
 */
export function openQueueDatabase(
  url: string,
  config: pg.PoolConfig,
  options: { begin?: string } = {},
): { db: Db; pool: pg.Pool; close(): Promise<void> } {
  const { begin } = options
  const pool = openPool(url, { connectionTimeoutMillis: LIMITS.background.connectionMs, ...config })
  const run = async (...statement: [text: string, values?: unknown[]]) =>
    begin ? await runInTransaction(await pool.connect(), begin, statement) : await pool.query(...statement)
  const executeSql = (text: string, values?: unknown[]) =>
    run(text, values).catch((error) => {
      throw unavailable(error, 'no answer from the database')
    })
  return { db: { executeSql }, pool, close: () => pool.end() }
}

const MINUTE = 60
const DAY = 86_400
const KEPT = {
  retentionSeconds: 30 * DAY,
  // A finished email job holds a name and an address.
  deleteAfterSeconds: DAY,
}

const planned = ({ cron, retryLimit, retryDelay, retryDelayMax, limitSeconds = MINUTE }: QueuePlan) => ({
  // pg-boss notifies in its transaction, where COMMIT holds a lock on all others while it waits for the disk. Its own
  // schedules do not wait for it; for what use cases queue, `jobs.ts` notifies after the commit.
  notify: cron !== undefined,
  expireInSeconds: limitSeconds,
  retryLimit,
  retryDelay,
  retryDelayMax,
  retryBackoff: true,
})
