import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { vi } from 'vitest'
import type { Reader } from '../platform/database/database.ts'

/** How many statements the program sends to the database while `work` is done; `begin` and `commit` do not count. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    const texts = asked.mock.calls.map(([statement]: unknown[]) =>
      typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? ''),
    )
    // The sandbox looks around by itself, in transactions of its own; a new connection is given its limits.
    const others = /sandbox\.|set_config/
    return texts.filter((text) => /^\s*(insert|update|delete|select)/i.test(text) && !others.test(text)).length
  } finally {
    asked.mockRestore()
  }
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
