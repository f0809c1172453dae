-- Whose email address was changed, from what: for some days nobody else can take the old one, and a link that was mailed to
-- it brings it back.
create table email_changes (
  -- SHA-256 of the mailed link's token.
  token_hash bytea primary key,
  id integer not null generated always as identity,
  user_id text not null references users on delete cascade,
  old_email text not null,
  changed_at timestamptz not null,
  expires_at timestamptz not null
);
create index email_changes_of_a_user on email_changes (user_id);
create index email_changes_by_old_address on email_changes (lower(old_email));
create index email_changes_by_expiry on email_changes (expires_at);
comment on table email_changes is 'Addresses that were changed lately: kept free for whoever had them until expires_at.';

-- Whoever took the address in the moment in which it was given up waited for that change, and finds it here. What has run out
-- is deleted before anybody takes an address.
create function keep_reserved_addresses() returns trigger language plpgsql as $$
begin
  if exists (
    select from email_changes
    where lower(old_email) in (lower(new.email), lower(new.username)) and user_id <> new.id
  ) then
    raise unique_violation using message = 'this address is kept free', constraint = 'an_address_is_kept_free', table = 'users';
  end if;
  return null;
end $$;
create trigger keep_reserved_addresses after insert or update of email, username on users
  for each row execute function keep_reserved_addresses();
