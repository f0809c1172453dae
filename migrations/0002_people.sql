-- Members and the people who run the studio.
create table users (
  id text primary key,
  first_name text not null, last_name text not null,
  email text, -- null for members who have only a phone number: the studio calls them, and they cannot sign in
  username text, phone text, -- the phone number as it was given
  password_hash text, -- null until the member sets a password by an emailed link
  is_admin boolean not null default false,
  is_teacher boolean not null default false, -- sees the classes and people of today and tomorrow, nothing else
  teaches_as text, -- a teacher's name in the settings: they see only the classes with this name
  email_verified_at timestamptz, -- when a link sent to this address was first followed; registering does not set it
  invited_at timestamptz, -- when the latest invitation to set a password was emailed
  welcomed_at timestamptz,
  -- A blocked member can sign in and cancel, but neither book nor buy. The member can read the reason.
  blocked_at timestamptz, blocked_reason text,
  -- When a block was lifted or health information became complete: until the next night nothing is booked without a press.
  able_since timestamptz,
  texts_off boolean not null default false, -- the member has switched text messages off
  created_at timestamptz not null, updated_at timestamptz not null default now(),
  searchable text not null generated always as
    (folded(first_name || ' ' || last_name || ' ' || coalesce(email, '') || ' ' || coalesce(username, ''))) stored,
  constraint names_of_users_are_trimmed check ((username, email, first_name, last_name) =
    (trimmed(username), trimmed(email), trimmed(first_name), trimmed(last_name))),
  constraint logins_have_one_form check ((username, email) = (as_login(username), as_login(email))),
  constraint phones_of_users_are_trimmed check (phone <> '' and phone = trimmed(phone)),
  constraint a_member_has_an_email_or_a_phone check (email is not null or phone is not null),
  constraint an_email_has_a_username check (email is null or username is not null),
  constraint signing_in_needs_an_email
    check (email is not null or (username is null and password_hash is null and not is_admin)),
  constraint an_admin_is_not_also_a_teacher check (not (is_admin and is_teacher)),
  constraint admins_are_not_blocked check (not is_admin or blocked_at is null),
  constraint only_a_teacher_teaches_as_someone check (teaches_as is null or (is_teacher and teaches_as = trimmed(teaches_as))),
  constraint teachers_are_not_blocked check (not is_teacher or blocked_at is null),
  constraint who_is_blocked_is_told_why check ((blocked_at is null) = (blocked_reason is null))
);
create unique index one_account_per_email on users (lower(email));
create unique index one_account_per_username on users (lower(username));
create index users_by_joining on users (created_at desc, id);

-- A teacher who becomes an admin stops being a teacher.
create function an_admin_is_not_a_teacher() returns trigger language plpgsql as $$ begin
  new.is_teacher := false;
  return new;
end $$;
create trigger an_admin_is_not_a_teacher before insert or update of is_admin on users
  for each row when (new.is_admin and new.is_teacher) execute function an_admin_is_not_a_teacher();

create function only_teachers_teach() returns trigger language plpgsql as $$ begin
  new.teaches_as := null;
  return new;
end $$;
create trigger only_teachers_teach before update on users
  for each row when (new.teaches_as is not null and (new.is_admin or not new.is_teacher)) execute function only_teachers_teach();

-- Notes of the studio about a member, in plain text: health information belongs in the sealed tables.
create table member_notes (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  author_id text references users on delete set null,
  text text not null, written_at timestamptz not null
);
create index notes_of_a_member on member_notes (user_id, written_at desc, id desc);
create index notes_by_author on member_notes (author_id);

-- A new address that a member has asked for. It replaces the old one when the member follows the link sent to it.
create table email_change_requests (
  user_id text primary key references users on delete cascade,
  new_email text not null,
  link_id text not null, -- the link's token is derived from this id and a secret that is not in the database
  token_hash bytea not null,
  requested_at timestamptz not null, expires_at timestamptz not null check (expires_at > requested_at)
);
create unique index one_email_change_per_link on email_change_requests (token_hash);
create index email_change_requests_by_expiry on email_change_requests (expires_at);

-- Addresses that were changed recently. Until expires_at nobody else can take the old address, and a link sent to it
-- restores it.
create table email_changes (
  token_hash bytea primary key, -- SHA-256 of the link's token
  id integer generated always as identity not null,
  user_id text not null references users on delete cascade,
  old_email text not null,
  changed_at timestamptz not null, expires_at timestamptz not null
);
create index email_changes_of_a_user on email_changes (user_id);
create index email_changes_by_old_address on email_changes (lower(old_email));
create index email_changes_by_expiry on email_changes (expires_at);

-- Runs after the row is written: by then it has waited for a concurrent change that gave the address up, and sees it.
-- Expired rows are deleted before an address is taken.
create function keep_reserved_addresses() returns trigger language plpgsql as $$ begin
  if exists (
    select from email_changes where lower(old_email) in (lower(new.email), lower(new.username)) and user_id <> new.id
  ) then
    raise unique_violation using
      message = 'this address is kept free', constraint = 'an_address_is_kept_free', table = 'users';
  end if;
  return null;
end $$;
create trigger keep_reserved_addresses after insert or update of email, username on users
  for each row execute function keep_reserved_addresses();
