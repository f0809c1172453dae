import { setTimeout as pause } from 'node:timers/promises'
import { PlainFault } from '../plain-fault.ts'
import { absenceOf, type NamedDatabase, placeOf, plainDatabaseFault } from './database-faults.ts'
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
