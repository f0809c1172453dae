-- Browsers that are signed in. The cookie holds the token, the table its SHA-256.
create table sessions (
  token_hash bytea primary key,
  id uuid not null default gen_random_uuid(), -- the public id, which grants nothing
  user_id text not null references users on delete cascade,
  -- `second_factor` is a password and a second step.
  method text not null check (method in ('sign_up', 'password', 'mailed_link', 'passkey', 'second_factor')),
  browser text check (length(browser) <= 40), -- in words, from the user agent
  system text check (length(system) <= 40),
  created_at timestamptz not null,
  confirmed_at timestamptz not null, -- the last proof of identity in this session
  last_used_at timestamptz not null, -- written at most every five minutes
  expires_at timestamptz not null
);
create unique index sessions_by_id on sessions (id);
create index sessions_of_a_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

-- Emailed links that verify an address, set a password or accept an invitation. A used link is deleted.
create table one_time_links (
  token_hash bytea primary key, -- SHA-256 of the token
  id integer generated always as identity not null, -- of a user's links for one purpose only the newest few work
  user_id text not null references users on delete cascade,
  purpose text not null check (purpose in ('verify_email', 'set_password', 'invitation')),
  created_at timestamptz not null, expires_at timestamptz not null
);
create index one_time_links_of_a_user on one_time_links (user_id);

-- Passkeys sign in alone, or are an admin's second step after the password.
create table passkeys (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  label text not null check (label = trim(label) and length(label) between 1 and 60),
  credential_id bytea not null unique, public_key bytea not null,
  counter bigint not null check (counter >= 0), -- uses, as the authenticator counts them; a lower count means a copy
  transports text not null default '', -- how a browser reaches the authenticator, separated by commas
  is_synced boolean not null, -- shared by the owner's devices, so that it outlives each of them
  created_at timestamptz not null, last_used_at timestamptz
);
create index passkeys_of_a_user on passkeys (user_id);

-- What a passkey was asked to sign: one response, within five minutes.
create table passkey_challenges (
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('sign_in', 'second_step', 'confirm', 'add')),
  user_id text references users on delete cascade, -- null for a sign-in: the member is not known yet
  expires_at timestamptz not null,
  constraint only_a_sign_in_is_anybodys check ((purpose = 'sign_in') = (user_id is null))
);
create index passkey_challenges_of_a_user on passkey_challenges (user_id);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

-- Authenticator apps, whose six-digit codes (RFC 6238) are a second step.
create table authenticator_apps (
  user_id text primary key references users on delete cascade,
  sealed_secret bytea not null,
  last_step bigint not null, -- the half minute of the last accepted code: no code is accepted twice
  created_at timestamptz not null, last_used_at timestamptz
);

-- Codes for when the second step is lost: hashes of 80 random bits. A used code is deleted.
create table recovery_codes (
  code_hash bytea primary key,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null
);
create index recovery_codes_of_a_user on recovery_codes (user_id);

-- Sign-ins with the right password that await the second step.
create table pending_sign_ins (
  token_hash bytea primary key,
  user_id text not null references users on delete cascade,
  password_tag bytea not null, -- a hash of the password's hash: changing the password ends the sign-in
  expires_at timestamptz not null
);
create index pending_sign_ins_of_a_user on pending_sign_ins (user_id);
create index pending_sign_ins_by_expiry on pending_sign_ins (expires_at);

-- Counters of rate-limiter-flexible, such as failed sign-ins and emails per address.
create table throttles (key varchar(255) primary key, points integer not null default 0, expire bigint);

-- Requests that were sent with an Idempotency-Key, written in the transaction of the request and deleted after a day.
create table idempotency_keys (
  -- No foreign key. It would lock the user's row before the request locks its classes, the wrong way round for a
  -- concurrent erasure. Erasing a user deletes the keys.
  user_id text not null,
  key text not null check (length(key) between 1 and 255),
  endpoint text not null,
  about text[] not null, -- hashes of the ids in the path
  request_hash text not null,
  status smallint not null,
  response jsonb,
  created_at timestamptz not null,
  primary key (user_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
