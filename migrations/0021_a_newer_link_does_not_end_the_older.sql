alter table one_time_links add column id integer not null generated always as identity;
comment on column one_time_links.id is 'Counts up: of a user''s links for one purpose only the newest few work.';
comment on table one_time_links is 'Links that prove an address or set a password. Only the SHA-256 of a token is kept; a link that was used is deleted.';

-- An address may have to be proved again; the greeting comes once. Who is here already has had theirs.
alter table users add column welcomed_at timestamptz;
update users set welcomed_at = created_at;
comment on column users.welcomed_at is 'When the welcome was mailed: on signing up, or on proving the address where that comes first.';
