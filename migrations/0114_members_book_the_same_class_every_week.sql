-- A member's place in every class of one weekday and start time.
create table regular_bookings (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  weekday smallint not null check (weekday between 1 and 7),
  start_time time(0) not null,
  from_date date not null,
  created_at timestamptz not null,
  mailed_at timestamptz not null,
  credits_warned_at timestamptz,
  constraint one_regular_booking_per_member_and_slot unique (user_id, weekday, start_time)
);
create index regular_bookings_of_a_slot on regular_bookings (weekday, start_time);
comment on column regular_bookings.weekday is '1 is Monday.';
comment on column regular_bookings.from_date is 'The London date of its first class.';
comment on column regular_bookings.mailed_at is 'When the member was last emailed which dates are booked.';
comment on column regular_bookings.credits_warned_at is 'When the member was warned that their credits end soon; null while they last.';

create table regular_dates_left_out (
  user_id text not null references users on delete cascade,
  class_id integer not null references classes on delete cascade,
  primary key (user_id, class_id)
);
create index dates_left_out_of_a_class on regular_dates_left_out (class_id);
comment on table regular_dates_left_out is 'Classes that are not booked for a member again: skipped, cancelled or moved away from, by member or owner.';

create table regular_bookings_unmailed (
  booking_id integer primary key references bookings on delete cascade,
  regular_booking_id integer not null references regular_bookings on delete cascade
);
create index unmailed_of_a_regular_booking on regular_bookings_unmailed (regular_booking_id);
comment on table regular_bookings_unmailed is 'Booked at night; in the next email to the member, at most one a month.';
