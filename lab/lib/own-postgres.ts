import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrateDatabase } from '#app/prepare-database.ts'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { removeDataDir } from '#testing/cluster-template.ts'

export type OwnPostgres = {
  /** Of its server. */
  url: string
  /** For other files; removed with the database. */
  folder: string
  /** Creates a migrated database and returns its URL. */
  database(name: string): Promise<string>
  /** The same without migrations. */
  emptyDatabase(name: string): Promise<string>
  stop(): Promise<void>
}

/** Starts the embedded PostgreSQL with fsync in a temporary folder. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-lab-'))
  // Started as root, PostgreSQL runs as another user, who must reach this folder.
  await chmod(folder, 0o711)
  const remove = () => removeDataDir(folder)
  try {
    const server = await startEmbeddedPostgres({ dataDir: folder, print: () => {}, ownerLabel: 'the lab' })
    const emptyDatabase = async (name: string) => {
      await runSql(server.url, `create database ${pg.escapeIdentifier(name)}`)
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
    }
    return {
      url: server.url,
      folder,
      emptyDatabase,
      async database(name) {
        const url = await emptyDatabase(name)
        await migrateDatabase(url)
        return url
      },
      async stop() {
        await server.stop()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Runs statements on their own connection. */
export async function runSql(url: string, text: string, values?: unknown[]): Promise<pg.QueryResult> {
  return await connected(url, (client) => client.query(text, values))
}

/** Does some work on a connection of its own. */
export async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
