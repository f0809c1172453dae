create table packages (
  id integer generated always as identity primary key,
  name text not null,
  description text,
  price_pence integer not null check (price_pence >= 0),
  class_count integer not null check (class_count >= 1),
  validity_months integer not null check (validity_months >= 1),
  max_participants integer not null check (max_participants in (1, 2)),
  is_limited_offer boolean not null,
  purchase_once_per_user boolean not null,
  is_active boolean not null default true,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on column packages.is_active is 'Shown and on sale. A hidden package can still be gifted.';
