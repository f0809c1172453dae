import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { vi } from 'vitest'
import type { Reader } from '#platform/database/database.ts'

/** How many statements the program sends to the database while `work` is done; `begin` and `commit` do not count. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    const statements = asked.mock.calls.map(([statement]: unknown[], i) => ({
      ...(typeof statement === 'string' ? { text: statement } : (statement as { name?: string; text?: string })),
      database: databaseOf(asked.mock.contexts[i]),
    }))
    // What an earlier file of this process has left to do asks a database of its own.
    const byDatabase = Map.groupBy(statements.filter(isOurs), ({ database }) => database)
    return Math.max(0, ...[...byDatabase.values()].map(({ length }) => length))
  } finally {
    asked.mockRestore()
  }
}

const databaseOf = (client: unknown) => (client instanceof pg.Client ? client.database : undefined)

/**
 * Sandbox and queues look around by themselves, in transactions of their own; a new connection is given its limits. What a
 * use case queues is a statement with a name.
 */
function isOurs({ name, text = '' }: { name?: string; text?: string }): boolean {
  if (/sandbox\.|set_config/.test(text) || (/pgboss/.test(text) && !name)) return false
  return /^\s*(insert|update|delete|select|with)/i.test(text)
}

/** How PostgreSQL would run the one statement that `ask` sends if reading all of a table were its last resort. */
export async function planOf(server: { pool: pg.Pool }, ask: (reader: Reader) => Promise<unknown>): Promise<string> {
  const client = await server.pool.connect()
  try {
    await client.query('begin; set local enable_seqscan = off')
    const explained: string[] = []
    const explains = async ({ text }: { text: string }, values: unknown[]) => {
      const { rows } = await client.query(`explain ${text}`, values)
      explained.push(...rows.map((row) => row['QUERY PLAN']))
      return { rows: [] }
    }
    await ask(drizzle({ client: Object.create(client, { query: { value: explains } }) }))
    return explained.join('\n')
  } finally {
    await client.query('rollback')
    client.release()
  }
}
