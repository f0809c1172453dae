create table refunds (
  id integer generated always as identity primary key,
  payment_intent_id text not null references payment_intents on delete cascade,
  purchase_id integer references purchases on delete cascade,
  provider_id text constraint one_row_per_refund_of_the_provider unique,
  origin text not null check (origin in ('rule', 'owner', 'given_back', 'provider')),
  amount_pence integer not null check (amount_pence > 0),
  status text not null check (status in ('decided', 'pending', 'succeeded', 'failed')),
  reason text,
  failure text,
  credits_taken integer check (credits_taken >= 0),
  created_at timestamptz not null,
  sent_at timestamptz,
  settled_at timestamptz,
  answered_at timestamptz,
  constraint what_the_provider_has_was_sent check ((status = 'decided') <= (sent_at is null)),
  constraint a_refund_that_failed_says_why check ((status = 'failed') = (failure is not null)),
  constraint a_settled_refund_says_when check ((status in ('succeeded', 'failed')) = (settled_at is not null)),
  constraint refunds_made_there_are_known_there check (origin <> 'provider' or provider_id is not null)
);
create index refunds_of_a_payment on refunds (payment_intent_id);
create index refunds_of_a_purchase on refunds (purchase_id);
create unique index a_payment_is_given_back_once on refunds (payment_intent_id)
  where origin = 'given_back' and status <> 'failed';
comment on table refunds is 'Money on its way back: decided here, or made at the provider and seen there. One that failed went nowhere.';
comment on column refunds.purchase_id is 'Null where the payment never became a purchase and was given back.';
comment on column refunds.credits_taken is 'How many credits went with the money.';
comment on column refunds.answered_at is 'When the owner said what follows from it: a part refunded there, or a refund that failed.';

insert into refunds (payment_intent_id, purchase_id, origin, amount_pence, status, created_at, sent_at, settled_at)
  select payment_intent_id, id, 'rule', refunded_pence,
    case when refund_sent_at is null then 'decided' else 'succeeded' end, refunded_at, refund_sent_at, refund_sent_at
  from purchases where refunded_at is not null;
-- Whether the job that gave these back has run is not on record: the provider is asked before anything is sent.
insert into refunds (payment_intent_id, origin, amount_pence, status, created_at)
  select id, 'given_back', amount_pence, 'decided', coalesce(settled_at, created_at)
  from payment_intents where state = 'refunded' and amount_pence > 0;
update refunds r set credits_taken = p.credits_total from passes p where p.purchase_id = r.purchase_id;

alter table purchases drop column refund_sent_at;
alter table purchases drop column refunded_at;
alter table purchases drop column refunded_pence;
alter table purchases add column refunded_pence integer not null default 0
  constraint no_more_goes_back_than_came check (refunded_pence between 0 and amount_pence);
update purchases p set refunded_pence = r.amount_pence from refunds r where r.purchase_id = p.id;
comment on column purchases.refunded_pence is 'The sum of its refunds that did not fail; moved by a trigger on refunds.';

create function sum_refunds_of_a_purchase() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status <> 'failed' then
    update purchases set refunded_pence = refunded_pence - old.amount_pence where id = old.purchase_id;
  end if;
  if tg_op <> 'DELETE' and new.status <> 'failed' then
    update purchases set refunded_pence = refunded_pence + new.amount_pence where id = new.purchase_id;
  end if;
  return null;
end $$;
create trigger sum_refunds after insert or delete or update of status, amount_pence, purchase_id on refunds
  for each row execute function sum_refunds_of_a_purchase();

create function keep_failed_refunds() returns trigger language plpgsql as $$
begin
  if old.status <> 'failed' then return new; end if;
  raise exception 'a refund that failed stays failed: a new one is a new row' using errcode = 'restrict_violation';
end $$;
create trigger keep_failed_refunds before update of status on refunds
  for each row execute function keep_failed_refunds();
