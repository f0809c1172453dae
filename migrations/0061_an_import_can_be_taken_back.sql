-- Each import is a batch, so that it can be taken back while nothing of it was used. Earlier imports have no batch.
create table imports (
  id integer generated always as identity primary key,
  admin_id text not null,
  imported_at timestamptz not null,
  members integer not null check (members >= 0),
  passes integer not null check (passes >= 0),
  credits integer not null check (credits >= 0),
  taken_back_at timestamptz check (taken_back_at >= imported_at)
);
comment on table imports is 'Files of members that were brought over. When one is taken back its rows are deleted, so that they can be imported again.';

alter table import_rows
  add column import_id integer references imports,
  add column pass_id integer references passes on delete set null,
  add column adds_member boolean not null default false;
create index import_rows_of_an_import on import_rows (import_id);
create index import_rows_of_a_pass on import_rows (pass_id);
comment on column import_rows.pass_id is 'The pass that the row gave; null where it gave none or the member is erased.';
comment on column import_rows.adds_member is 'Whether the row added the member; false of rows from before batches.';
