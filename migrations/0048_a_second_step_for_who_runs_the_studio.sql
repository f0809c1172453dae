-- Passkeys sign in alone. An admin's second step is one of them, or the codes of an authenticator app; recovery codes
-- stand in for what was lost.
create table passkeys (
  id integer primary key generated always as identity,
  user_id text not null references users on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null check (counter >= 0),
  transports text not null default '',
  label text not null check (label = trim(label) and length(label) between 1 and 60),
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_of_a_user on passkeys (user_id);
comment on table passkeys is 'Public keys with which somebody signs in; the private ones never leave their devices.';
comment on column passkeys.counter is 'How often the authenticator says it was used; 0 where it does not count. One that goes back was copied.';
comment on column passkeys.transports is 'How a browser reaches the authenticator, as it said: words separated by commas.';
comment on column passkeys.is_synced is 'Its owner''s devices share it, so it outlives each of them.';

create table authenticator_apps (
  user_id text primary key references users on delete cascade,
  sealed_secret bytea not null,
  last_step bigint not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
comment on table authenticator_apps is 'What codes of six digits are made from (RFC 6238), sealed under HEALTH_DATA_KEY.';
comment on column authenticator_apps.last_step is 'The half minute of the newest code that was taken: no code is taken twice.';

create table recovery_codes (
  code_hash bytea primary key,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null
);
create index recovery_codes_of_a_user on recovery_codes (user_id);
comment on table recovery_codes is 'Eighty random bits each, as a hash; a used one is deleted.';

create table passkey_challenges (
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('sign_in', 'second_step', 'confirm', 'add')),
  user_id text references users on delete cascade,
  expires_at timestamptz not null,
  constraint only_a_sign_in_is_anybodys check ((purpose = 'sign_in') = (user_id is null))
);
create index passkey_challenges_of_a_user on passkey_challenges (user_id);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);
comment on table passkey_challenges is 'What a passkey was asked to sign, for one answer within five minutes.';

create table pending_sign_ins (
  token_hash bytea primary key,
  user_id text not null references users on delete cascade,
  password_tag bytea not null,
  expires_at timestamptz not null
);
create index pending_sign_ins_of_a_user on pending_sign_ins (user_id);
create index pending_sign_ins_by_expiry on pending_sign_ins (expires_at);
comment on table pending_sign_ins is 'Browsers in which the password was right and the second step is still to come. Opens nothing by itself.';
comment on column pending_sign_ins.password_tag is 'A hash of the password''s hash: with another password the sign-in begins anew.';
