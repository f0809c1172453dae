import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'
import { migrate } from '../platform/database/migrate.ts'
import type { Settings } from './settings.ts'

/**
 * The database to run on, migrated: the server of `DATABASE_URL`, or the embedded one.
 *
 * @param options.besideOwner for a short task beside a running site
 * @returns its URL (password included: never log it) and how to let go of it
 */
export async function prepareDatabase(
  settings: Settings,
  say: (sentence: string) => void,
  options: { besideOwner?: boolean; ownerLabel?: string } = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const { databaseUrl, dataDir, port } = settings
  const server = databaseUrl
    ? { url: databaseUrl, stop: async () => {} }
    : await startEmbeddedPostgres({
        dataDir,
        say,
        ownerLabel: options.ownerLabel ?? `the site on port ${port}`,
        besideOwner: options.besideOwner ?? false,
      })
  try {
    const done = await migrate(server.url)
    if (done.length > 0) say(`The database was brought up to date (${done.length} migrations).`)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { url: server.url, stop: () => server.stop() }
}
