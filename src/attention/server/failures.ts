import { and, desc, eq, gt, gte, isNull, lt, or, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { ownerOf } from '#facts/rules.ts'
import { currentFacts } from '#facts/server/facts.ts'
import type { Clock } from '#foundation/instants.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { Database, Reader, Tx } from '#platform/database/database.ts'
import { FAILING_WINDOW_MINUTES, isFailing, WATCHED, type Watched } from '../rules.ts'
import { incidents, outcomes } from '../tables.ts'

/** The writes by which a member books and pays. A refusal (4xx) is no failure; a server error or a timeout is. */
const ROUTES: Record<string, Watched> = {
  '/api/bookings': 'booking',
  '/api/create-payment-intent': 'payment',
  '/api/purchase-package': 'payment',
}
const WRITE_AFTER_MS = 10_000
/** An incident that starts again this soon is the same one, without another email. */
const SAME_INCIDENT = { hours: 1 }
const KEPT = { hours: 24 }
const SHOWN = { hours: 7 * 24 }

export type OutcomeCounter = {
  count(kind: Watched, status: number): void
  /** Writes what was counted since the last call. */
  write(): Promise<void>
}

/** Counts outcomes in this process, for the database to add up. */
export function outcomeCounter(database: Database, clock: Clock): OutcomeCounter {
  const counts = new Map<Watched, { total: number; failed: number }>()
  return {
    count(kind, status) {
      const { total, failed } = counts.get(kind) ?? { total: 0, failed: 0 }
      counts.set(kind, { total: total + 1, failed: failed + (status >= 500 ? 1 : 0) })
    },
    async write() {
      if (counts.size === 0) return
      const minute = clock.now().round({ smallestUnit: 'minute', roundingMode: 'floor' })
      const rows = [...counts].map(([kind, counted]) => ({ kind, minute, ...counted }))
      counts.clear()
      await database.db
        .insert(outcomes)
        .values(rows)
        .onConflictDoUpdate({
          target: [outcomes.kind, outcomes.minute],
          set: {
            total: sql`${outcomes.total} + excluded.total`,
            failed: sql`${outcomes.failed} + excluded.failed`,
          },
        })
    },
  }
}

/** Counts the responses of the watched routes. @param writes within ten seconds, or only when asked */
export function countOutcomes(app: FastifyInstance, counter: OutcomeCounter, writes: boolean): void {
  let timer: NodeJS.Timeout | undefined
  const write = () => {
    timer = undefined
    counter.write().catch((err) => app.log.warn({ err }, 'outcomes could not be counted'))
  }
  app.addHook('preClose', async () => clearTimeout(timer))
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const kind = method === 'POST' ? ROUTES[routeOptions.url ?? ''] : undefined
    if (!kind) return
    counter.count(kind, reply.statusCode)
    if (writes) timer ??= setTimeout(write, WRITE_AFTER_MS).unref()
  })
}

/** Starts an incident when too many fail, emails the owner once, and ends it when they stop. Runs every minute. */
export async function watchFailures(tx: Tx, now: Temporal.Instant): Promise<void> {
  const since = now.subtract({ minutes: FAILING_WINDOW_MINUTES })
  const rows = await tx
    .select({
      kind: outcomes.kind,
      total: sql<number>`sum(${outcomes.total})::int`,
      failed: sql<number>`sum(${outcomes.failed})::int`,
    })
    .from(outcomes)
    .where(gt(outcomes.minute, since))
    .groupBy(outcomes.kind)
  for (const kind of WATCHED) {
    const counted = rows.find((row) => row.kind === kind)
    const isOf = eq(incidents.kind, kind)
    if (!counted || !isFailing(counted)) {
      await tx
        .update(incidents)
        .set({ endedAt: now })
        .where(and(isOf, isNull(incidents.endedAt)))
      continue
    }
    const isSame = or(isNull(incidents.endedAt), gt(incidents.endedAt, now.subtract(SAME_INCIDENT)))
    const [same] = await tx.select().from(incidents).where(and(isOf, isSame)).orderBy(desc(incidents.id)).limit(1)
    if (same) {
      await tx.update(incidents).set({ endedAt: null }).where(eq(incidents.id, same.id))
      continue
    }
    const { total, failed } = counted
    const started = await tx
      .insert(incidents)
      .values({ kind, startedAt: now, total, failed })
      .onConflictDoNothing()
      .returning({ id: incidents.id })
    if (started.length === 0) continue
    await queueMail(tx, 'failing', { to: ownerOf(await currentFacts(tx)), kind, total, failed, at: now.toString() })
  }
  await tx.delete(outcomes).where(lt(outcomes.minute, now.subtract(KEPT)))
}

/** Incidents of the last week, newest first. */
export async function recentIncidents(reader: Reader, now: Temporal.Instant) {
  return await reader
    .select()
    .from(incidents)
    .where(gte(incidents.startedAt, now.subtract(SHOWN)))
    .orderBy(desc(incidents.id))
}
