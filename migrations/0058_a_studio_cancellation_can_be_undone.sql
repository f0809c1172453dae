-- What the studio cancelled and can still undo: a row lives about a minute, until the emails are queued.
create table studio_cancellations (
  id integer primary key generated always as identity,
  admin_id text not null,
  made_at timestamptz not null,
  -- The classes as they were before and the change since then that this cancellation made.
  classes jsonb not null,
  -- Bookings, places in line and passes that were changed, by id.
  lost jsonb not null,
  -- Of closed days: which, why, and whether the waiting lists are emailed. Null where classes were deleted.
  closed jsonb,
  undone_at timestamptz
);
comment on table studio_cancellations is 'Deleted classes and closed days whose emails have not been queued yet. No names or addresses: members are named by id.';

-- A booking that is brought back keeps its row, so it is paid, and later returned, once more each time.
alter table bookings add column reinstatements integer not null default 0 check (reinstatements >= 0);
alter table credit_ledger add column reinstatements integer not null default 0;
comment on column bookings.reinstatements is 'How often its cancellation was undone.';
comment on column credit_ledger.reinstatements is 'Of the booking when the line was written, filled in by a trigger: each time it is paid once and ends once.';

drop index a_booking_is_paid_once;
create unique index a_booking_is_paid_once on credit_ledger (booking_id, reinstatements) where kind = 'booking';
drop index a_booking_is_returned_once;
create unique index a_booking_is_returned_once on credit_ledger (booking_id, reinstatements)
  where kind in ('return', 'goodwill');
drop index a_cancelled_booking_has_one_outcome;
create unique index a_cancelled_booking_has_one_outcome on credit_ledger (booking_id, reinstatements)
  where kind in ('return', 'forfeit');

create or replace function name_the_class_of_a_line() returns trigger language plpgsql as $$
begin
  select class.title, class.date, class.start_time, booking.reinstatements
    into new.class_title, new.class_date, new.class_start_time, new.reinstatements
    from bookings booking join classes class on class.id = booking.class_id where booking.id = new.booking_id;
  new.reinstatements := coalesce(new.reinstatements, 0);
  return new;
end $$;

-- A booking that is brought back is another version of its calendar entry, too.
create or replace function a_calendar_identity_counts_up() returns trigger language plpgsql as $$
begin
  if new.calendar_uid <> old.calendar_uid or new.calendar_sequence < old.calendar_sequence then
    raise exception 'booking % keeps its calendar identity', new.id using errcode = 'check_violation';
  end if;
  if (new.status = 'cancelled') <> (old.status = 'cancelled') then
    new.calendar_sequence := old.calendar_sequence + 1;
  end if;
  return new;
end $$;
