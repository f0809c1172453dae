-- What the studio sells: a number of credits that are valid for some months.
create table packages (
  id integer generated always as identity primary key,
  name text not null, description text,
  class_count integer not null check (class_count >= 1), validity_months integer not null check (validity_months >= 1),
  max_participants integer not null check (max_participants in (1, 2)),
  price_pence integer not null check (price_pence >= 0),
  -- A planned price and its first day in London. It applies from midnight, before a job moves it to price_pence.
  next_price_pence integer, next_price_from date,
  -- When a planned price took effect; null once the price is edited. Earlier payments keep their price for a while.
  came_into_force_at timestamptz,
  is_limited_offer boolean not null,   purchase_once_per_user boolean not null,
  is_active boolean not null default true, -- shown and on sale; an inactive one can still be given as a gift
  is_for_imports boolean not null default false, -- what imported credits are of; the first import creates it
  deleted_at timestamptz,
  created_at timestamptz not null, updated_at timestamptz not null,
  constraint names_of_packages_are_trimmed check (name = trimmed(name)),
  -- The card provider accepts no less.
  constraint a_package_on_sale_costs_at_least_thirty_pence check (price_pence >= 30 or not is_active),
  constraint a_next_price_has_a_day
    check ((next_price_pence is null) = (next_price_from is null) and next_price_pence >= 30)
);
create unique index one_package_for_imports on packages (is_for_imports) where is_for_imports and deleted_at is null;

-- Codes that make an order cheaper.
create table promotion_codes (
  id integer generated always as identity primary key,
  code text not null check (code ~ '^[A-Z0-9-]{3,24}$'), -- in capitals, because codes are not case-sensitive
  kind text not null check (kind in ('percent', 'amount')),
  value integer not null check (value > 0 and (kind = 'amount' or value <= 100)), -- percent, or pence
  package_ids jsonb check (jsonb_array_length(package_ids) > 0), -- null: every package
  from_day date, until_day date,
  max_uses integer check (max_uses > 0),
  uses integer not null default 0 check (uses >= 0), -- reserved and counted uses; only a trigger changes it
  once_per_member boolean not null, first_purchase_only boolean not null,
  ended_at timestamptz,
  created_at timestamptz not null, updated_at timestamptz not null,
  constraint a_code_ends_after_it_starts check (from_day <= until_day)
);
create unique index one_live_code_of_a_text on promotion_codes (code) where ended_at is null;
