/**
 * Stores the first response to an `Idempotency-Key` in the same transaction and repeats it for a day. Concurrent
 * requests with one key wait for the first. A refusal changes nothing and leaves the key free; a declined card is a
 * response.
 */
import { createHash } from 'node:crypto'
import { StripeRefusal } from './errors.ts'
import type { Tx } from './store.ts'

export type SandboxResponse = { status: number; body: string }

/** @param request path and parameters; only a hash is stored */
export async function once(
  tx: Tx,
  key: string | undefined,
  request: string,
  work: () => Promise<SandboxResponse>,
): Promise<SandboxResponse> {
  if (key === undefined) return await work()
  const fingerprint = createHash('sha256').update(request).digest('hex')
  await tx.query("select pg_advisory_xact_lock(hashtextextended('sandbox idempotency ' || $1, 0))", [key])
  await tx.query(
    "delete from sandbox.idempotency_keys where key = $1 and created_at < clock_timestamp() - interval '1 day'",
    [key],
  )
  const { rows } = await tx.query<SandboxResponse & { fingerprint: string }>(
    'select fingerprint, status, body from sandbox.idempotency_keys where key = $1',
    [key],
  )
  const [first] = rows
  if (first && first.fingerprint !== fingerprint) {
    const message = `Keys for idempotent requests can only be used with the same endpoint and parameters they were first used with. Try another key than '${key}'.`
    throw new StripeRefusal(400, { type: 'idempotency_error', message })
  }
  if (first) return first
  const response = await work()
  await tx.query('insert into sandbox.idempotency_keys (key, fingerprint, status, body) values ($1, $2, $3, $4)', [
    key,
    fingerprint,
    response.status,
    response.body,
  ])
  return response
}
