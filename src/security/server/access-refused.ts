import type { Clock } from '#foundation/clock.ts'
import type { Database } from '#platform/database/database.ts'
import { recordSecurity } from './record-security.ts'

/** So long after a line nothing more is written of the same person: whoever is refused cannot fill the table. */
const ONE_LINE_IN = { minutes: 1 }
/** Of more people than this at once nobody is remembered. */
const MOST_REMEMBERED = 1000

/** Puts on record that somebody signed in asked for what only an admin may; at most a line a minute and process of each. */
export function accessRefusals({ database, clock }: { database: Database; clock: Clock }) {
  const written = new Map<string, Temporal.Instant>()
  return async function note(userId: string, address: string): Promise<void> {
    const now = clock.now()
    const last = written.get(userId)
    if (last && Temporal.Instant.compare(now, last.add(ONE_LINE_IN)) < 0) return
    if (written.size >= MOST_REMEMBERED) written.clear()
    written.set(userId, now)
    const event = { kind: 'access_refused', outcome: 'refused', actor: userId, address } as const
    await database.transaction((tx) => recordSecurity(tx, { ...event, details: { why: 'not_an_admin' } }, now))
  }
}
