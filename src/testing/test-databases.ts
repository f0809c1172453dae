import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { bringUpToDate } from '#app/prepare-database.ts'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { makeEmptiable } from './emptying.ts'

const TEMPLATE = 'studio_template'

/** Names the pooler through which databases are opened, `127.0.0.1:6432`; unset: none (`npm run lab -- through-pgbouncer`). */
export const POOLER = 'STUDIO_TESTS_POOLER'

/** The same server, another database. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Starts a PostgreSQL for tests (no fsync: a power cut may take it) and makes the migrated template. */
export async function startTestDatabases(dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await startEmbeddedPostgres({ dataDir, say: () => {}, forTests: true, ownerLabel: 'the tests' })
  await administer(server.superuserUrl, `create database ${TEMPLATE}`)
  const template = databaseUrl(server.superuserUrl, TEMPLATE)
  await bringUpToDate(template)
  await administer(template, makeEmptiable)
  return { url: server.superuserUrl, stop: server.stop }
}

/** A database of one's own, copied in some tens of milliseconds: of the empty studio, unless another template is named. */
export async function openTestDatabase(
  server: string,
  template = TEMPLATE,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const url = new URL(await createTestDatabase(server, name, template))
  url.host = process.env[POOLER] ?? url.host
  return {
    url: url.href,
    async drop() {
      // PostgreSQL waits for connections that are just closing; forced, one of them would die with an error of its own.
      await administer(server, `drop database ${name}`).catch(() =>
        administer(server, `drop database ${name} with (force)`),
      )
    },
  }
}

/** Makes a database that stays as long as its server. Answers its URL. */
export async function createTestDatabase(server: string, name: string, template = TEMPLATE): Promise<string> {
  await administer(server, `create database ${name} template ${template} strategy wal_log`)
  return databaseUrl(server, name)
}

async function administer(server: string, work: string | ((client: pg.Client) => Promise<void>)): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await (typeof work === 'string' ? client.query(work) : work(client))
  } finally {
    await client.end()
  }
}
