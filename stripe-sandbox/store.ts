/** The rows: every object of Stripe's is one, kept as the JSON that is shown. */
import type pg from 'pg'
import type { Method, StripeObject } from './shapes.ts'

export type Tx = pg.PoolClient

/** What Stripe never shows of a payment: how it is paid for, and where the browser goes after 3-D Secure. */
export type Behind = { method: Method | null; returnUrl: string | null }
export type Row<O extends StripeObject> = { object: O; behind: Behind | null }
type Kind = StripeObject['object']
type OfKind<K extends Kind> = Extract<StripeObject, { object: K }>

/** Any number that nobody else locks. */
const SCHEMA_LOCK = 7_203_114_201

/** Two processes may start at once: the second waits. */
export async function createSchema(pool: pg.Pool): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [SCHEMA_LOCK])
    await makeTables(tx)
  })
}

/** The same in a transaction that is open already. */
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

/** Adds an object, or replaces the one of its id. */
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

/** Holds the payment that an object belongs to until the transaction ends: whatever changes about one, changes in turn. */
export async function lockPaymentOf(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `select from sandbox.objects
      where id = (select payment_intent from sandbox.objects where id = $1) for update`,
    [id],
  )
}

/** What belongs to a payment, the newest first. */
export async function belongingTo<K extends Kind>(tx: Tx, kind: K, intentId: string): Promise<OfKind<K>[]> {
  const { rows } = await tx.query<Row<OfKind<K>>>(
    'select object from sandbox.objects where payment_intent = $1 and kind = $2 order by seq desc',
    [intentId, kind],
  )
  return rows.map(({ object }) => object)
}

/** Half a minute from now it goes on by itself: a bank debit arrives or fails, a refund fails. */
export async function goesOnLater(tx: Tx, id: string): Promise<void> {
  await tx.query(`update sandbox.objects set due_at = clock_timestamp() + interval '30 seconds' where id = $1`, [id])
}

/** @returns false when somebody else was quicker */
export async function goesOnNow(tx: Tx, id: string): Promise<boolean> {
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

// `json`, not `jsonb`: it keeps the order of the fields. The block takes over what was once a table for each kind.
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

do $$
declare former text;
begin
  if to_regclass('sandbox.payment_intents') is null then return; end if;
  foreach former in array array['payment_intents', 'charges', 'refunds', 'disputes', 'early_fraud_warnings'] loop
    execute format('insert into sandbox.objects (id, object) select id, object from sandbox.%I order by seq', former);
  end loop;
  update sandbox.objects set due_at = clock_timestamp() where object ->> 'status' = 'processing';
  drop table sandbox.early_fraud_warnings, sandbox.disputes, sandbox.refunds, sandbox.charges, sandbox.payment_methods,
    sandbox.payment_intents, sandbox.later;
  alter table sandbox.idempotency_keys drop column endpoint, drop column request_id;
end $$;
`
