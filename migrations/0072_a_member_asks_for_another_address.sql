-- Addresses that members have asked for and not confirmed yet: one per member. The address changes when the link that was
-- emailed to it is followed. A token is derived from link_id with a secret that is not in the database.
create table email_change_requests (
  user_id text primary key references users on delete cascade,
  new_email text not null,
  link_id text not null,
  token_hash bytea not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > requested_at)
);
create unique index one_email_change_per_link on email_change_requests (token_hash);
create index email_change_requests_by_expiry on email_change_requests (expires_at);
comment on table email_change_requests is 'Addresses that members asked for, until they follow the emailed link or expires_at.';
