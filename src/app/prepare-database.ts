import type { EmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { migrate, SchemaMismatch } from '#platform/database/migrate.ts'
import { type RetryStep, retryWhileUnavailable } from '#platform/database/retry-while-unavailable.ts'
import { prepareJobs } from '#platform/jobs/prepare-jobs.ts'
import { queuePlans } from './queues.ts'
import type { Settings } from './settings.ts'

type ServerOptions = {
  /** For a short task while a site runs. Others move an embedded database aside that this version cannot use. */
  canShareServer?: boolean
  ownerLabel?: string
}

type DatabaseServer = Pick<EmbeddedPostgres, 'url' | 'stop'> & Partial<EmbeddedPostgres>

/** The database server, as it is: that of `DATABASE_URL`, or the embedded one. */
export async function databaseServer(
  settings: Settings,
  print: (sentence: string) => void,
  options: ServerOptions = {},
): Promise<DatabaseServer> {
  const { databaseUrl, dataDir, port } = settings
  if (databaseUrl) return { url: databaseUrl, stop: async () => {} }
  const { startEmbeddedPostgres } = await import('#platform/database/embedded-postgres.ts')
  return await startEmbeddedPostgres({
    dataDir,
    print,
    ownerLabel: options.ownerLabel ?? `the site on port ${port}`,
    canShareServer: options.canShareServer ?? false,
  })
}

/**
 * Migrates the schema and the queues.
 *
 * @param url a direct connection whose role may change the schema; where nothing is to do, any role
 * @returns the names of the migrations that ran
 */
export async function migrateDatabase(url: string, newerSchema: Settings['newerSchema'] = 'refuse'): Promise<string[]> {
  const done = await migrate(url, undefined, newerSchema)
  await prepareJobs(url, queuePlans)
  return done
}

/**
 * The migrated database: that of `DATABASE_URL`, or the embedded one.
 *
 * @param options.signal stops waiting for an absent database
 * @returns its URL (with the password: never log it), how to wait for it, and how to stop it
 * @throws OperatorError for what the operator can fix
 */
export async function prepareDatabase(
  settings: Settings,
  print: (sentence: string) => void,
  options: ServerOptions & { signal?: AbortSignal } = {},
): Promise<PreparedDatabase> {
  return await prepare(await databaseServer(settings, print, options), settings, print, options)
}

type PreparedDatabase = { url: string; retryStep: RetryStep; stop(): Promise<void> }

async function prepare(
  server: DatabaseServer,
  settings: Settings,
  print: (sentence: string) => void,
  options: ServerOptions & { signal?: AbortSignal },
): Promise<PreparedDatabase> {
  const waitOptions = { print, signal: options.signal }
  const retryStep = retryWhileUnavailable({ url: server.url, setting: 'DATABASE_URL' }, waitOptions)
  const { migrationDatabaseUrl } = settings
  const migrating = migrationDatabaseUrl ?? server.url
  const retryMigrating = migrationDatabaseUrl
    ? retryWhileUnavailable({ url: migrationDatabaseUrl, setting: 'MIGRATION_DATABASE_URL' }, waitOptions)
    : retryStep
  try {
    const done = await retryMigrating(() => migrateDatabase(migrating, settings.newerSchema))
    if (done.length > 0) print(`The database was updated. Migrations: ${done.length}.`)
    return { url: server.url, retryStep, stop: () => server.stop() }
  } catch (error) {
    if (!options.canShareServer && server.startAfresh && error instanceof SchemaMismatch) {
      return await prepare(await server.startAfresh('another version of the site'), settings, print, options)
    }
    await server.stop()
    throw error
  }
}
