-- Members come from another system with what they have left there. A row of such a file is brought over once, ever.
create table import_rows (
  fingerprint bytea primary key,
  user_id text references users on delete set null,
  credits integer not null check (credits >= 0),
  imported_at timestamptz not null
);
create index import_rows_of_a_user on import_rows (user_id);
comment on table import_rows is 'Rows of imported files. Who was erased since stays away although the old file is read again: the row is known, and nobody is named.';
comment on column import_rows.fingerprint is 'SHA-256 of address, package, credits and expiry as the file said them.';

-- Credits of another system belong to no package of ours, unless the file names one.
alter table packages add column is_for_imports boolean not null default false;
create unique index one_package_for_imports on packages (is_for_imports) where is_for_imports and deleted_at is null;
comment on column packages.is_for_imports is 'What imported credits are of. Hidden, without a price, made by the first import.';
