import { setTimeout as pause } from 'node:timers/promises'
import { errnoOf, OperatorError } from '../operator-error.ts'
import { DatabaseUnavailable, databaseErrorOf, databaseMessageOf, isOutage } from './outage.ts'

/** Runs a step of the start, and repeats it while the database is absent or slow. */
export type RetryStep = <Result>(step: () => Promise<Result>) => Promise<Result>

/** How long the start waits for an absent database. */
const ABSENT_MS = 60_000
/** A slower step is reported. */
const QUIET_MS = 5000
const RETRY_MS = 500

/**
 * Waits a minute for an absent database, and for a slow one however long that takes. Logs once that it waits. Steps
 * must be safe to repeat.
 *
 * @param options.signal ends the waiting
 * @throws OperatorError for what the operator can fix
 */
export function retryWhileUnavailable(
  database: NamedDatabase,
  {
    print,
    signal,
    absentMs = ABSENT_MS,
  }: { print: (sentence: string) => void; signal?: AbortSignal; absentMs?: number },
): RetryStep {
  const { at } = partsOf(database.url)
  let hasSaid = false
  const sayOnce = (why: string) => {
    if (!hasSaid) print(`Waiting for the database at ${at}: ${why}.`)
    hasSaid = true
  }
  return async (step) => {
    let absentSince: number | undefined
    for (;;) {
      signal?.throwIfAborted()
      const slow = setTimeout(sayOnce, QUIET_MS, 'it has not replied yet')
      try {
        return await step()
      } catch (error) {
        const fault = plainFault(error, database)
        if (fault) throw new OperatorError(fault, { cause: error })
        if (!isOutage(error)) throw error
        const absence = absenceOf(error)
        const now = performance.now()
        if (absence && absentSince !== undefined && now - absentSince > absentMs) {
          throw new OperatorError(
            `The database at ${at} could not be reached for ${absentMs / 1000} seconds (${absence}). Check that it is running and that ${database.setting} is correct.`,
            { cause: error },
          )
        }
        absentSince = absence ? (absentSince ?? now) : undefined
        sayOnce(absence ?? 'it takes too long')
      } finally {
        clearTimeout(slow)
      }
      await pause(RETRY_MS, undefined, { signal })
    }
  }
}

/** A database, and the setting that names it. */
type NamedDatabase = { url: string; setting: string }

/** The parts of a database URL that may be shown, so never the password. */
function partsOf(address: string) {
  const url = new URL(address)
  return {
    user: decodeURIComponent(url.username),
    database: decodeURIComponent(url.pathname.slice(1)),
    at: `${url.hostname}:${url.port || 5432}`,
  }
}

/** What the operator can do about an error; undefined where it is not theirs to fix. */
function plainFault(error: unknown, { url, setting }: NamedDatabase): string | undefined {
  const { user, database, at } = partsOf(url)
  const cause = error instanceof DatabaseUnavailable ? error.cause : error
  const message = databaseMessageOf(error) ?? (cause instanceof Error ? cause.message : String(cause))
  // The driver has no code for this one.
  if (message === 'The server does not support SSL connections') {
    return `PostgreSQL at ${at} does not encrypt its connections. Remove sslmode from ${setting}, or switch SSL on there.`
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(errnoOf(cause) ?? '')) {
    return `The certificate of PostgreSQL at ${at} cannot be trusted (${message}). Set sslrootcert in ${setting} to the file of its certificate authority.`
  }
  const sentences: Record<string, string> = {
    '28P01': `PostgreSQL at ${at} refuses the password of "${user}". Correct ${setting}.`,
    '28000': `PostgreSQL at ${at} refuses connections by "${user}" (${message}). Correct ${setting}, or the server's pg_hba.conf.`,
    '3D000': `There is no database "${database}" at ${at}. Create it, or correct ${setting}.`,
    '42501': `"${user}" lacks a permission in the database "${database}" at ${at} (${message}). Grant it what docs/operations/database.md lists, and let MIGRATION_DATABASE_URL name a role that may change the schema.`,
  }
  return sentences[databaseErrorOf(error)?.code ?? '']
}

/** Why nothing answers at an address. */
const ABSENT: Record<string, string> = {
  ECONNREFUSED: 'no server is listening there',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'there is no reply',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ENOTFOUND: 'the name is unknown',
  EAI_AGAIN: 'the name cannot be resolved yet',
}

/** Why a database is absent; undefined if it is slow or full. */
function absenceOf(error: unknown): string | undefined {
  const known = databaseErrorOf(error)
  if (known) return /^(57P0[123]|08)/.test(known.code) ? databaseMessageOf(error) : undefined
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const why = ABSENT[errnoOf(cause) ?? '']
    if (why) return why
  }
  return error instanceof DatabaseUnavailable && !error.isSlow ? 'the connection was closed' : undefined
}
