create table payment_intents (
  id text primary key,
  user_id text references users on delete set null,
  package_id integer not null references packages,
  amount_pence integer not null check (amount_pence > 0),
  class_count integer not null check (class_count >= 1),
  validity_months integer not null check (validity_months >= 1),
  state text not null check (state in ('open', 'purchased', 'refunded', 'cancelled')),
  created_at timestamptz not null,
  settled_at timestamptz,
  check ((state = 'open') = (settled_at is null))
);
create index open_intents_of_a_member on payment_intents (user_id, package_id) where state = 'open';
create index open_intents_by_age on payment_intents (created_at) where state = 'open';
comment on table payment_intents is 'What we asked the card provider to collect: price, classes and validity are stored here when asked, so a later edit of the package changes no sale.';
comment on column payment_intents.state is 'refunded: it was paid but could not become a purchase, so all of it goes back.';

create table purchases (
  id integer generated always as identity primary key,
  payment_intent_id text not null references payment_intents,
  user_id text references users on delete set null,
  package_id integer not null references packages,
  amount_pence integer not null check (amount_pence > 0),
  purchased_at timestamptz not null,
  refunded_at timestamptz,
  refunded_pence integer check (refunded_pence between 1 and amount_pence),
  check ((refunded_at is null) = (refunded_pence is null)),
  constraint one_purchase_per_payment unique (payment_intent_id)
);
create index purchases_of_a_member on purchases (user_id);
create index purchases_by_date on purchases (purchased_at);
comment on column purchases.user_id is 'Null once the member is erased: the amount stays for six years, the name does not.';
