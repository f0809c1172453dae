-- What the owner says of the studio: every state of it since the first edit. The one with the greatest version is true;
-- without one it is what the site came with (src/studio.ts). Two edits at once cannot both be the next version.
create table studio_facts (
  version integer primary key check (version > 0),
  facts jsonb not null,
  admin_id text not null,
  changed_at timestamptz not null
);
