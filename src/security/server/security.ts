import { desc, eq, or, type SQL } from 'drizzle-orm'
import type { Clock } from '#foundation/instants.ts'
import { type Database, eraseRecords, type OldRecords, type Reader, type Tx } from '#platform/database/database.ts'
import { networkOf } from '#platform/http/network.ts'
import { clientNetwork } from '#platform/http/time-limit.ts'
import {
  type DetailsOf,
  type RecordedKind,
  SECURITY_KINDS,
  SecurityDetails,
  type SecurityOutcome,
} from '../contract.ts'
import { securityEvents } from '../tables.ts'

export { cspReportRoute, deleteOldCspReports, type FrequentViolation, frequentViolations } from './csp-reports.ts'

export type SecurityEvent<K extends RecordedKind = RecordedKind> = {
  kind: K
  /** `done` unless stated. */
  outcome?: SecurityOutcome
  /** The id of the signed-in user who did it, if any. */
  actor?: string | null
  /** The id of the account concerned; defaults to the actor's. Null if unknown. */
  subject?: string | null
  details?: DetailsOf<K>
  /** The caller's full address; defaults to that of the current request. */
  address?: string
}

/**
 * Records a security event in the transaction of its cause, and logs it after the commit, because someone with access
 * to the database cannot change the log. A refusal rolls its transaction back, so record it in a separate one first.
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
    address: address === undefined ? clientNetwork() : networkOf(address),
    details: SecurityDetails.parse(given(details)),
  }
  await tx.insert(securityEvents).values({ at: now, ...event })
  tx.logOnCommit({ security: event })
}

const given = (details: object = {}) =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null))

/** The events of a user's account and those they caused, newest first, without naming others. */
export async function securityEventsOf(reader: Reader, userId: string) {
  const rows = await reader
    .select()
    .from(securityEvents)
    .where(or(eq(securityEvents.subjectId, userId), eq(securityEvents.actorId, userId)))
    .orderBy(desc(securityEvents.id))
  return rows.map((event) => ({ ...event, what: SECURITY_KINDS[event.kind], from: event.address }))
}

/** Erases old events, except those that `keeps` selects. Returns how many. */
export const eraseSecurityEvents = (tx: Tx, { keeps, ...old }: OldRecords<(events: typeof securityEvents) => SQL>) =>
  eraseRecords(tx, securityEvents, { ...old, keeps: keeps(securityEvents) })

/** At most one event per user in this time, so that the table cannot be flooded. */
const MIN_INTERVAL = { minutes: 1 }
const MAX_REMEMBERED = 1000

/** Records that a signed-in user was refused an admin request, at most once a minute per user and process. */
export function recordAccessRefusals({ database, clock }: { database: Database; clock: Clock }) {
  const written = new Map<string, Temporal.Instant>()
  return async function note(userId: string, address: string): Promise<void> {
    const now = clock.now()
    const last = written.get(userId)
    if (last && Temporal.Instant.compare(now, last.add(MIN_INTERVAL)) < 0) return
    if (written.size >= MAX_REMEMBERED) written.clear()
    written.set(userId, now)
    const event = { kind: 'access_refused', outcome: 'refused', actor: userId, address } as const
    await database.transaction((tx) => recordSecurity(tx, { ...event, details: { why: 'not_an_admin' } }, now))
  }
}
