import { once } from 'node:events'
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
      if (!existing.has(name)) await boss.createQueue(name, { ...KEPT, notify: true, ...planned(plan) })
    }
    // A new version of pg-boss builds indexes in the background.
    while (!fault && (await boss.getBamStatus()).some(({ status }) => status !== 'completed')) await pause(200)
    if (fault) throw fault
  } finally {
    await boss.stop({ graceful: false }).finally(close)
  }
}

/**
 * Connections for pg-boss: with our keepalive, with errors that say whether the database is unavailable, and with
 * LISTEN. Statements have no time limits, because pg-boss builds indexes too.
 */
export function openQueueDatabase(
  url: string,
  config: pg.PoolConfig,
  options: { begin?: string } = {},
): { db: Db; close(): Promise<void> } {
  const { begin } = options
  const pool = openPool(url, { connectionTimeoutMillis: LIMITS.background.connectionMs, ...config })
  const run = async (...statement: [text: string, values?: unknown[]]) =>
    begin ? await runInTransaction(await pool.connect(), begin, statement) : await pool.query(...statement)
  const executeSql = (text: string, values?: unknown[]) =>
    run(text, values).catch((error) => {
      throw unavailable(error, 'no answer from the database')
    })
  return { db: { executeSql, listen: listenOn(pool) }, close: () => pool.end() }
}

/** A transaction pooler passes no notification on; a busy machine may be as slow as this. */
const HEARD_WITHIN_MS = 2000
const RECONNECT_MS = 1000

/** LISTEN for pg-boss, on one connection of the pool, which is replaced when it is lost. Rejects behind a pooler. */
function listenOn(pool: pg.Pool): NonNullable<Db['listen']> {
  return async (channel, onNotification, onListening) => {
    const closing = new AbortController()
    const { signal } = closing
    async function open(): Promise<pg.PoolClient> {
      const client = await pool.connect()
      try {
        const heard = once(client, 'notification', { signal: AbortSignal.timeout(HEARD_WITHIN_MS) })
        heard.catch(() => {})
        await client.query(`listen "${channel}"`)
        await pool.query(`select pg_notify($1, '')`, [channel])
        await heard
      } catch (error) {
        await client.query('unlisten *').catch(() => {})
        client.release(true)
        throw error
      }
      client.on('notification', ({ payload = '' }) => onNotification(payload))
      client.once('end', () => {
        client.release(true)
        if (!signal.aborted) void reopen()
      })
      onListening()
      return client
    }
    let current = await open()
    async function reopen(): Promise<void> {
      for (;;) {
        try {
          await pause(RECONNECT_MS, undefined, { signal })
          current = await open()
          return
        } catch {
          if (signal.aborted) return
        }
      }
    }
    return {
      async close() {
        closing.abort()
        await current.end()
      },
    }
  }
}

const MINUTE = 60
const DAY = 86_400
const KEPT = {
  retentionSeconds: 30 * DAY,
  // A finished email job holds a name and an address.
  deleteAfterSeconds: DAY,
}

const planned = ({ retryLimit, retryDelay, retryDelayMax, limitSeconds = MINUTE }: QueuePlan) => ({
  expireInSeconds: limitSeconds,
  retryLimit,
  retryDelay,
  retryDelayMax,
  retryBackoff: true,
})
