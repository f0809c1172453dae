import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { vi } from 'vitest'
import type { Reader } from '#platform/database/database.ts'

/** Counts the statements sent to the database during `work`, without `begin`, `commit` and background work. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    const statements = spy.mock.calls.map(([statement]: unknown[], i) => ({
      ...(typeof statement === 'string' ? { text: statement } : (statement as { name?: string; text?: string })),
      ...sentBy(spy.mock.contexts[i]),
    }))
    // Leftover work of an earlier test file uses another database.
    const counted = statements.filter((statement) => !statement.isBackground && isFromUseCase(statement))
    const byDatabase = Map.groupBy(counted, ({ database }) => database)
    return Math.max(0, ...[...byDatabase.values()].map(({ length }) => length))
  } finally {
    spy.mockRestore()
  }
}

function sentBy(client: unknown) {
  const { database, connectionParameters } = client as pg.Client & {
    connectionParameters?: { application_name?: string }
  }
  return { database, isBackground: connectionParameters?.application_name === 'studio background' }
}

/** Leaves out polling by sandbox and queues, and connection limits. Use cases queue by named statements. */
function isFromUseCase({ name, text = '' }: { name?: string; text?: string }): boolean {
  if (/sandbox\.|set_config/.test(text) || (/pgboss/.test(text) && !name)) return false
  return /^\s*(insert|update|delete|select|with)/i.test(text)
}

/** PostgreSQL's plan for the statement that `query` sends, with sequential scans as a last resort. */
export async function planOf(server: { pool: pg.Pool }, query: (reader: Reader) => Promise<unknown>): Promise<string> {
  const client = await server.pool.connect()
  try {
    await client.query('begin; set local enable_seqscan = off')
    const explained: string[] = []
    const explain = async ({ text }: { text: string }, values: unknown[]) => {
      const { rows } = await client.query(`explain ${text}`, values)
      explained.push(...rows.map((row) => row['QUERY PLAN']))
      return { rows: [] }
    }
    await query(drizzle({ client: Object.create(client, { query: { value: explain } }) }))
    return explained.join('\n')
  } finally {
    await client.query('rollback')
    client.release()
  }
}
