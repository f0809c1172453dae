import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Db } from 'pg-boss'

/** A transaction pooler passes no notification on; a busy machine may be as slow as this. */
const HEARD_WITHIN_MS = 2000
const RECONNECT_MS = 1000

/** LISTEN for pg-boss, on one connection of the pool, which is replaced when it is lost. Rejects behind a pooler. */
export async function listenOn(
  pool: pg.Pool,
  ...[channel, onNotification, onListening]: Parameters<NonNullable<Db['listen']>>
): ReturnType<NonNullable<Db['listen']>> {
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
