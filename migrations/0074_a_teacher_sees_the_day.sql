-- A teacher sees today's people and tomorrow's list: no money, no settings, no other members.
alter table users add column is_teacher boolean not null default false;
-- The previous release makes admins by setting is_admin alone.
create function an_admin_is_not_a_teacher() returns trigger language plpgsql as $$
begin
  new.is_teacher := false;
  return new;
end $$;
create trigger an_admin_is_not_a_teacher before insert or update of is_admin on users
  for each row when (new.is_admin and new.is_teacher) execute function an_admin_is_not_a_teacher();
alter table users add constraint an_admin_is_not_also_a_teacher check (not (is_admin and is_teacher));
comment on column users.is_teacher is 'Sees today and tomorrow at /dashboard?view=today. Only an admin gives it.';
