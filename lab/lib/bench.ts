import { fill } from './fill.ts'
import { type LiveSite, newSecrets, type Secrets, startLiveSite } from './live-site.ts'
import type { OwnPostgres } from './own-postgres.ts'
import { alternate, type Comparison, THOROUGH } from './rounds.ts'
import { type Cost, costOf } from './table.ts'

/** Lowest rate compared with the older checkout. */
const MIN_RATE_TO_BEFORE = 0.95

export type Bench = {
  postgres: OwnPostgres
  /** The folder of an older checkout to compare with. */
  against: string | undefined
  /** The host of a PgBouncer that the sites use. */
  pooler?: string | undefined
  /** Prints progress. */
  print(sentence: string): void
}

export type FilledSite<Filled> = LiveSite & { databaseUrl: string; secrets: Secrets; filled: Filled }

/**
 * Starts a site on an empty database, which it migrates, and fills that.
 *
 * @param options.checkout the folder of another checkout to run
 */
export async function openSite<Filled>(
  { postgres, print, pooler }: Bench,
  options: {
    name: string
    checkout?: string
    fillWith(client: Parameters<Parameters<typeof fill>[1]>[0], secrets: Secrets): Promise<Filled>
  },
): Promise<FilledSite<Filled> & AsyncDisposable> {
  const { name, checkout, fillWith } = options
  print(`Filling ${name}.`)
  const direct = await postgres.emptyDatabase(name)
  const databaseUrl = pooler ? Object.assign(new URL(direct), { host: pooler }).href : direct
  const secrets = newSecrets()
  const env = { MIGRATION_DATABASE_URL: direct }
  const site = await startLiveSite({ name, databaseUrl, folder: postgres.folder, secrets, checkout, env })
  try {
    const filled = await fill(direct, (client) => fillWith(client, secrets))
    return { ...site, databaseUrl, secrets, filled, [Symbol.asyncDispose]: site.stop }
  } catch (error) {
    await site.stop()
    throw error
  }
}

/** Compares the rate of some work with that of the older checkout. */
export async function compareWithBefore(
  what: string,
  here: () => Promise<number>,
  before: () => Promise<number>,
  effort: Parameters<typeof alternate>[0] = THOROUGH,
): Promise<Cost> {
  const comparison: Comparison = await alternate(effort, before, here)
  return costOf(`${what}: its rate compared with before`, comparison, { atLeast: MIN_RATE_TO_BEFORE })
}
