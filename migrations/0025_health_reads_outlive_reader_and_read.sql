-- Whoever read or was read leaves nothing but an id in the record: a pseudonym once the account is gone.
alter table health_reads drop constraint health_reads_admin_id_fkey, drop constraint health_reads_member_id_fkey;
alter table health_reads add constraint a_read_has_its_reader check (admin_id is not null) not valid;
comment on column health_reads.admin_id is 'No foreign key: the line outlives the account. Null on old lines whose reader was erased.';
comment on column health_reads.member_id is 'No foreign key: the line outlives the account.';

-- The retention job says in its own transaction before when a record is over; nobody else removes any.
create function record_is_over(at timestamptz) returns boolean language sql stable as $$
  select coalesce(at < nullif(current_setting('studio.records_end', true), '')::timestamptz, false)
$$;

create function keep_health_reads() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and record_is_over(old.at) then
    return old;
  end if;
  raise exception 'health_reads is append-only' using errcode = 'restrict_violation';
end $$;
create trigger keep_health_reads before update or delete on health_reads
  for each row execute function keep_health_reads();
create trigger keep_all_health_reads before truncate on health_reads
  for each statement execute function keep_health_reads();

create or replace function keep_audit_lines() returns trigger language plpgsql as $$
begin
  -- An erased user's name and address go with the account; that something was changed, when and by whom stays.
  if tg_op = 'UPDATE' and old.subject_kind = 'user' and new.changes = '{}'
    and (new.id, new.at, new.admin_id, new.action, new.subject_kind, new.subject_id)
      = (old.id, old.at, old.admin_id, old.action, old.subject_kind, old.subject_id)
    and not exists (select from users where id = old.subject_id) then
    return new;
  end if;
  if tg_op = 'DELETE' and record_is_over(old.at) then
    return old;
  end if;
  raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
end $$;
create index audit_log_by_date on audit_log (at);
