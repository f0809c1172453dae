create table security_events (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  kind text not null,
  outcome text not null,
  actor_id text,
  subject_id text,
  address text,
  details jsonb not null default '{}',
  constraint an_outcome_is_known check (outcome in ('done', 'refused', 'failed')),
  constraint addresses_are_shortened
    check (masklen(address::cidr) = case family(address::cidr) when 4 then 24 else 48 end),
  constraint details_are_named check (jsonb_typeof(details) = 'object')
);
create index security_events_by_date on security_events (at, id);
create index security_events_of_a_subject on security_events (subject_id, id desc);
create index security_events_of_an_actor on security_events (actor_id, id desc);
comment on table security_events is 'Sign-ins, those that failed, and what happened to the ways in. Lines are only ever added; retention ends them. What admins changed is in audit_log, who read health data in health_reads.';
comment on column security_events.actor_id is 'Who did it; null: nobody who was signed in. No foreign key: the line outlives the account.';
comment on column security_events.subject_id is 'Whose account it is about; null: no account was meant, or none is known. No foreign key.';
comment on column security_events.address is 'The network it came from, IPv4 /24 or IPv6 /48; null: it came from no request.';
comment on column security_events.details is 'A closed list of fields (security/contract.ts): no password, token, code, typed name or health value. Emptied when who it tells of is erased.';

-- From where the other two records were written, as far as it is known.
alter table audit_log add column address text,
  add constraint audit_addresses_are_shortened
    check (masklen(address::cidr) = case family(address::cidr) when 4 then 24 else 48 end);
alter table health_reads add column address text,
  add constraint read_addresses_are_shortened
    check (masklen(address::cidr) = case family(address::cidr) when 4 then 24 else 48 end);

create function keep_security_events() returns trigger language plpgsql as $$
begin
  -- Of an erased user the details go; what happened, when and with what outcome stays, under an id that names nobody.
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

-- As before, and whatever columns a line has: only the changes may be emptied.
create or replace function keep_audit_lines() returns trigger language plpgsql as $$
begin
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

create function forget_erased_user_in_security_events() returns trigger language plpgsql as $$
begin
  update security_events set details = '{}' where old.id in (subject_id, actor_id) and details <> '{}';
  return null;
end $$;
create trigger forget_in_security_events after delete on users
  for each row execute function forget_erased_user_in_security_events();
