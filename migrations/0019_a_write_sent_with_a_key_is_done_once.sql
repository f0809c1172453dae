create table idempotency_keys (
  user_id text not null references users (id) on delete cascade,
  key text not null check (length(key) between 1 and 255),
  endpoint text not null,
  request_hash text not null,
  status smallint,
  response jsonb,
  created_at timestamptz not null,
  primary key (user_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

comment on table idempotency_keys is 'Writes that were sent with an Idempotency-Key: written in the transaction of the deed, forgotten after a day';
comment on column idempotency_keys.status is 'null only inside the transaction that does the deed';
