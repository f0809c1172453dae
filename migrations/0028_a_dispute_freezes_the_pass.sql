create table disputes (
  id text primary key,
  payment_intent_id text not null references payment_intents on delete cascade,
  purchase_id integer references purchases on delete cascade,
  status text not null check (status in ('inquiry', 'open', 'won', 'lost', 'closed')),
  amount_pence integer not null check (amount_pence > 0),
  reason text not null,
  opened_at timestamptz not null,
  respond_by timestamptz,
  decided_at timestamptz,
  constraint a_decided_dispute_says_when check ((status in ('won', 'lost', 'closed')) = (decided_at is not null))
);
create index disputes_of_a_payment on disputes (payment_intent_id);
create index disputes_of_a_purchase on disputes (purchase_id);
create index disputes_not_decided on disputes (payment_intent_id) where decided_at is null;
comment on table disputes is 'What a bank asks back for its customer, as the provider tells it. An inquiry freezes nothing.';

alter table purchases add column lost_pence integer not null default 0 check (lost_pence >= 0);
comment on column purchases.lost_pence is 'What banks took back in disputes that were lost; moved by a trigger on disputes.';

create function sum_lost_disputes_of_a_purchase() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status = 'lost' then
    update purchases set lost_pence = lost_pence - old.amount_pence where id = old.purchase_id;
  end if;
  if tg_op <> 'DELETE' and new.status = 'lost' then
    update purchases set lost_pence = lost_pence + new.amount_pence where id = new.purchase_id;
  end if;
  return null;
end $$;
create trigger sum_lost_disputes after insert or delete or update of status, amount_pence, purchase_id on disputes
  for each row execute function sum_lost_disputes_of_a_purchase();

create table fraud_warnings (
  id text primary key,
  payment_intent_id text not null references payment_intents on delete cascade,
  kind text not null,
  warned_at timestamptz not null
);
create index fraud_warnings_of_a_payment on fraud_warnings (payment_intent_id);

alter table passes add column frozen_at timestamptz;
comment on column passes.frozen_at is 'Since when a dispute keeps the pass from paying; when it is won, the time since is added to expires_at.';
