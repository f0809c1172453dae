-- Somebody new is added at the desk: without a password, until they follow the link of their invitation.
alter table users
  add column phone text,
  add column invited_at timestamptz,
  add constraint phones_of_users_are_trimmed check (phone <> '' and phone = trimmed(phone));
comment on column users.phone is 'As it was given; null: none is known.';
comment on column users.invited_at is 'When the newest invitation to set a password was mailed; null: never. Without a password hash it still waits to be followed.';

alter table one_time_links drop constraint one_time_links_purpose_check;
alter table one_time_links add constraint one_time_links_purpose_check
  check (purpose in ('verify_email', 'set_password', 'invitation'));
