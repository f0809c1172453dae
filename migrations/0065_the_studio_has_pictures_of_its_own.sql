-- Pictures that the owner uploads, cut and encoded again. Versions of the facts refer to them by id.
create table pictures (
  id text primary key check (id ~ '^[0-9a-f]{32}$'),
  place text not null check (length(place) between 1 and 40),
  sizes jsonb not null,
  uploaded_at timestamptz not null
);
comment on column pictures.id is 'A hash of the uploaded file and the place, so that the same upload is one picture.';

create table picture_files (
  picture_id text not null references pictures on delete cascade,
  crop text not null check (crop in ('wide', 'narrow')),
  width integer not null check (width between 1 and 4000),
  content bytea not null check (length(content) between 1 and 2000000),
  primary key (picture_id, crop, width)
);
comment on table picture_files is 'WebP. Compressed already, so PostgreSQL does not try again.';
alter table picture_files alter column content set storage external;
