import { setTimeout as pause } from 'node:timers/promises'
import { errnoOf, PlainFault } from '../plain-fault.ts'
import { databaseErrorOf } from './database.ts'
import { isOutage } from './outage.ts'

/** Runs a step of the start, again and again while the database is not there or takes too long. */
export type Patiently = <Result>(step: () => Promise<Result>) => Promise<Result>

/** How long the start waits for a database that is not there. Ours. */
const ABSENT_MS = 60_000
/** What takes longer is told. */
const QUIET_MS = 5000
const AGAIN_MS = 500

/**
 * Patience with one database: a minute with one that is not there, however long with one that is slow. That it waits is
 * said once. Steps must be fit for being run again.
 *
 * @param options.signal ends the waiting
 * @throws PlainFault for what can be mended: nobody came, or whoever came refused
 */
export function patienceWith(
  database: NamedDatabase,
  { say, signal, absentMs = ABSENT_MS }: { say: (sentence: string) => void; signal?: AbortSignal; absentMs?: number },
): Patiently {
  let isTold = false
  const tell = (why: string) => {
    if (!isTold) say(`Waiting for the database at ${placeOf(database)}: ${why}.`)
    isTold = true
  }
  return async (step) => {
    let absentSince: number | undefined
    for (;;) {
      signal?.throwIfAborted()
      const slow = setTimeout(tell, QUIET_MS, 'it has not answered yet')
      try {
        return await step()
      } catch (error) {
        if (!isOutage(error)) throw plainDatabaseFault(error, database)
        const absence = absenceOf(error)
        const now = performance.now()
        if (absence && absentSince !== undefined && now - absentSince > absentMs) {
          throw nobodyCame(database, absentMs, absence, error)
        }
        absentSince = absence ? (absentSince ?? now) : undefined
        tell(absence ?? 'it takes too long')
      } finally {
        clearTimeout(slow)
      }
      await pause(AGAIN_MS, undefined, { signal })
    }
  }
}

function nobodyCame(database: NamedDatabase, absentMs: number, why: string, cause: unknown): PlainFault {
  return new PlainFault(
    `The database at ${placeOf(database)} was not there for ${absentMs / 1000} seconds (${why}). Is it running, and is ${database.setting} right?`,
    { cause },
  )
}

/** Which database, and the setting that says so. */
type NamedDatabase = { url: string; setting: string }

/** `user "studio"`, `database "studio"`, `db.example:5432`: what may be said of an address, so never the password. */
function partsOf(address: string) {
  const url = new URL(address)
  return {
    user: decodeURIComponent(url.username),
    database: decodeURIComponent(url.pathname.slice(1)),
    at: `${url.hostname}:${url.port || 5432}`,
  }
}

/** What whoever runs the site can do about an error of the start; every other error is answered as it is. */
function plainDatabaseFault(error: unknown, { url, setting }: NamedDatabase): unknown {
  const { user, database, at } = partsOf(url)
  const said = error instanceof Error ? error.message : String(error)
  const sentences: Record<string, string> = {
    '28P01': `PostgreSQL at ${at} refuses the password of "${user}". Correct ${setting}.`,
    '28000': `PostgreSQL at ${at} does not let "${user}" in (${said}). Correct ${setting}, or the server's pg_hba.conf.`,
    '3D000': `There is no database "${database}" at ${at}. Create it, or correct ${setting}.`,
    '42501': `"${user}" may not do that in the database "${database}" at ${at} (${said}). Grant it what docs/operations/database.md lists, and let MIGRATION_DATABASE_URL name a role that may change the schema.`,
  }
  const sentence = sentences[databaseErrorOf(error)?.code ?? ''] ?? tlsFault(error, at, setting)
  return sentence ? new PlainFault(sentence, { cause: error }) : error
}

function tlsFault(error: unknown, at: string, setting: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.message === 'The server does not support SSL connections') {
    return `PostgreSQL at ${at} does not encrypt its connections. Take sslmode out of ${setting}, or switch ssl on there.`
  }
  const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(errnoOf(error) ?? '')
  return isCertificate
    ? `The certificate of PostgreSQL at ${at} cannot be trusted (${error.message}). Name its authority with sslrootcert in ${setting}.`
    : undefined
}

/** Why nobody answers at an address. */
const ABSENT: Record<string, string> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'nothing comes back',
  EHOSTUNREACH: 'there is no way there',
  ENETUNREACH: 'there is no way there',
  ENOTFOUND: 'nobody knows that name',
  EAI_AGAIN: 'nobody knows that name yet',
}

/**
 * Why a database is not there, in words; undefined for one that is there and slow or full.
 *
 * @param error an outage (`outage.ts`)
 */
function absenceOf(error: unknown): string | undefined {
  const known = databaseErrorOf(error)
  if (known) return /^(57P0[123]|08)/.test(known.code) && error instanceof Error ? error.message : undefined
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const why = ABSENT[errnoOf(cause) ?? '']
    if (why) return why
    if (cause.message.startsWith('Connection terminated unexpectedly')) return 'the connection was closed'
  }
  return undefined
}

/** How a sentence names a database. */
const placeOf = ({ url }: NamedDatabase): string => partsOf(url).at
