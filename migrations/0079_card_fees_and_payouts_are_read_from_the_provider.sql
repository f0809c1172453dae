-- The provider's own books: what moved the account's balance, its fee, and the payout that brought it to the bank.
create table payouts (
  id text primary key,
  amount_pence integer not null,
  status text not null check (status in ('pending', 'in_transit', 'paid', 'failed', 'canceled')),
  arrives_on date not null,
  created_at timestamptz not null,
  is_itemised boolean not null default false
);
create index payouts_by_arrival on payouts (arrives_on);
comment on table payouts is 'Transfers from the card provider to the studio''s bank account, as the provider reports them.';
comment on column payouts.is_itemised is 'Whether its lines were read completely; they are read until then.';

create table balance_changes (
  id text primary key,
  kind text not null check (kind in ('charge', 'refund', 'dispute', 'other')),
  payment_intent_id text references payment_intents on delete set null,
  source_id text,
  amount_pence integer not null,
  fee_pence integer not null,
  net_pence integer not null generated always as (amount_pence - fee_pence) stored,
  made_at timestamptz not null,
  payout_id text references payouts
);
create index balance_changes_of_a_payment on balance_changes (payment_intent_id);
create index balance_changes_of_a_source on balance_changes (source_id);
create index balance_changes_of_a_payout on balance_changes (payout_id);
create index balance_changes_by_time on balance_changes (made_at);
comment on table balance_changes is 'Balance transactions of the card provider. They name no member.';
comment on column balance_changes.payment_intent_id is 'Null for what is not a payment of this site, and once the payment is erased.';
comment on column balance_changes.source_id is 'The charge, refund or dispute at the provider.';
