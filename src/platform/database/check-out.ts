import type pg from 'pg'
import type { DatabaseLimits } from '../limits.ts'

/**
 * Takes a connection out of the pool. When `signal` fires it is closed, which undoes what was not committed, whatever
 * the server is waiting for; so it is when something that was asked is not answered at all for `silenceMs`.
 */
export async function checkOut(
  pool: pg.Pool,
  silenceMs: number,
  signal?: AbortSignal,
): Promise<{
  client: pg.PoolClient
  release(isBroken?: boolean): void
  unlessSilent<Result>(asked: Result): Promise<Awaited<Result>>
}> {
  const client = await pool.connect()
  let isOut = true
  const release = (isBroken?: boolean) => {
    if (!isOut) return
    isOut = false
    client.off('error', close)
    signal?.removeEventListener('abort', close)
    client.release(isBroken)
  }
  const close = () => release(true)
  // Without a listener a connection that is lost would end the process.
  client.on('error', close)
  signal?.addEventListener('abort', close)
  if (signal?.aborted) close()
  async function unlessSilent<Result>(asked: Result): Promise<Awaited<Result>> {
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        // The driver closes it when what was asked has been answered, which may be never: whoever waits is told now.
        close()
        reject(new Error(`Connection terminated: nothing was heard on it for ${silenceMs} ms`))
      }, silenceMs)
    })
    try {
      return await Promise.race([asked, silence])
    } finally {
      clearTimeout(timer)
    }
  }
  return { client, release, unlessSilent }
}

/**
 * The pool, each statement within the limits. Where a session does not keep them, a statement is a transaction of its own,
 * whose begin and commit travel with it and cost no wait.
 */
export function limitedPool(pool: pg.Pool, inForce: ReturnType<typeof limitsInForce>, silenceMs: number): pg.Pool {
  const query = async (...asked: Parameters<pg.ClientBase['query']>) => {
    const { client, release, unlessSilent } = await checkOut(pool, silenceMs)
    try {
      if (inForce.isKeptBy(client)) return await unlessSilent(client.query(...asked))
      const all = [client.query(inForce.begin(client)), client.query(...asked), client.query('commit')] as const
      await unlessSilent(Promise.allSettled(all))
      await all[0]
      return await all[1]
    } finally {
      release()
    }
  }
  return Object.create(pool, { query: { value: query } })
}

/**
 * How a pool's connections keep the limits. A session of our own is given them once, when it is opened. Behind a
 * transaction pooler sessions are shared, and nothing may be left in one: there they travel with each `begin`, in one
 * packet, and a lone statement is a transaction of its own. A pooler is known by the process id it shows a client,
 * which is one of its own making.
 */
export function limitsInForce({ lockMs, statementMs, idleMs }: DatabaseLimits) {
  const limits = {
    lock_timeout: lockMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleMs,
  }
  const each = Object.entries(limits)
  const once = `select ${each.map(([name, ms]) => `set_config('${name}', '${ms}', false)`).join(', ')}`
  const travelling = ['begin', ...each.map(([name, ms]) => `set local ${name} = ${ms}`)].join('; ')
  const kept = new WeakSet<pg.ClientBase>()
  return {
    /** To be awaited before a new connection is used. */
    async onConnect(client: pg.ClientBase): Promise<void> {
      const shown = 'processID' in client ? Number(client.processID) : 0
      const { rowCount } = await client.query(`${once} where pg_backend_pid() = ${shown}`)
      if (rowCount === 1) kept.add(client)
    },
    /** Whether what this connection is asked is within the limits as it is. */
    isKeptBy: (client: pg.ClientBase): boolean => kept.has(client),
    /** What begins a transaction within the limits. */
    begin: (client: pg.ClientBase): string => (kept.has(client) ? 'begin' : travelling),
  }
}
