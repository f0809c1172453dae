alter table bookings
  add column calendar_uid text not null default gen_random_uuid()::text,
  add column calendar_sequence integer not null default 0 check (calendar_sequence >= 0);
-- The identity that was mailed with these bookings until now; a cancelled one has had one change.
update bookings
  set calendar_uid = 'booking-' || id, calendar_sequence = case when status = 'cancelled' then 1 else 0 end;

create unique index one_place_per_calendar_identity on bookings (calendar_uid) where status <> 'cancelled';
create unique index one_version_of_a_calendar_identity on bookings (calendar_uid, calendar_sequence);

create function a_calendar_identity_counts_up() returns trigger language plpgsql as $$
begin
  if new.calendar_uid <> old.calendar_uid or new.calendar_sequence < old.calendar_sequence then
    raise exception 'booking % keeps its calendar identity', new.id using errcode = 'check_violation';
  end if;
  if new.status = 'cancelled' and old.status <> 'cancelled' then
    new.calendar_sequence := old.calendar_sequence + 1;
  end if;
  return new;
end $$;
create trigger a_calendar_identity_counts_up before update of status, calendar_uid, calendar_sequence on bookings
  for each row execute function a_calendar_identity_counts_up();

create function a_changed_class_counts_calendars_up() returns trigger language plpgsql as $$
begin
  update bookings set calendar_sequence = calendar_sequence + 1 where class_id = new.id and status = 'confirmed';
  return null;
end $$;
create trigger a_changed_class_counts_calendars_up after update of title, instructor_name, starts_at, ends_at on classes
  for each row when ((old.title, old.instructor_name, old.starts_at, old.ends_at)
    is distinct from (new.title, new.instructor_name, new.starts_at, new.ends_at))
  execute function a_changed_class_counts_calendars_up();

comment on column bookings.calendar_uid is 'The UID of its calendar entry, from the first booking through every move to the last. `booking-12`: given before identities were kept, mailed at the studio''s domain.';
comment on column bookings.calendar_sequence is 'The SEQUENCE of its calendar entry: counted up by triggers when it ends or its class changes; a booking moved to another class goes on counting.';
