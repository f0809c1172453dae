/** What other parts may call of security. */

import { and, asc, desc, eq, inArray, lte, not, or, type SQL } from 'drizzle-orm'
import type { Clock } from '#foundation/instants.ts'
import { allowErasingRecords, type Database, type Reader, type Tx } from '#platform/database/database.ts'
import { askingNetwork } from '#platform/http/answer.ts'
import { networkOf } from '#platform/http/network.ts'
import {
  type DetailsOf,
  type OwnSecurityEvent,
  type RecordedKind,
  SECURITY_KINDS,
  SecurityDetails,
  type SecurityOutcome,
} from '../contract.ts'
import { securityEvents } from '../tables.ts'

export type SecurityEvent<K extends RecordedKind = RecordedKind> = {
  kind: K
  /** `done` unless stated. */
  outcome?: SecurityOutcome
  /** Who did it, by id; absent or null: nobody who was signed in. */
  actor?: string | null
  /** Whose account it is about, by id; absent: the actor's. Null: of none, or of none that is known. */
  subject?: string | null
  details?: DetailsOf<K>
  /** Of who asked, whole, where no answer is being made yet; absent: found by itself. */
  address?: string
}

/**
 * Writes a line of the security record, in the transaction of what it tells, and the same into the log when that is committed:
 * the log is out of reach of whoever has the database. From where it was asked is found by itself, shortened to a network. What is refused with an error undoes its transaction and the line with it: record that in a
 * transaction of its own before refusing.
 */
export async function recordSecurity<K extends RecordedKind>(
  tx: Tx,
  { kind, outcome = 'done', actor = null, subject = actor, details, address }: SecurityEvent<K>,
  now: Temporal.Instant,
): Promise<void> {
  const event = {
    kind,
    outcome,
    actorId: actor,
    subjectId: subject,
    address: address === undefined ? askingNetwork() : networkOf(address),
    details: SecurityDetails.parse(given(details)),
  }
  await tx.insert(securityEvents).values({ at: now, ...event })
  tx.logOnCommit({ security: event })
}

const given = (details: object = {}) =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null))

/** What is on record of somebody's account, or was done by them, the newest leading; who else took part is not named. */
export async function securityEventsOf(reader: Reader, userId: string): Promise<OwnSecurityEvent[]> {
  const rows = await reader
    .select()
    .from(securityEvents)
    .where(or(eq(securityEvents.subjectId, userId), eq(securityEvents.actorId, userId)))
    .orderBy(desc(securityEvents.id))
  return rows.map(({ kind, outcome, at, address, details }) => ({
    what: SECURITY_KINDS[kind],
    outcome,
    at: at.toString(),
    from: address,
    details,
  }))
}

/**
 * Erases lines as old as `until` or older, at most so many, but for those that `keeps` holds; for the retention job alone.
 * Returns how many.
 */
export async function eraseSecurityEvents(
  tx: Tx,
  { until, limit, keeps }: { until: Temporal.Instant; limit: number; keeps: (events: typeof securityEvents) => SQL },
): Promise<number> {
  await allowErasingRecords(tx, until)
  const over = tx
    .select({ id: securityEvents.id })
    .from(securityEvents)
    .where(and(lte(securityEvents.at, until), not(keeps(securityEvents))))
    .orderBy(asc(securityEvents.at), asc(securityEvents.id))
    .limit(limit)
  const gone = await tx
    .delete(securityEvents)
    .where(inArray(securityEvents.id, over))
    .returning({ id: securityEvents.id })
  return gone.length
}

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
