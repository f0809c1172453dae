import { fill } from './fill.ts'
import { type LiveSite, newSecrets, type Secrets, startLiveSite } from './live-site.ts'
import type { OwnPostgres } from './own-postgres.ts'
import { alternate, type Comparison, THOROUGH } from './rounds.ts'
import { type Cost, costOf } from './table.ts'

/** Of the rate before, the least. */
const RATE_BESIDE_BEFORE = 0.95

/** What every measurement is given. */
export type Bench = {
  postgres: OwnPostgres
  /** The folder of an older checkout to measure beside this one. */
  against: string | undefined
  /** Told what is going on. */
  say(sentence: string): void
}

export type FilledSite<Filled> = LiveSite & { databaseUrl: string; filled: Filled }

/**
 * A site on a database of its own, which it migrates itself; then that is filled.
 *
 * @param options.checkout another one's site than this one's
 */
export async function openSite<Filled>(
  { postgres, say }: Bench,
  options: {
    name: string
    checkout?: string
    fillWith(client: Parameters<Parameters<typeof fill>[1]>[0], secrets: Secrets): Promise<Filled>
  },
): Promise<FilledSite<Filled> & AsyncDisposable> {
  const { name, checkout, fillWith } = options
  say(`Filling ${name}.`)
  const databaseUrl = await postgres.emptyDatabase(name)
  const secrets = newSecrets()
  const site = await startLiveSite({ name, databaseUrl, folder: postgres.folder, secrets, checkout })
  try {
    const filled = await fill(databaseUrl, (client) => fillWith(client, secrets))
    return { ...site, databaseUrl, filled, [Symbol.asyncDispose]: site.stop }
  } catch (error) {
    await site.stop()
    throw error
  }
}

/** The row of one piece of work done by this checkout and by the one it is measured against. */
export async function besideBefore(
  what: string,
  here: () => Promise<number>,
  before: () => Promise<number>,
  effort: Parameters<typeof alternate>[0] = THOROUGH,
): Promise<Cost> {
  const comparison: Comparison = await alternate(effort, before, here)
  return costOf(`${what}: its rate beside the one before`, comparison, { atLeast: RATE_BESIDE_BEFORE })
}
