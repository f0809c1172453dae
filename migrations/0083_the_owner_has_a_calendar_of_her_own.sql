-- The owner's private calendar. The site reads it to find classes that clash with it and keeps only when she is busy.
create table own_calendar (
  is_only boolean primary key default true,
  sealed_address bytea not null,
  host text not null,
  added_at timestamptz not null,
  next_read_at timestamptz not null,
  read_at timestamptz,
  etag text,
  failing_since timestamptz,
  failure text,
  constraint own_calendar_is_one_row check (is_only),
  constraint own_calendar_failure_has_a_start check ((failing_since is null) = (failure is null))
);
comment on column own_calendar.sealed_address is 'A secret: anyone with the address can read the calendar. Sealed with AES-256-GCM.';

create table busy_times (
  id bigint generated always as identity primary key,
  calendar boolean not null default true references own_calendar on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  is_all_day boolean not null,
  constraint busy_times_end_after_they_start check (ends_at > starts_at)
);
create index busy_times_by_start on busy_times (starts_at);
create index busy_times_of_a_calendar on busy_times (calendar);
