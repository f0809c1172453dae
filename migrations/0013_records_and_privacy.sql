-- The records are append-only. Once a user is erased, the details that name them are emptied; retention deletes old
-- lines. Ids of users are no foreign keys, because lines outlive accounts.

-- What admins changed. The line is written in the transaction of the change.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  admin_id text not null,
  action text not null, subject_kind text not null, subject_id text not null,
  changes jsonb not null default '{}', -- field to { before, after }: never health information, never passwords
  address text, -- the admin's network, shortened: IPv4 /24 or IPv6 /48
  constraint audit_addresses_are_shortened
    check (masklen(address::cidr) = case family(address::cidr) when 4 then 24 else 48 end)
);
create index audit_log_by_date on audit_log (at);
create index audit_log_of_a_subject on audit_log (subject_kind, subject_id, id desc);
create index audit_log_of_an_admin on audit_log (admin_id);

create function keep_audit_lines() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and old.subject_kind = 'user' and new.changes = '{}'
    and to_jsonb(new) - 'changes' = to_jsonb(old) - 'changes'
    and not exists (select from users where id = old.subject_id) then
    return new;
  end if;
  if tg_op = 'DELETE' and record_is_over(old.at) then
    return old;
  end if;
  raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
end $$;
create trigger keep_audit_lines before update or delete on audit_log for each row execute function keep_audit_lines();
create trigger keep_all_audit_lines before truncate on audit_log for each statement execute function keep_audit_lines();

create function forget_erased_user_in_audit() returns trigger language plpgsql as $$ begin
  update audit_log set changes = '{}' where subject_kind = 'user' and subject_id = old.id and changes <> '{}';
  return null;
end $$;
create trigger forget_in_audit after delete on users for each row execute function forget_erased_user_in_audit();

-- Sign-ins, failed sign-ins, and changes of passwords, roles and second steps.
create table security_events (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  kind text not null, outcome text not null,
  actor_id text, -- who did it; null for a visitor
  subject_id text, -- whose account it is about, if known
  address text, -- the network, shortened; null if it came from no request
  -- A closed list of fields (security/contract.ts): no password, token, code, typed name or health information.
  details jsonb not null default '{}',
  constraint an_outcome_is_known check (outcome in ('done', 'refused', 'failed')),
  constraint addresses_are_shortened
    check (masklen(address::cidr) = case family(address::cidr) when 4 then 24 else 48 end),
  constraint details_are_named check (jsonb_typeof(details) = 'object')
);
create index security_events_by_date on security_events (at, id);
create index security_events_of_a_subject on security_events (subject_id, id desc);
create index security_events_of_an_actor on security_events (actor_id, id desc);

create function keep_security_events() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and new.details = '{}' and to_jsonb(new) - 'details' = to_jsonb(old) - 'details'
    and exists (
      select from unnest(array[old.subject_id, old.actor_id]) as person(id)
      where id is not null and not exists (select from users where users.id = person.id)) then
    return new;
  end if;
  if tg_op = 'DELETE' and record_is_over(old.at) then
    return old;
  end if;
  raise exception 'security_events is append-only' using errcode = 'restrict_violation';
end $$;
create trigger keep_security_events before update or delete on security_events
  for each row execute function keep_security_events();
create trigger keep_all_security_events before truncate on security_events
  for each statement execute function keep_security_events();

create function forget_erased_user_in_security_events() returns trigger language plpgsql as $$ begin
  update security_events set details = '{}' where old.id in (subject_id, actor_id) and details <> '{}';
  return null;
end $$;
create trigger forget_in_security_events after delete on users
  for each row execute function forget_erased_user_in_security_events();

-- The ids of erased users and nothing else about them, so that restoring an older backup does not bring them back.
create table erasures (user_id text primary key, erased_at timestamptz not null);

create function keep_erasures() returns trigger language plpgsql as $$
begin raise exception 'erasures is append-only' using errcode = 'restrict_violation'; end $$;
create trigger keep_erasures before update or delete on erasures for each row execute function keep_erasures();
create trigger keep_all_erasures before truncate on erasures for each statement execute function keep_erasures();

-- How much each run of the daily retention job erased.
create table retention_runs (
  id integer generated always as identity primary key,
  ran_at timestamptz not null,
  members integer not null check (members >= 0), -- accounts with everything that belongs to them
  health_records integer not null check (health_records >= 0), -- of members whose account stays
  purchases integer not null check (purchases >= 0),
  record_lines integer not null check (record_lines >= 0),
  failures integer not null check (failures >= 0)
);
create index retention_runs_by_date on retention_runs (ran_at desc, id desc);

-- Why the retention job erased nothing and waits for the owner; no row while it runs as planned.
create table retention_hold (
  one_row boolean primary key default true check (one_row),
  reason text not null check (reason in ('clocks_differ', 'last_run_ahead', 'last_run_long_ago', 'many_due')),
  held_at timestamptz not null,
  -- The last try, by the job's clock and by the database's.
  tried_at timestamptz not null, database_at timestamptz not null,
  last_run_at timestamptz,
  -- Of how many members something would have been erased, and how many there are.
  due integer not null check (due >= 0), members integer not null check (members >= 0),
  confirmed_at timestamptz -- when the owner confirmed that the date is right and everything due may go
);

-- Members with a complaint that an admin has noted. Retention erases nothing of them until it is closed.
create table complaints (
  user_id text primary key references users on delete cascade,
  reason text not null,
  opened_by text not null, opened_at timestamptz not null
);

-- Complaints about personal data, in the person's words. Until one is answered, retention erases nothing of its member.
create table data_complaints (
  id integer generated always as identity primary key,
  user_id text references users on delete cascade,
  -- A person without an account.
  name text, email text, other_contact text,
  channel text not null default 'account', -- `account`: from a member who was signed in
  complaint text not null, made_at timestamptz not null,
  answer text, answered_by text, answered_at timestamptz,
  constraint a_complaint_is_of_a_person
    check (num_nonnulls(user_id, name) = 1 and (name is null or num_nonnulls(email, other_contact) > 0)),
  constraint a_complaint_has_a_known_channel
    check (channel in ('account', 'website', 'phone', 'letter', 'email', 'social', 'in_person')),
  constraint an_answer_is_whole check (num_nulls(answer, answered_by, answered_at) in (0, 3))
);
create index data_complaints_of_a_member on data_complaints (user_id, id);
create index data_complaints_to_answer on data_complaints (made_at) where answered_at is null;
