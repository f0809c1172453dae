create table retention_runs (
  id integer generated always as identity primary key,
  ran_at timestamptz not null,
  members integer not null check (members >= 0),
  health_records integer not null check (health_records >= 0),
  purchases integer not null check (purchases >= 0),
  record_lines integer not null check (record_lines >= 0),
  failures integer not null check (failures >= 0)
);
create index retention_runs_by_date on retention_runs (ran_at desc, id desc);
comment on table retention_runs is 'What the daily retention job erased: counts and nothing of whom.';
comment on column retention_runs.members is 'Accounts whose contact details were over, with all that belongs to them.';
comment on column retention_runs.health_records is 'Members whose health information was over while their account stays.';
comment on column retention_runs.record_lines is 'Lines of the record of health reads and of admin changes.';

create table complaints (
  user_id text primary key references users on delete cascade,
  reason text not null,
  opened_by text not null,
  opened_at timestamptz not null
);
comment on table complaints is 'Members with an open complaint: retention erases nothing of them until it is closed.';
comment on column complaints.opened_by is 'The admin''s id, without a foreign key: the complaint outlives the account.';

-- A line exactly as old as the limit is over too, like everything else that retention ends.
create or replace function record_is_over(at timestamptz) returns boolean language sql stable as $$
  select coalesce(at <= nullif(current_setting('studio.records_end', true), '')::timestamptz, false)
$$;
