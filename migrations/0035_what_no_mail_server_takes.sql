-- A mail that a mail server refuses for good, or that none takes in three weeks, waits here for the owner instead of
-- vanishing with its job. `id` is the job's.
create table undelivered_mails (
  id uuid primary key,
  address text not null,
  mail jsonb not null,
  reason text not null,
  failed_at timestamptz not null
);
create index undelivered_mails_address_idx on undelivered_mails (lower(address));
create index undelivered_mails_failed_at_idx on undelivered_mails (failed_at);

-- Addresses that a mail server says take no mail. The first mail that arrives there after all ends it.
create table refused_addresses (
  address text primary key check (address = lower(address)),
  reason text not null,
  since timestamptz not null
);
