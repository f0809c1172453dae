-- The lines of an order: what is sold, with the package's name of that day, then a discount.
create function sum_of_lines(lines jsonb) returns bigint language sql immutable parallel safe
  as $$ select coalesce(sum((line ->> 'amountPence')::bigint), 0)::bigint from jsonb_array_elements(lines) as line $$;

-- Attempts to pay by card, as the card provider knows them.
create table payment_intents (
  id text primary key, -- the provider's id
  user_id text references users on delete set null,
  -- Price, classes and validity as they were when the payment started: editing the package changes no payment.
  package_id integer not null references packages,
  class_count integer not null check (class_count >= 1), validity_months integer not null check (validity_months >= 1),
  amount_pence integer not null check (amount_pence > 0), lines jsonb not null,
  promotion_code_id integer references promotion_codes,
  begin_requested_at timestamptz, -- the request to begin within the cancellation period, which the purchase takes over
  confirmed_at timestamptz, confirmed_by text, -- the last press of the button, and the key of its tab
  -- `processing`: paid by a method that takes days. `refunded`: paid, but could not become a purchase. `mismatched`:
  -- paid, but not what was asked for. The last two are paid back in full.
  state text not null check (state in ('open', 'processing', 'purchased', 'refunded', 'mismatched', 'cancelled')),
  paid_pence integer check (paid_pence >= 0),
  method text, -- the payment method in words: Visa ending 4242
  created_at timestamptz not null, settled_at timestamptz,
  -- Increases whenever the provider's data is applied. Data that was fetched before that is fetched again.
  version integer not null default 0,
  next_poll_at timestamptz, -- when to ask the provider next, unless it reports something before; null: never again
  unread_since timestamptz, -- since when the provider could not be asked about it; null while it can
  constraint lines_of_a_payment_add_up check (sum_of_lines(lines) = amount_pence),
  constraint an_unsettled_payment_has_no_end check ((state in ('open', 'processing')) = (settled_at is null))
);
create index payments_of_a_member on payment_intents (user_id, package_id);
create index payment_intents_of_a_package on payment_intents (package_id);
create index payments_with_a_code on payment_intents (promotion_code_id);
create index open_intents_by_age on payment_intents (created_at) where state = 'open';
create index payments_to_look_at on payment_intents (next_poll_at) where next_poll_at is not null;
create index payment_intents_unread_idx on payment_intents (unread_since) where unread_since is not null;

-- What was sold: by card, at the desk, or for nothing with a code. A record: later changes of package and member do not
-- change it.
create table purchases (
  id integer generated always as identity primary key,
  receipt_number integer not null default 0, -- consecutive, given by a trigger; a voided sale keeps it
  -- Both null once the member is erased; the amount stays for six years. The buyer has name and contact of that day.
  user_id text references users on delete set null, buyer jsonb,
  package_id integer not null references packages,
  amount_pence integer not null, lines jsonb not null,
  class_count integer not null, valid_until timestamptz not null, -- as sold
  purchased_at timestamptz not null,
  payment_intent_id text references payment_intents, -- null for a desk sale and for nothing to pay
  desk_method text check (desk_method in ('cash', 'bank_transfer', 'card_reader', 'other')), -- how a desk sale was paid
  note text, -- the admin's, on a desk sale; it may name the member, so it is deleted when they are erased
  voided_at timestamptz, -- when a desk sale that was recorded by mistake was voided: it is on record, but not revenue
  -- When the member asked to begin within the cancellation period (Consumer Contracts Regulations 2013, regulation 36).
  begin_requested_at timestamptz,
  -- The refunds that did not fail, and what banks took back in lost disputes. Only triggers change them.
  refunded_pence integer not null default 0,
  lost_pence integer not null default 0 check (lost_pence >= 0),
  searchable text not null generated always as (folded(coalesce(lines -> 0 ->> 'label', '') || ' ' ||
    coalesce((buyer ->> 'firstName') || ' ' || (buyer ->> 'lastName'), ''))) stored,
  constraint one_purchase_per_payment unique (payment_intent_id),
  constraint receipt_numbers_are_given_once unique (receipt_number),
  constraint a_receipt_has_a_number check (receipt_number > 0),
  constraint a_purchase_is_paid_at_the_provider_or_at_the_desk
    check ((payment_intent_id is null) = (desk_method is not null or amount_pence = 0)),
  constraint only_a_code_makes_a_purchase_free check (amount_pence > 0 or (amount_pence = 0 and jsonb_array_length(lines) > 1)),
  constraint lines_of_a_purchase_add_up check (sum_of_lines(lines) = amount_pence),
  constraint only_the_desk_writes_notes_and_voids
    check (desk_method is not null or (note is null and voided_at is null)),
  constraint a_buyer_goes_with_their_account
    check ((buyer is null) = (user_id is null) and (note is null or user_id is not null)),
  constraint refunds_of_a_purchase_are_counted check (refunded_pence >= 0),
  constraint a_voided_sale_is_not_refunded check (voided_at is null or refunded_pence = 0)
);
-- However an account is erased, the record of the sale loses what names the buyer, and nothing else.
create function forget_the_buyer() returns trigger language plpgsql as $$
begin new.buyer := null; new.note := null; return new; end $$;
create trigger forget_the_buyer before update of user_id on purchases
  for each row when (new.user_id is null) execute function forget_the_buyer();
create index purchases_of_a_member on purchases (user_id);
create index purchases_of_a_package on purchases (package_id);
create index purchases_by_date on purchases (purchased_at);

-- The number of the last receipt; no row before the first sale. It is counted in the sale's transaction, so that a sale
-- that is rolled back leaves no gap. Concurrent sales wait for each other here.
create table receipt_counter (
  one_row boolean primary key default true check (one_row),
  last integer not null check (last >= 0)
);
create function number_the_receipt() returns trigger language plpgsql as $$ begin
  insert into receipt_counter as counter (last) values (1)
    on conflict (one_row) do update set last = counter.last + 1 returning counter.last into new.receipt_number;
  return new;
end $$;
create trigger number_the_receipt before insert on purchases for each row execute function number_the_receipt();

create function keep_receipt_numbers() returns trigger language plpgsql as $$
begin raise exception 'a receipt keeps its number' using errcode = 'restrict_violation'; end $$;
create trigger keep_receipt_numbers before update of receipt_number on purchases
  for each row when (new.receipt_number <> old.receipt_number) execute function keep_receipt_numbers();

-- Uses of promotion codes. A payment reserves its use until it becomes a purchase.
create table promotion_uses (
  id integer generated always as identity primary key,
  code_id integer not null references promotion_codes,
  user_id text references users on delete set null,
  payment_intent_id text unique references payment_intents on delete cascade,
  purchase_id integer unique references purchases on delete cascade,
  reserved_until timestamptz, -- null once counted; a payment that is processing keeps its use until it has ended
  is_once_per_member boolean not null, is_first_purchase boolean not null,
  used_at timestamptz not null,
  constraint a_use_belongs_to_an_order check (payment_intent_id is not null or purchase_id is not null)
);
create index uses_of_a_code on promotion_uses (code_id);
create index uses_of_a_member on promotion_uses (user_id);
create unique index a_code_is_used_once_per_member on promotion_uses (code_id, user_id) where is_once_per_member;
create unique index a_member_has_one_first_purchase on promotion_uses (user_id) where is_first_purchase;
create index reservations_that_end on promotion_uses (reserved_until) where reserved_until is not null;

create function count_uses_of_a_code() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' then
    -- A limit that was lowered below the uses so far only stops further use.
    update promotion_codes set uses = uses + 1 where id = new.code_id and (max_uses is null or uses < max_uses);
    if not found then
      raise check_violation using constraint = 'a_code_is_used_at_most_so_often';
    end if;
  else
    update promotion_codes set uses = uses - 1 where id = old.code_id;
  end if;
  return null;
end $$;
create trigger count_uses_of_a_code after insert or delete on promotion_uses
  for each row execute function count_uses_of_a_code();

-- Money that is paid back. A failed refund returned nothing; trying again is a new row.
create table refunds (
  id integer generated always as identity primary key,
  -- Null for money that was given back by hand: of a desk sale, as it was paid, or of any sale by the method below.
  payment_intent_id text references payment_intents on delete cascade,
  method text check (method in ('cash', 'bank_transfer', 'other')),
  purchase_id integer references purchases on delete cascade, -- null if the payment never became a purchase
  -- `rule`: under the studio's policy. `owner`: at her discretion. `given_back`: a payment that became no purchase.
  -- `provider`: made in the provider's dashboard.
  origin text not null check (origin in ('rule', 'owner', 'given_back', 'provider')),
  amount_pence integer not null check (amount_pence > 0),
  credits_taken integer check (credits_taken >= 0), -- the credits that were taken off the pass with it
  reason text,
  status text not null check (status in ('decided', 'pending', 'succeeded', 'failed')), -- `decided`: not sent yet
  failure text,
  reference text not null default gen_random_uuid()::text, -- at the provider; an id could be reused after a restore
  provider_id text,
  created_at timestamptz not null, -- when it was decided, or the day on which it was given back by hand
  sent_at timestamptz, settled_at timestamptz,
  answered_at timestamptz, -- when the owner decided what follows from one that failed or was made at the provider
  constraint one_row_per_refund_of_the_provider unique (provider_id),
  constraint refund_references_are_unique unique (reference),
  constraint a_refund_is_of_something check (payment_intent_id is not null or purchase_id is not null),
  constraint money_given_back_at_the_desk_is_given_back check (payment_intent_id is not null or status = 'succeeded'),
  constraint by_hand_nothing_goes_to_the_card check (method is null or payment_intent_id is null),
  constraint refunds_made_there_are_known_there check (origin <> 'provider' or provider_id is not null),
  -- For booleans `<=` means "implies".
  constraint what_the_provider_has_was_sent check ((status = 'decided') <= (sent_at is null)),
  constraint a_settled_refund_says_when check ((status in ('succeeded', 'failed')) = (settled_at is not null)),
  constraint a_refund_that_failed_says_why check ((status = 'failed') = (failure is not null))
);
create index refunds_of_a_payment on refunds (payment_intent_id);
create index refunds_of_a_purchase on refunds (purchase_id);
create unique index a_payment_is_given_back_once on refunds (payment_intent_id)
  where origin = 'given_back' and status <> 'failed';

create function sum_refunds_of_a_purchase() returns trigger language plpgsql as $$ begin
  if tg_op <> 'INSERT' and old.status <> 'failed' then
    update purchases set refunded_pence = refunded_pence - old.amount_pence where id = old.purchase_id;
  end if;
  if tg_op <> 'DELETE' and new.status <> 'failed' then
    update purchases set refunded_pence = refunded_pence + new.amount_pence where id = new.purchase_id;
  end if;
  -- What the owner gave back by hand can be refunded at the provider as well. We record it, but never decide it.
  if tg_op = 'INSERT' and new.origin <> 'provider'
     and exists (select from purchases where id = new.purchase_id and refunded_pence > amount_pence) then
    raise exception 'more goes back than came'
      using errcode = 'check_violation', constraint = 'no_more_goes_back_than_came';
  end if;
  return null;
end $$;
create trigger sum_refunds after insert or delete or update of status, amount_pence, purchase_id on refunds
  for each row execute function sum_refunds_of_a_purchase();

create function keep_failed_refunds() returns trigger language plpgsql as $$ begin
  if old.status <> 'failed' then return new; end if;
  raise exception 'a refund that failed stays failed: a new one is a new row' using errcode = 'restrict_violation';
end $$;
create trigger keep_failed_refunds before update of status on refunds
  for each row execute function keep_failed_refunds();

-- Payments that a member's bank asks back. An inquiry does not move money, and freezes nothing.
create table disputes (
  id text primary key, -- the provider's id
  payment_intent_id text not null references payment_intents on delete cascade,
  purchase_id integer references purchases on delete cascade,
  amount_pence integer not null check (amount_pence > 0),
  reason text not null,
  status text not null check (status in ('inquiry', 'open', 'won', 'lost', 'closed')), -- `closed`: without a decision
  opened_at timestamptz not null,
  respond_by timestamptz, -- the deadline for evidence
  decided_at timestamptz,
  constraint a_decided_dispute_says_when check ((status in ('won', 'lost', 'closed')) = (decided_at is not null))
);
create index disputes_of_a_payment on disputes (payment_intent_id);
create index disputes_of_a_purchase on disputes (purchase_id);
create index disputes_not_decided on disputes (payment_intent_id) where decided_at is null;

create function sum_lost_disputes_of_a_purchase() returns trigger language plpgsql as $$ begin
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

-- Payments that a bank reports as probably fraudulent.
create table fraud_warnings (
  id text primary key, -- the provider's id
  payment_intent_id text not null references payment_intents on delete cascade,
  kind text not null, warned_at timestamptz not null
);
create index fraud_warnings_of_a_payment on fraud_warnings (payment_intent_id);

-- Transfers from the card provider to the studio's bank account.
create table payouts (
  id text primary key, -- the provider's id
  amount_pence integer not null,
  status text not null check (status in ('pending', 'in_transit', 'paid', 'failed', 'canceled')),
  arrives_on date not null,
  created_at timestamptz not null,
  is_itemised boolean not null default false -- whether its balance changes were read completely
);
create index payouts_by_arrival on payouts (arrives_on);

-- What moved the studio's balance at the card provider. No member is named.
create table balance_changes (
  id text primary key, -- the provider's id
  kind text not null check (kind in ('charge', 'refund', 'dispute', 'other')),
  payment_intent_id text references payment_intents on delete set null, -- null for other business on the account
  source_id text, -- the charge, refund or dispute at the provider
  amount_pence integer not null, fee_pence integer not null,
  net_pence integer not null generated always as (amount_pence - fee_pence) stored,
  made_at timestamptz not null,
  payout_id text references payouts
);
create index balance_changes_of_a_payment on balance_changes (payment_intent_id);
create index balance_changes_of_a_source on balance_changes (source_id);
create index balance_changes_of_a_payout on balance_changes (payout_id);
create index balance_changes_by_time on balance_changes (made_at);
