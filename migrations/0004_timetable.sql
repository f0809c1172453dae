-- The classes that one repeating class created.
create table class_series (
  id integer generated always as identity primary key,
  repeat_frequency text not null check (repeat_frequency in ('weekly', 'biweekly', 'monthly')),
  first_date date not null, -- the repeats are counted from here, even if the class of this date was moved or deleted
  repeat_until_date date not null
);

create table classes (
  id integer generated always as identity primary key,
  series_id integer references class_series,
  title text not null, description text,
  instructor_name text not null, -- who teaches it, or taught it
  planned_instructor_name text, -- who was to teach it, if it was given to another teacher
  -- Wall time in London, and the instants that it means.
  date date not null, start_time time(0) not null, end_time time(0) not null,
  starts_at timestamptz not null, ends_at timestamptz not null check (ends_at > starts_at),
  max_participants integer not null check (max_participants in (1, 2)), -- one-on-one or duo
  booked_count integer not null default 0, -- bookings not cancelled and places held for companions; set by triggers
  reserved_places integer not null default 0 check (reserved_places >= 0), -- kept for the waiting list, taken for all others
  price_pence integer not null check (price_pence >= 0),
  pass_price_pence integer not null check (pass_price_pence >= 0),
  is_active boolean not null default true,
  deleted_at timestamptz,
  created_at timestamptz not null, updated_at timestamptz not null,
  constraint a_class_is_never_oversold check (booked_count >= 0 and booked_count + reserved_places <= max_participants),
  constraint names_in_classes_are_trimmed check ((title, instructor_name) = (trimmed(title), trimmed(instructor_name))),
  constraint a_class_was_given_to_another_teacher check (planned_instructor_name <> instructor_name)
);
create index classes_by_day on classes (date, start_time, id) where deleted_at is null;
create index classes_by_date on classes (date); -- for analytics, which include deleted classes
create index classes_that_end on classes (ends_at);
create index classes_of_a_series on classes (series_id);
create index classes_with_reserved_places on classes (id) where reserved_places > 0;

-- Refuses a count that does not come from the triggers of bookings and companions, which run one level deeper.
create function only_bookings_count_places() returns trigger language plpgsql as $$ begin
  if (tg_op = 'INSERT' and new.booked_count <> 0)
    or (tg_op = 'UPDATE' and new.booked_count <> old.booked_count and pg_trigger_depth() < 2) then
    raise exception 'places are counted by bookings only' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger only_bookings_count_places before insert or update of booked_count on classes
  for each row execute function only_bookings_count_places();

-- The classes that planning a term made, by day and slot of the weekly timetable. Planning again makes only what is
-- missing, so not the classes that were moved or deleted since.
create table planned_classes (
  date date not null, start_time time(0) not null,
  nth integer not null check (nth > 0), -- tells apart two slots that start at the same time
  class_id integer not null references classes on delete cascade,
  constraint a_term_makes_a_class_once primary key (date, start_time, nth),
  constraint a_class_is_planned_for_one_slot unique (class_id)
);

-- Days on which the studio is closed, both included. Closures may overlap.
create table closures (
  id integer generated always as identity primary key,
  from_date date not null, to_date date not null,
  -- Hours of a single day, in London: the closure covers classes that start at or after from_time and before to_time.
  from_time time(0), to_time time(0),
  reason text not null, -- as it is given to members
  admin_id text not null, created_at timestamptz not null,
  check (to_date >= from_date),
  constraint hours_are_of_one_day check (
    (from_time is null) = (to_time is null) and (from_time is null or (from_date = to_date and from_time < to_time))
  )
);
create index closures_to_date on closures (to_date);

-- The classes that a closure takes off the timetable. A class returns when no closure covers it any more.
create table closed_classes (
  closure_id integer not null references closures on delete cascade,
  class_id integer not null references classes on delete cascade,
  primary key (closure_id, class_id)
);
create index closed_classes_class_id on closed_classes (class_id);
