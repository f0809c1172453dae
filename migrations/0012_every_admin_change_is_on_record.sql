create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  admin_id text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  changes jsonb not null default '{}'
);
create index audit_log_of_a_subject on audit_log (subject_kind, subject_id, id desc);
create index audit_log_of_an_admin on audit_log (admin_id);
comment on table audit_log is 'Who of the studio changed what, and when; written in the transaction of the change. Lines are only ever added.';
comment on column audit_log.admin_id is 'No foreign key: the line outlives the account, which leaves nothing but its id.';
comment on column audit_log.changes is 'Field to { before, after }; never health values, never passwords. Emptied when the user it tells of is erased.';

create function keep_audit_lines() returns trigger language plpgsql as $$
begin
  -- An erased user's name and address go with the account; that something was changed, when and by whom stays.
  if tg_op = 'UPDATE' and old.subject_kind = 'user' and new.changes = '{}'
    and (new.id, new.at, new.admin_id, new.action, new.subject_kind, new.subject_id)
      = (old.id, old.at, old.admin_id, old.action, old.subject_kind, old.subject_id)
    and not exists (select from users where id = old.subject_id) then
    return new;
  end if;
  raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
end $$;
create trigger keep_audit_lines before update or delete on audit_log
  for each row execute function keep_audit_lines();
create trigger keep_all_audit_lines before truncate on audit_log
  for each statement execute function keep_audit_lines();

create function forget_erased_user_in_audit() returns trigger language plpgsql as $$
begin
  update audit_log set changes = '{}' where subject_kind = 'user' and subject_id = old.id and changes <> '{}';
  return null;
end $$;
create trigger forget_in_audit after delete on users
  for each row execute function forget_erased_user_in_audit();
