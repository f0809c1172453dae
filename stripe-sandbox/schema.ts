import type pg from 'pg'

const schemaLock = 7_203_114_201

/**
 * Creates what is missing of the schema `sandbox`. Two processes may call it at once: the second waits.
 * Objects are kept as the JSON that Stripe shows (`json`, not `jsonb`, to keep the order of its fields).
 */
export async function createSchema(pool: pg.Pool): Promise<void> {
  const connection = await pool.connect()
  try {
    await connection.query('begin')
    await connection.query('select pg_advisory_xact_lock($1)', [schemaLock])
    await connection.query(tables)
    await connection.query('commit')
  } catch (error) {
    await connection.query('rollback')
    throw error
  } finally {
    connection.release()
  }
}

const tables = `
create schema if not exists sandbox;

create table if not exists sandbox.payment_intents (
  seq bigint generated always as identity,
  id text primary key,
  created bigint not null,
  object json not null,
  return_url text
);

create table if not exists sandbox.payment_methods (
  seq bigint generated always as identity,
  id text primary key,
  created bigint not null,
  object json not null,
  authentication text not null,
  decline text
);

create table if not exists sandbox.charges (
  seq bigint generated always as identity,
  id text primary key,
  created bigint not null,
  payment_intent text not null references sandbox.payment_intents,
  paid boolean not null,
  object json not null
);
create unique index if not exists one_paid_charge_per_payment_intent
  on sandbox.charges (payment_intent) where paid;

create table if not exists sandbox.refunds (
  seq bigint generated always as identity,
  id text primary key,
  created bigint not null,
  payment_intent text not null references sandbox.payment_intents,
  charge text not null references sandbox.charges,
  object json not null
);
create index if not exists refunds_of_payment_intent on sandbox.refunds (payment_intent);

alter table sandbox.payment_methods add column if not exists aftermath text;

create table if not exists sandbox.disputes (
  seq bigint generated always as identity,
  id text primary key,
  created bigint not null,
  payment_intent text not null references sandbox.payment_intents,
  charge text not null references sandbox.charges,
  object json not null
);
create index if not exists disputes_of_payment_intent on sandbox.disputes (payment_intent);

create table if not exists sandbox.early_fraud_warnings (
  seq bigint generated always as identity,
  id text primary key,
  created bigint not null,
  payment_intent text not null references sandbox.payment_intents,
  charge text not null references sandbox.charges,
  object json not null
);
create index if not exists early_fraud_warnings_of_payment_intent on sandbox.early_fraud_warnings (payment_intent);

create table if not exists sandbox.later (
  seq bigint generated always as identity primary key,
  what text not null,
  id text not null,
  due_at timestamptz not null default clock_timestamp() + interval '30 seconds'
);

create table if not exists sandbox.events (
  seq bigint generated always as identity,
  id text primary key,
  created bigint not null,
  type text not null,
  body text not null,
  recorded_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  claimed_until timestamptz,
  attempts int not null default 0,
  delivered_at timestamptz,
  gave_up boolean not null default false
);
create index if not exists events_to_deliver on sandbox.events (due_at) where delivered_at is null and not gave_up;

create table if not exists sandbox.idempotency_keys (
  key text primary key,
  endpoint text not null,
  fingerprint text not null,
  request_id text not null,
  status int not null,
  body text not null,
  created_at timestamptz not null default clock_timestamp()
);
`
