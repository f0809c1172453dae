import { createHash } from 'node:crypto'
import { and, eq, lt, or, sql } from 'drizzle-orm'
import type { Endpoint, ResponseInput } from '#foundation/endpoint.ts'
import type { Clock } from '#foundation/instants.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { Database, Tx } from '../database/database.ts'
import { type Call, type Http, serve } from './serve.ts'
import { idempotencyKeys } from './tables.ts'

/** Longer than any client retries. */
const REMEMBERED = { hours: 24 }

/**
 * Serves a write that accepts an `Idempotency-Key`: a repeated key runs `handle` once and returns the first response.
 * They are one transaction, so a failed write leaves the key unused; a concurrent call with the same key waits.
 *
 * @param options.before what cannot be in the transaction, such as a call of another service; runs for every request
 * @param handle does all its work in `tx`
 */
export function serveOnce<const E extends Endpoint & { who: 'member' | 'admin'; acceptsIdempotencyKey: true }>(
  http: Http,
  endpoint: E,
  {
    database,
    clock,
    before,
  }: { database: Pick<Database, 'transaction'>; clock: Clock; before?: (call: Call<E>) => Promise<void> },
  handle: (tx: Tx, call: Call<E>) => Promise<ResponseInput<E>>,
): void {
  serve(http, endpoint, async (call) => {
    await before?.(call)
    const key = call.request.headers['idempotency-key']
    return await database.transaction(async (tx) => {
      if (typeof key !== 'string') return await handle(tx, call)
      const write = {
        userId: call.request.caller?.id ?? refuse(commonRefusals.unauthorized),
        key,
        endpoint: `${endpoint.method} ${endpoint.path}`,
        requestHash: hashOf(call),
      }
      const first = await takeKey(tx, write, clock.now())
      if (first) {
        call.reply.code(first.status)
        // Stored as this endpoint's response, as JSON.
        return first.response as ResponseInput<E>
      }
      const response = await handle(tx, call)
      await tx.update(idempotencyKeys).set({ status: call.reply.statusCode, response }).where(isKey(write))
      return response
    })
  })
}

type Write = { userId: string; key: string; endpoint: string; requestHash: string }

const isKey = ({ userId, key }: Write) => and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key))

/** Stores the key, or returns the response of its first use. Waits for a concurrent use. */
async function takeKey(
  tx: Tx,
  write: Write,
  now: Temporal.Instant,
): Promise<{ status: number; response: unknown } | undefined> {
  const taken = await tx
    .insert(idempotencyKeys)
    .values({ ...write, createdAt: now })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key })
  if (taken.length > 0) return undefined
  const [used] = await tx.select().from(idempotencyKeys).where(isKey(write))
  // The key was deleted between the two statements, after a day.
  if (!used?.status) refuse(commonRefusals.unavailable)
  if (used.endpoint !== write.endpoint || used.requestHash !== write.requestHash)
    refuse(commonRefusals.idempotency_key_reused)
  return { status: used.status, response: used.response }
}

/** A hash of the parsed request: white space and unknown fields make no difference. */
function hashOf({ params, query, body }: { params: unknown; query: unknown; body: unknown }): string {
  return createHash('sha256')
    .update(JSON.stringify([params, query, body]))
    .digest('base64url')
}

/** Deletes expired keys. */
export async function deleteOldKeys(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, now.subtract(REMEMBERED)))
}

/** Deletes the keys of an erased user, and those of other users whose stored response mentions them. */
export async function deleteKeysOf(tx: Tx, { id, email }: { id: string; email: string | null }): Promise<void> {
  const stored = sql`lower(${idempotencyKeys.response}::text)`
  const mentions = (text: string) => sql`strpos(${stored}, ${text.toLowerCase()}) > 0`
  await tx
    .delete(idempotencyKeys)
    .where(or(eq(idempotencyKeys.userId, id), mentions(id), email === null ? undefined : mentions(email)))
}
