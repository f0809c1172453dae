-- What is paid is an order with lines. A plain purchase has none of its own: its only line is the package.
create function sum_of_lines(lines jsonb) returns bigint language sql immutable parallel safe
  as $$ select coalesce(sum((line ->> 'amountPence')::bigint), 0)::bigint from jsonb_array_elements(lines) as line $$;

create table promotion_codes (
  id integer primary key generated always as identity,
  -- In capitals: codes are not case-sensitive.
  code text not null check (code ~ '^[A-Z0-9-]{3,24}$'),
  kind text not null check (kind in ('percent', 'amount')),
  -- Percent, or pence.
  value integer not null check (value > 0 and (kind = 'amount' or value <= 100)),
  -- Null: every package.
  package_ids jsonb check (jsonb_array_length(package_ids) > 0),
  from_day date,
  until_day date,
  max_uses integer check (max_uses > 0),
  uses integer not null default 0 check (uses >= 0),
  once_per_member boolean not null,
  first_purchase_only boolean not null,
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint a_code_ends_after_it_starts check (from_day <= until_day),
  constraint a_code_is_used_at_most_so_often check (uses <= max_uses)
);
create unique index one_live_code_of_a_text on promotion_codes (code) where ended_at is null;
comment on column promotion_codes.uses is 'Reserved and counted uses; kept by a trigger.';

alter table payment_intents
  add column promotion_code_id integer references promotion_codes,
  add column lines jsonb not null default '[]',
  add constraint lines_of_a_payment_add_up check (lines = '[]' or sum_of_lines(lines) = amount_pence);
create index payments_with_a_code on payment_intents (promotion_code_id);

alter table purchases
  add column lines jsonb not null default '[]',
  add constraint lines_of_a_purchase_add_up check (lines = '[]' or sum_of_lines(lines) = amount_pence),
  drop constraint purchases_amount_pence_check,
  add constraint only_a_code_makes_a_purchase_free check (amount_pence > 0 or (amount_pence = 0 and lines <> '[]')),
  drop constraint a_purchase_is_paid_at_the_provider_or_at_the_desk,
  add constraint a_purchase_is_paid_at_the_provider_or_at_the_desk
    check ((payment_intent_id is null) = (desk_method is not null or amount_pence = 0));
comment on column purchases.lines is 'What adds up to the amount, if that is more than the package itself.';

-- A use is reserved for a payment, and counted once that is a purchase.
create table promotion_uses (
  id integer primary key generated always as identity,
  code_id integer not null references promotion_codes,
  user_id text references users on delete set null,
  payment_intent_id text unique references payment_intents on delete cascade,
  purchase_id integer unique references purchases on delete cascade,
  -- Null once it is counted. A payment that is processing keeps its use until it is over.
  reserved_until timestamptz,
  is_once_per_member boolean not null,
  is_first_purchase boolean not null,
  used_at timestamptz not null,
  constraint a_use_belongs_to_an_order check (payment_intent_id is not null or purchase_id is not null)
);
create index uses_of_a_code on promotion_uses (code_id);
create index uses_of_a_member on promotion_uses (user_id);
create unique index a_code_is_used_once_per_member on promotion_uses (code_id, user_id) where is_once_per_member;
create unique index a_member_has_one_first_purchase on promotion_uses (user_id) where is_first_purchase;
create index reservations_that_end on promotion_uses (reserved_until) where reserved_until is not null;

create function count_uses_of_a_code() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update promotion_codes set uses = uses + 1 where id = new.code_id;
  else
    update promotion_codes set uses = uses - 1 where id = old.code_id;
  end if;
  return null;
end $$;
create trigger count_uses_of_a_code after insert or delete on promotion_uses
  for each row execute function count_uses_of_a_code();
