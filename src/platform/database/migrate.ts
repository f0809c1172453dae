import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { LIMITS } from '../limits.ts'

const FOLDER = join(import.meta.dirname, '../../../migrations')
/** Any number that nobody else locks; the same for every process of this application. */
const MIGRATION_LOCK = 7_210_514

/**
 * Brings the database to the newest migration, one transaction per file, in the order of their names.
 * Processes that start together wait for each other under an advisory lock, so each file runs once.
 *
 * @param url a PostgreSQL URL whose role may create tables
 * @returns the names of the files that were run now
 * @throws when a file that already ran has since been changed, or one fails (its transaction is undone)
 */
export async function migrate(url: string, folder = FOLDER): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'studio migrations' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    // Whoever waits behind a migration that itself waits for a lock is kept out of the site meanwhile.
    await client.query(`set lock_timeout = ${LIMITS.background.lockMs}`)
    await client.query(
      'create table if not exists migrations (name text primary key, checksum text not null, ran_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations')
    const ran = new Map(rows.map((row) => [row.name, row.checksum]))
    const done: string[] = []
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()) {
      const text = await readFile(join(folder, name), 'utf8')
      // A checkout with CRLF line ends is the same migration.
      const checksum = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
      const before = ran.get(name)
      if (before === checksum) continue
      if (before)
        throw new Error(`migrations/${name} was changed after it ran. Undo the change and add a new migration.`)
      await runOne(client, name, text, checksum)
      done.push(name)
    }
    return done
  } finally {
    await client.end()
  }
}

async function runOne(client: pg.Client, name: string, text: string, checksum: string): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`migrations/${name} failed and was undone: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
}
