import type pg from 'pg'
import type { DatabaseLimits } from '../limits.ts'

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
