-- Members who are added at the desk may have a phone number instead of an email address. They cannot sign in.
alter table users alter column email drop not null, alter column username drop not null;
alter table users
  add constraint a_member_has_an_email_or_a_phone check (email is not null or phone is not null),
  add constraint signing_in_needs_an_email check (email is not null or (username is null and password_hash is null and not is_admin)),
  add constraint an_email_has_a_username check (email is null or username is not null);
comment on column users.email is 'Null for members who have only a phone number; the studio calls them.';

-- What would have been emailed to a member without an address: the owner calls them.
create table calls (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  mail text not null,
  subject text not null,
  gist text not null,
  created_at timestamptz not null default now()
);
create index calls_of_a_user on calls (user_id);
create index calls_by_date on calls (created_at);
comment on table calls is 'Phone calls to make, one per email that could not be sent; a call that was made is deleted.';
