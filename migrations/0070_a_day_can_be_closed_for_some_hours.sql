-- A closure of a single day may be for some hours only, as wall time in London. It covers the classes that start at or after
-- from_time and before to_time; without times it covers the whole days.
alter table closures add column from_time time(0);
alter table closures add column to_time time(0);
alter table closures add constraint hours_are_of_one_day
  check ((from_time is null) = (to_time is null) and (from_time is null or (from_date = to_date and from_time < to_time)));
