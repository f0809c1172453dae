import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrateDatabase } from '#app/prepare-database.ts'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { makeEmptiable } from './empty-database.ts'

const TEMPLATE = 'studio_template'

/** The environment variable with the address of the pooler that STUDIO_TESTS_PGBOUNCER started. */
export const POOLER = 'STUDIO_TESTS_POOLER'

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Starts a PostgreSQL for tests (without fsync) and creates the migrated template. */
export async function startTestDatabases(dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await startEmbeddedPostgres({ dataDir, print: () => {}, forTests: true, ownerLabel: 'the tests' })
  await administer(server.url, `create database ${TEMPLATE}`)
  const template = databaseUrl(server.url, TEMPLATE)
  await migrateDatabase(template)
  await administer(template, makeEmptiable)
  return { url: server.url, stop: server.stop }
}

/** Copies a database in some tens of milliseconds, from the empty template by default. */
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
      // Wait for closing connections first; a forced drop would make them fail.
      await administer(server, `drop database ${name}`).catch(() =>
        administer(server, `drop database ${name} with (force)`),
      )
    },
  }
}

/** Creates a database that lives as long as its server. Returns its URL. */
export async function createTestDatabase(server: string, name: string, template = TEMPLATE): Promise<string> {
  await administer(server, `create database ${name} template ${template} strategy wal_log`)
  return databaseUrl(server, name)
}

/** Runs a statement as superuser, past any pooler. */
export async function administer(server: string, work: string | ((client: pg.Client) => Promise<void>)): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await (typeof work === 'string' ? client.query(work) : work(client))
  } finally {
    await client.end()
  }
}
