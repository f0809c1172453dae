-- Days on which the studio is closed, both included, with the reason as people are told it. Ranges may overlap.
create table closures (
  id integer primary key generated always as identity,
  from_date date not null,
  to_date date not null,
  reason text not null,
  admin_id text not null,
  created_at timestamptz not null,
  check (to_date >= from_date)
);
create index closures_to_date on closures (to_date);

-- The classes that a closure keeps off the timetable: those that it took off, and those that another had taken off before.
-- One comes back when the last closure that keeps it is gone.
create table closed_classes (
  closure_id integer not null references closures (id) on delete cascade,
  class_id integer not null references classes (id) on delete cascade,
  primary key (closure_id, class_id)
);
create index closed_classes_class_id on closed_classes (class_id);
