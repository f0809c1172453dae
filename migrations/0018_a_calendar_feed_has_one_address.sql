create table calendar_feeds (
  user_id text primary key references users on delete cascade,
  secret_hash bytea not null unique,
  shows text not null check (shows in ('own_bookings', 'studio')),
  created_at timestamptz not null
);
comment on table calendar_feeds is 'The address at which calendars read a user''s feed, as a hash of its secret: one at a time, a new one ends it.';
comment on column calendar_feeds.shows is 'What its owner could ask for when it was made: a member who becomes an admin keeps an address of the own bookings, which may have been passed on.';
