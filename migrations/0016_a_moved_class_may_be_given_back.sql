alter table bookings
  add column moved_at timestamptz,
  add column moved_from_date date,
  add column moved_from_start_time time(0),
  add column moved_from_end_time time(0),
  add constraint a_move_says_where_from check (num_nulls(moved_at, moved_from_date, moved_from_start_time, moved_from_end_time) in (0, 4));
comment on column bookings.moved_at is 'When the studio last moved the class under this booking. From then on it is cancelled without cost until the class starts.';
comment on column bookings.moved_from_date is 'Where the class was before that move, with its times: London wall time, as the member was told.';
alter table waiting_list add column unconfirmed_since timestamptz;
comment on column waiting_list.unconfirmed_since is 'When the studio moved the class under this place in line: nobody is booked into a moved class who has not said that they still want it.';
