import type pg from 'pg'
import type { Method, StripeObject } from './shapes.ts'

export type Tx = pg.PoolClient

/** Private details of a payment: its method, and where the browser goes after 3-D Secure. */
export type Behind = { method: Method | null; returnUrl: string | null }
export type Row<O extends StripeObject> = { object: O; behind: Behind | null }
type Kind = StripeObject['object']
type OfKind<K extends Kind> = Extract<StripeObject, { object: K }>

/** Unique among advisory locks. */
const SCHEMA_LOCK = 7_203_114_201

/** Creates the tables; of two processes that start together, the second waits. */
export async function createSchema(pool: pg.Pool): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [SCHEMA_LOCK])
    await makeTables(tx)
  })
}

/** The same in an open transaction. */
export async function makeTables(tx: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await tx.query(SCHEMA)
}

/** Runs `work` in one transaction on one connection of the pool. */
export async function inTransaction<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = await pool.connect()
  let broken: Error | undefined
  try {
    await tx.query('begin')
    const result = await work(tx)
    await tx.query('commit')
    return result
  } catch (error) {
    await tx.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    tx.release(broken)
  }
}

/** Inserts or replaces an object. */
export async function put(tx: Tx, object: StripeObject, behind: Behind | null = null): Promise<void> {
  await tx.query(
    `insert into sandbox.objects (id, object, behind) values ($1, $2, $3)
     on conflict (id) do update set object = excluded.object, behind = coalesce(excluded.behind, sandbox.objects.behind)`,
    [object.id, JSON.stringify(object), behind && JSON.stringify(behind)],
  )
}

export async function find<K extends Kind>(tx: Tx, kind: K, id: string): Promise<Row<OfKind<K>> | undefined> {
  const { rows } = await tx.query<Row<OfKind<K>>>(
    'select object, behind from sandbox.objects where id = $1 and kind = $2',
    [id, kind],
  )
  return rows[0]
}

/** Locks the payment that an object belongs to, so changes to it run one after the other. */
export async function lockPaymentOf(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `select from sandbox.objects
      where id = (select payment_intent from sandbox.objects where id = $1) for update`,
    [id],
  )
}

/** Objects of a payment, newest first. */
export async function belongingTo<K extends Kind>(tx: Tx, kind: K, intentId: string): Promise<OfKind<K>[]> {
  const { rows } = await tx.query<Row<OfKind<K>>>(
    'select object from sandbox.objects where payment_intent = $1 and kind = $2 order by seq desc',
    [intentId, kind],
  )
  return rows.map(({ object }) => object)
}

/** All objects of a kind, oldest first. */
export async function allOf<K extends Kind>(tx: Tx, kind: K): Promise<OfKind<K>[]> {
  const { rows } = await tx.query<Row<OfKind<K>>>('select object from sandbox.objects where kind = $1 order by seq', [
    kind,
  ])
  return rows.map(({ object }) => object)
}

export async function byIds(tx: Tx, ids: readonly string[]): Promise<Map<string, StripeObject>> {
  const { rows } = await tx.query<Row<StripeObject>>('select object from sandbox.objects where id = any($1)', [ids])
  return new Map(rows.map(({ object }) => [object.id, object]))
}

/** Schedules a pending debit or a failing refund to settle in half a minute. */
export async function settleLater(tx: Tx, id: string): Promise<void> {
  await tx.query(`update sandbox.objects set due_at = clock_timestamp() + interval '30 seconds' where id = $1`, [id])
}

/** @returns false if it is not scheduled, or another process was faster */
export async function claimSettlement(tx: Tx, id: string): Promise<boolean> {
  const { rowCount } = await tx.query('update sandbox.objects set due_at = null where id = $1 and due_at is not null', [
    id,
  ])
  return rowCount === 1
}

export async function idsDue(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from sandbox.objects where due_at <= clock_timestamp() order by seq limit 10',
  )
  return rows.map(({ id }) => id)
}

// `json`, not `jsonb`, keeps the order of the fields.
const SCHEMA = `
create schema if not exists sandbox;

create table if not exists sandbox.objects (
  seq bigint generated always as identity,
  id text primary key,
  kind text not null generated always as (object ->> 'object') stored,
  payment_intent text not null generated always as (coalesce(object ->> 'payment_intent', id)) stored,
  object json not null,
  behind json,
  due_at timestamptz
);
create index if not exists objects_of_payment on sandbox.objects (payment_intent, kind);
create index if not exists objects_due on sandbox.objects (due_at) where due_at is not null;

create table if not exists sandbox.events (
  seq bigint generated always as identity,
  id text primary key,
  created bigint not null,
  type text not null,
  body text not null,
  recorded_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  attempts int not null default 0,
  delivered_at timestamptz
);
create index if not exists events_undelivered on sandbox.events (due_at) where delivered_at is null;

create table if not exists sandbox.idempotency_keys (
  key text primary key,
  fingerprint text not null,
  status int not null,
  body text not null,
  created_at timestamptz not null default clock_timestamp()
);
`
