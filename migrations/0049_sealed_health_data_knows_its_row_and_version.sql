-- What is sealed says in which row it stands and of which save it is: neither another row's nor an older one opens in its place.
alter table health_questionnaires add column version integer check (version > 0);
alter table emergency_contacts add column version integer check (version > 0);
alter table health_updates add column version integer check (version > 0);
-- One for all, so that no version comes twice, not even after a record was erased and made again.
create sequence health_versions as integer owned by health_updates.version;
comment on column health_questionnaires.version is 'Sealed with the answers. Null: sealed by an earlier release; bound at the next save, or at night.';
comment on column emergency_contacts.version is 'As of health_questionnaires.';
comment on column health_updates.version is 'As of health_questionnaires.';

create function keep_health_versions() returns trigger language plpgsql as $$
begin
  if new.version is null or new.version < old.version then
    raise exception 'the version of sealed health data only grows' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_health_versions before update on health_questionnaires
  for each row when (old.version is not null and new.version is distinct from old.version) execute function keep_health_versions();
create trigger keep_health_versions before update on emergency_contacts
  for each row when (old.version is not null and new.version is distinct from old.version) execute function keep_health_versions();
create trigger keep_health_versions before update on health_updates
  for each row when (old.version is not null and new.version is distinct from old.version) execute function keep_health_versions();
