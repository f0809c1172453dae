import { createHash } from 'node:crypto'
import { and, eq, lt, or, sql } from 'drizzle-orm'
import type { Endpoint, ReplyOf } from '#foundation/endpoint.ts'
import type { Clock } from '#foundation/instants.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { Database, Tx } from '../database/database.ts'
import { type Call, type Http, serve } from './serve.ts'
import { idempotencyKeys } from './tables.ts'

/** How long a key is remembered: longer than anybody tries the same thing again. */
const REMEMBERED = { hours: 24 }

/**
 * Serves a write that may come with an `Idempotency-Key`: the same key does the thing once, and is answered as the
 * first time. Key and deed are one transaction, so a refused or undone one leaves the key unused; a second call waits
 * for the first.
 *
 * @param handle does the thing; all of it within `tx`
 */
export function serveOnce<const E extends Endpoint & { who: 'member' | 'admin'; takesKey: true }>(
  http: Http,
  endpoint: E,
  { database, clock }: { database: Pick<Database, 'transaction'>; clock: Clock },
  handle: (tx: Tx, call: Call<E>) => Promise<ReplyOf<E>>,
): void {
  serve(http, endpoint, async (call) => {
    const key = call.request.headers['idempotency-key']
    return await database.transaction(async (tx) => {
      if (typeof key !== 'string') return await handle(tx, call)
      const write = {
        userId: call.request.caller?.id ?? refuse(commonRefusals.unauthorized),
        key,
        endpoint: `${endpoint.method} ${endpoint.path}`,
        requestHash: hashOf(call),
      }
      const before = await takeKey(tx, write, clock.now())
      if (before) {
        call.reply.code(before.status)
        // Kept as this endpoint answered it, and JSON since.
        return before.response as ReplyOf<E>
      }
      const reply = await handle(tx, call)
      await tx.update(idempotencyKeys).set({ status: call.reply.statusCode, response: reply }).where(isKey(write))
      return reply
    })
  })
}

type Write = { userId: string; key: string; endpoint: string; requestHash: string }

const isKey = ({ userId, key }: Write) => and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key))

/** Writes the key, or answers what was said when it was used before. Whoever is using it just now is waited for. */
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
  // Tidied away between the two statements: a day old, so nobody waits for this answer.
  if (!used?.status) refuse(commonRefusals.unavailable)
  if (used.endpoint !== write.endpoint || used.requestHash !== write.requestHash)
    refuse(commonRefusals.idempotency_key_reused)
  return { status: used.status, response: used.response }
}

/** What was asked, as it was understood: white space and unknown fields make no difference. */
function hashOf({ params, query, body }: { params: unknown; query: unknown; body: unknown }): string {
  return createHash('sha256')
    .update(JSON.stringify([params, query, body]))
    .digest('base64url')
}

/** Forgets keys that nobody will send again. */
export async function deleteOldKeys(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, now.subtract(REMEMBERED)))
}

/** Deletes the keys of an erased user, and those of other users whose kept reply mentions them. */
export async function deleteKeysOf(tx: Tx, { id, email }: { id: string; email: string }): Promise<void> {
  const reply = sql`lower(${idempotencyKeys.response}::text)`
  const mentions = (text: string) => sql`strpos(${reply}, ${text.toLowerCase()}) > 0`
  await tx.delete(idempotencyKeys).where(or(eq(idempotencyKeys.userId, id), mentions(id), mentions(email)))
}
