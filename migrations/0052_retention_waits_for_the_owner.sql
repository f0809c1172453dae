create table retention_hold (
  one_row boolean primary key default true check (one_row),
  reason text not null check (reason in ('clocks_differ', 'last_run_ahead', 'last_run_long_ago', 'many_due')),
  held_at timestamptz not null,
  tried_at timestamptz not null,
  database_at timestamptz not null,
  last_run_at timestamptz,
  due integer not null check (due >= 0),
  members integer not null check (members >= 0),
  confirmed_at timestamptz
);
comment on table retention_hold is 'Why the retention job erased nothing and waits for the owner; no row while it runs as planned.';
comment on column retention_hold.held_at is 'Since when it waits.';
comment on column retention_hold.tried_at is 'When it last found that it has to wait, by its own clock; database_at: the same by the database''s.';
comment on column retention_hold.due is 'How many of the members it would have erased, or their health information.';
comment on column retention_hold.confirmed_at is 'When the owner said that the date is right and all of them can go.';
