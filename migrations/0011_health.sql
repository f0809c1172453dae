-- Health information is sealed with AES-256-GCM; the key is never in the database. Each value is bound to its row and
-- version, so that neither another row's value nor an older one can be put in its place.
create table health_questionnaires (
  user_id text primary key references users on delete cascade,
  sealed bytea not null, version integer not null check (version > 0),
  marketing_consent boolean not null,
  consented_at timestamptz not null, consent_text_version text not null,
  updated_at timestamptz not null
);

create table emergency_contacts (
  user_id text primary key references users on delete cascade,
  sealed bytea not null, version integer not null check (version > 0),
  updated_at timestamptz not null
);

-- What members changed, for the owner to read.
create table health_updates (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  update_type text not null check (update_type in ('questionnaire_updated', 'emergency_contact_updated')),
  sealed_changes bytea not null, version integer not null check (version > 0),
  created_at timestamptz not null, notified_at timestamptz -- when the owner was emailed
);
create index health_updates_by_date on health_updates (created_at desc, id desc);
create index health_updates_of_a_member on health_updates (user_id);

-- The instructor's note on a member's session, one per booking.
create table session_notes (
  booking_id integer primary key references bookings on delete cascade,
  -- Notes are kept under the consent in the questionnaire: they are deleted with it.
  user_id text not null references health_questionnaires on delete cascade,
  sealed bytea not null, version integer not null check (version > 0),
  author_id text references users on delete set null, written_at timestamptz not null
);
create index session_notes_of_a_member on session_notes (user_id);
create index session_notes_of_an_author on session_notes (author_id);

-- The versions of all four tables, so that none is used twice, even after a record was erased.
create sequence health_versions as integer owned by health_updates.version;

create function keep_health_versions() returns trigger language plpgsql as $$ begin
  if new.version < old.version then
    raise exception 'the version of sealed health data only grows' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_health_versions before update on health_questionnaires
  for each row when (new.version is distinct from old.version)
  execute function keep_health_versions();
create trigger keep_health_versions before update on emergency_contacts
  for each row when (new.version is distinct from old.version)
  execute function keep_health_versions();
create trigger keep_health_versions before update on health_updates
  for each row when (new.version is distinct from old.version)
  execute function keep_health_versions();
create trigger keep_health_versions before update on session_notes
  for each row when (new.version is distinct from old.version) execute function keep_health_versions();

-- Who read whose health information. Lines are only ever added, until retention deletes them. No foreign keys: a line
-- outlives both accounts.
create table health_reads (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  admin_id text not null, member_id text not null, what text not null,
  address text, -- the admin's network, shortened
  constraint read_addresses_are_shortened
    check (masklen(address::cidr) = case family(address::cidr) when 4 then 24 else 48 end)
);
create index health_reads_of_a_member on health_reads (member_id, at desc);
create index health_reads_by_admin on health_reads (admin_id);
create index health_reads_by_date on health_reads (at desc, id desc);

create function keep_health_reads() returns trigger language plpgsql as $$ begin
  if tg_op = 'DELETE' and record_is_over(old.at) then
    return old;
  end if;
  raise exception 'health_reads is append-only' using errcode = 'restrict_violation';
end $$;
create trigger keep_health_reads before update or delete on health_reads
  for each row execute function keep_health_reads();
create trigger keep_all_health_reads before truncate on health_reads
  for each statement execute function keep_health_reads();
