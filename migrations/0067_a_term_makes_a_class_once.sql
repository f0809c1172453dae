-- Planning a term again makes only what is missing: a class that was moved or deleted since is not made again.
create table planned_classes (
  date date not null,
  start_time time(0) not null,
  nth integer not null check (nth > 0),
  class_id integer not null references classes on delete cascade,
  constraint a_term_makes_a_class_once primary key (date, start_time, nth),
  constraint a_class_is_planned_for_one_slot unique (class_id)
);
comment on table planned_classes is 'The day and slot of the weekly timetable for which planning a term made a class.';
comment on column planned_classes.nth is 'Tells apart two slots that start at the same time.';
