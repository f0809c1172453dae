create table waiting_list (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  class_id integer not null references classes on delete cascade,
  joined_at timestamptz not null,
  constraint one_place_in_line_per_member_and_class unique (user_id, class_id)
);
create index line_of_a_class on waiting_list (class_id, joined_at, id);
comment on table waiting_list is 'Who waits for a place in a class, the first to come leading. Whoever leaves or has a place leaves no row, nor does a class that has begun.';
