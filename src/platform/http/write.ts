import { createHash } from 'node:crypto'
import { and, eq, lt, or, sql } from 'drizzle-orm'
import type { Endpoint, ResponseInput } from '#foundation/endpoint.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { Tx } from '../database/database.ts'
import { type Call, type Http, serve } from './serve.ts'
import { idempotencyKeys } from './tables.ts'

/** Longer than any client retries. */
const REMEMBERED = { hours: 24 }

/** A checked call of a write, with the transaction that it does all its work in, and the time at which it began. */
export type Write<E extends Endpoint> = Omit<Call<E>, 'db'> & { tx: Tx; now: Temporal.Instant }

/**
 * Serves a contract entry that changes something, a read that is recorded among them: `handle` does all its work in
 * one transaction. A repeated `Idempotency-Key` runs it once and gets the first response; a failed write leaves the key
 * unused, and a concurrent call with the same key waits. Private responses are never stored: their calls run again.
 *
 * @param options.before what cannot be in the transaction, such as a limit that counts refused calls. It runs every
 *   time, and `handle` gets what it returns.
 */
export function write<const E extends Endpoint, Prepared = void>(
  http: Http,
  endpoint: E,
  handle: (call: Write<E>, prepared: Prepared) => Promise<ResponseInput<E>>,
  { before }: { before?: (call: Call<E>) => Promise<Prepared> } = {},
): void {
  const { database, clock } = http
  const takesKey = endpoint.method !== 'GET' && !endpoint.isPrivate
  serve(
    http,
    endpoint,
    async (call) => {
      // Without `before` there is nothing prepared.
      const prepared = (await before?.(call)) as Prepared
      const key = takesKey ? call.request.headers['idempotency-key'] : undefined
      return await database.transaction(async (tx) => {
        const now = clock.now()
        if (typeof key !== 'string') return await handle({ ...call, tx, now }, prepared)
        const request = {
          // A visitor's key is as good as a password: only its sender knows it.
          userId: call.request.caller?.id ?? VISITOR,
          key,
          endpoint: `${endpoint.method} ${call.request.url}`,
          requestHash: hashOf(call),
        }
        const first = await takeKey(tx, request, now)
        if (first) {
          call.reply.code(first.status)
          // Stored as this endpoint's response, as JSON.
          return first.response as ResponseInput<E>
        }
        const response = await handle({ ...call, tx, now }, prepared)
        await tx.update(idempotencyKeys).set({ status: call.reply.statusCode, response }).where(isKey(request))
        return response
      })
    },
    { takesKey },
  )
}

const VISITOR = ''

type KeyedRequest = { userId: string; key: string; endpoint: string; requestHash: string }

const isKey = ({ userId, key }: KeyedRequest) => and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key))

/** Stores the key, or returns the response of its first use. Waits for a concurrent use. */
async function takeKey(
  tx: Tx,
  request: KeyedRequest,
  now: Temporal.Instant,
): Promise<{ status: number; response: unknown } | undefined> {
  const taken = await tx
    .insert(idempotencyKeys)
    .values({ ...request, createdAt: now })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key })
  if (taken.length > 0) return undefined
  const [used] = await tx.select().from(idempotencyKeys).where(isKey(request))
  // The key was deleted between the two statements, after a day.
  if (!used?.status) refuse(commonRefusals.unavailable)
  if (used.endpoint !== request.endpoint || used.requestHash !== request.requestHash)
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

/** Deletes the keys of an erased user, and those of other users whose request or response names them. */
export async function deleteKeysOf(
  tx: Tx,
  { id, email, firstName, lastName }: { id: string; email: string | null; firstName: string; lastName: string | null },
): Promise<void> {
  const stored = sql`lower(concat(${idempotencyKeys.endpoint}, ' ', ${idempotencyKeys.response}))`
  const mentions = (text: string) => sql`strpos(${stored}, ${text.toLowerCase()}) > 0`
  await tx
    .delete(idempotencyKeys)
    .where(
      or(
        eq(idempotencyKeys.userId, id),
        mentions(id),
        email === null ? undefined : mentions(email),
        and(mentions(firstName), mentions(lastName ?? '')),
      ),
    )
}
