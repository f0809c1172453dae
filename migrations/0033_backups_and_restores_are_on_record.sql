create table backups (
  id integer generated always as identity primary key,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  made_by text not null check (made_by in ('night', 'command')),
  machine text not null,
  file text,
  bytes bigint check (bytes > 0),
  failure text,
  constraint a_backup_is_a_file_or_says_why_not check ((failure is null) = (num_nulls(file, bytes) = 0))
);
create index backups_by_end on backups (ended_at desc, id desc);
comment on table backups is 'Every backup that was tried: the file it became, on which machine, or why it did not.';

create table restores (
  id integer generated always as identity primary key,
  taken_at timestamptz not null,
  restored_at timestamptz not null,
  settled_at timestamptz
);
comment on table restores is 'This database was filled from a backup: it is no first run, however little it holds.';
comment on column restores.taken_at is 'The moment that the backup shows.';
comment on column restores.settled_at is 'When what follows from it was done: erased again who was erased since, jobs taken up, payments asked about.';

create table restored_jobs (
  id uuid primary key,
  queue text not null,
  data jsonb not null,
  created_at timestamptz not null
);
comment on table restored_jobs is 'Jobs that waited when the backup was made, until the queue takes them up under the same ids.';
