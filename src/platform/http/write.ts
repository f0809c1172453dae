import { createHash } from 'node:crypto'
import { and, arrayContains, eq, lt, or, sql } from 'drizzle-orm'
import type { Endpoint, ResponseInput } from '#foundation/endpoint.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { Reader, Tx } from '../database/database.ts'
import { type Call, type Http, serve } from './serve.ts'
import { idempotencyKeys } from './tables.ts'

/** Longer than any client retries. */
const REMEMBERED = { hours: 24 }

/** A checked call of a write, with the transaction that it does all its work in, and the time at which it began. */
export type Write<E extends Endpoint> = Omit<Call<E>, 'db'> & { tx: Tx; now: Temporal.Instant }

/**
 * Serves a contract entry that changes something, a read that is recorded among them: `handle` does all its work in
 * one transaction. The response is stored in it with the call's `Idempotency-Key`: a repeated call is rolled back and
 * gets the first response; a failed one leaves the key unused. Private responses are never stored.
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
      const request = takesKey ? keyedRequest(call, endpoint) : undefined
      try {
        return await database.transaction(async (tx) => {
          const now = clock.now()
          const response = await handle({ ...call, tx, now }, prepared)
          const status = call.reply.statusCode
          // If the key is taken, this fails, after waiting for a concurrent call.
          if (request) {
            // As it is sent: a row may have more columns than the contract.
            const sent = endpoint.response.parse(endpoint.says ? { message: endpoint.says } : response)
            await tx.insert(idempotencyKeys).values({ ...request, status, response: sent, createdAt: now })
          }
          return response
        })
      } catch (error) {
        // It may have failed because the first call with its key had succeeded.
        const first = request && (await firstResponse(database.db, request))
        if (!first) throw error
        call.reply.code(first.status)
        // Stored as this endpoint's response, as JSON.
        return first.response as ResponseInput<E>
      }
    },
    { takesKey },
  )
}

const VISITOR = ''

type KeyedRequest = { userId: string; key: string; endpoint: string; about: string[]; requestHash: string }

function keyedRequest(call: Call<Endpoint>, { method, path }: Endpoint): KeyedRequest | undefined {
  const { headers, caller } = call.request
  const key = headers['idempotency-key']
  if (typeof key !== 'string') return undefined
  const { params, query, body } = call
  return {
    // A visitor's key is as good as a password: only its sender knows it.
    userId: caller?.id ?? VISITOR,
    key,
    endpoint: `${method} ${path}`,
    about: Object.values(params ?? {}).map(hashOf),
    // Of the parsed request, so white space and unknown fields make no difference.
    requestHash: hashOf([params, query, body]),
  }
}

/** The response to the first call with the key; undefined if none was carried out. */
async function firstResponse(reader: Reader, { userId, key, endpoint, requestHash }: KeyedRequest) {
  const isFirst = and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key))
  // The call has failed anyway: another failure here explains nothing.
  const [first] = await reader
    .select()
    .from(idempotencyKeys)
    .where(isFirst)
    .catch(() => [])
  if (first && (first.endpoint !== endpoint || first.requestHash !== requestHash))
    refuse(commonRefusals.idempotency_key_reused)
  return first
}

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url')

/** Deletes expired keys. */
export async function deleteOldKeys(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, now.subtract(REMEMBERED)))
}

/** Deletes the keys of an erased user, and those of other users whose request or response names them. */
export async function deleteKeysOf(
  tx: Tx,
  { id, email, firstName, lastName }: { id: string; email: string | null; firstName: string; lastName: string | null },
): Promise<void> {
  const stored = sql`lower(${idempotencyKeys.response}::text)`
  const mentions = (text: string) => sql`strpos(${stored}, ${text.toLowerCase()}) > 0`
  await tx
    .delete(idempotencyKeys)
    .where(
      or(
        eq(idempotencyKeys.userId, id),
        arrayContains(idempotencyKeys.about, [hashOf(id)]),
        mentions(id),
        email === null ? undefined : mentions(email),
        and(mentions(firstName), mentions(lastName ?? '')),
      ),
    )
}
