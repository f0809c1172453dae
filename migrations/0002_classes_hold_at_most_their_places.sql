create table class_series (
  id integer generated always as identity primary key,
  repeat_frequency text not null check (repeat_frequency in ('weekly', 'biweekly', 'monthly')),
  repeat_until_date date not null
);

create table classes (
  id integer generated always as identity primary key,
  series_id integer references class_series,
  title text not null,
  description text,
  date date not null,
  start_time time(0) not null,
  end_time time(0) not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  max_participants integer not null check (max_participants in (1, 2)),
  booked_count integer not null default 0,
  price_pence integer not null check (price_pence >= 0),
  pass_price_pence integer not null check (pass_price_pence >= 0),
  instructor_name text not null,
  is_active boolean not null default true,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint a_class_is_never_oversold check (booked_count between 0 and max_participants)
);
create index classes_by_day on classes (date, start_time, id) where deleted_at is null;
create index classes_that_end on classes (ends_at);
create index classes_of_a_series on classes (series_id);
comment on column classes.starts_at is 'The instant the London wall time denotes; computed with Temporal, disambiguation compatible.';
comment on column classes.booked_count is 'Bookings that are not cancelled. Kept by bookings alone: see 0006.';
