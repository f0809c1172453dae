create table outcomes (
  kind text not null constraint an_outcome_has_a_known_kind check (kind in ('booking', 'payment')),
  minute timestamptz not null,
  total integer not null,
  failed integer not null,
  primary key (kind, minute),
  constraint no_more_fail_than_there_are check (failed between 0 and total)
);
comment on table outcomes is 'How many bookings and payments were tried in a minute, and how many ended in a server error. Nobody is recorded.';

create table incidents (
  id integer generated always as identity primary key,
  kind text not null constraint an_incident_has_a_known_kind check (kind in ('booking', 'payment')),
  started_at timestamptz not null,
  ended_at timestamptz,
  total integer not null,
  failed integer not null
);
create unique index one_open_incident_of_a_kind on incidents (kind) where ended_at is null;
comment on table incidents is 'Times when too many bookings or payments failed; the owner was emailed once for each.';

create table checkout_checks (
  id integer generated always as identity primary key,
  checked_at timestamptz not null,
  findings text[] not null
);
comment on table checkout_checks is 'The weekly check of the checkout page from outside; no findings: it is as the inventory says (docs/operations/cards.md).';
