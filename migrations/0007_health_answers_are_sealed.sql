create table health_questionnaires (
  user_id text primary key references users on delete cascade,
  sealed bytea not null,
  marketing_consent boolean not null,
  consented_at timestamptz not null,
  consent_text_version text not null,
  updated_at timestamptz not null
);
create table emergency_contacts (
  user_id text primary key references users on delete cascade,
  sealed bytea not null,
  updated_at timestamptz not null
);
create table health_updates (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  update_type text not null check (update_type in ('questionnaire_updated', 'emergency_contact_updated')),
  sealed_changes bytea not null,
  created_at timestamptz not null,
  notified_at timestamptz
);
create index health_updates_by_date on health_updates (created_at desc, id desc);
create index health_updates_of_a_member on health_updates (user_id);
create table health_reads (
  id bigint generated always as identity primary key,
  admin_id text references users on delete set null,
  member_id text not null references users on delete cascade,
  what text not null,
  at timestamptz not null
);
create index health_reads_of_a_member on health_reads (member_id, at desc);
create index health_reads_by_admin on health_reads (admin_id);
comment on table health_questionnaires is 'Answers sealed with AES-256-GCM; the key is never in the database.';
comment on table health_reads is 'Who of the studio read whose health data, and when.';
