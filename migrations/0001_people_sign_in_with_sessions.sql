create table users (
  id text primary key,
  username text not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  password_hash text,
  is_admin boolean not null default false,
  email_verified_at timestamptz,
  created_at timestamptz not null
);
create unique index one_account_per_email on users (lower(email));
create unique index one_account_per_username on users (lower(username));
create index users_by_joining on users (created_at desc, id);
comment on table users is 'Members and admins. Without a password hash the account waits for its one-time link.';

create table sessions (
  token_hash bytea primary key,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_of_a_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);
comment on table sessions is 'Signed-in browsers. Only the SHA-256 of the cookie''s token is kept.';

create table one_time_links (
  token_hash bytea primary key,
  user_id text not null references users on delete cascade,
  purpose text not null check (purpose in ('verify_email', 'set_password')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index one_time_links_of_a_user on one_time_links (user_id);
comment on table one_time_links is 'Mailed links that prove an address or set a password; a used link is deleted.';

create table throttles (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
comment on table throttles is 'Counters of rate-limiter-flexible: failed logins and mails per address.';
