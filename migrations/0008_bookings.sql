-- A member's place in a class, paid with one credit of one pass.
create table bookings (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  class_id integer not null references classes,
  pass_id integer not null references passes on delete cascade, -- for a companion, of the member who invited them
  status text not null check (status in ('confirmed', 'completed', 'cancelled', 'no_show')),
  -- `refunded`: the credit was returned. `forfeited`: a late cancellation or a no-show.
  payment_status text not null check (payment_status in ('paid', 'refunded', 'forfeited')),
  participant_count integer not null default 1 check (participant_count = 1),
  total_amount_pence integer not null check (total_amount_pence >= 0),
  booked_at timestamptz not null, cancelled_at timestamptz,
  reinstatements integer not null default 0 check (reinstatements >= 0), -- how often its cancellation was undone
  -- When the studio last moved the class, and its time before. Since then cancelling returns the credit.
  moved_at timestamptz,
  moved_from_date date, moved_from_start_time time(0), moved_from_end_time time(0),
  -- UID and SEQUENCE of its calendar entry. A booking that replaces another one takes them over and counts on.
  calendar_uid text not null default gen_random_uuid()::text,
  calendar_sequence integer not null default 0 check (calendar_sequence >= 0),
  reminded_at timestamptz, -- when the reminder was queued
  check ((status = 'cancelled') = (cancelled_at is not null)),
  constraint a_place_held_is_not_paid_back check (status <> 'confirmed' or payment_status <> 'refunded'),
  constraint a_move_says_where_from
    check (num_nulls(moved_at, moved_from_date, moved_from_start_time, moved_from_end_time) in (0, 4))
);
create unique index one_confirmed_booking_per_member_and_class on bookings (user_id, class_id)
  where status <> 'cancelled';
create index bookings_of_a_member on bookings (user_id, class_id);
create index bookings_of_a_class on bookings (class_id);
create index bookings_of_a_pass on bookings (pass_id);
create index bookings_by_date on bookings (booked_at, id);
create index bookings_by_status on bookings (status);
create index bookings_to_remind_of on bookings (class_id) where status = 'confirmed' and reminded_at is null;
create unique index one_place_per_calendar_identity on bookings (calendar_uid) where status <> 'cancelled';
create unique index one_version_of_a_calendar_identity on bookings (calendar_uid, calendar_sequence);

create function count_places() returns trigger language plpgsql as $$ begin
  if tg_op <> 'INSERT' and old.status <> 'cancelled' then
    update classes set booked_count = booked_count - old.participant_count where id = old.class_id;
  end if;
  if tg_op <> 'DELETE' and new.status <> 'cancelled' then
    update classes set booked_count = booked_count + new.participant_count where id = new.class_id;
  end if;
  return null;
end $$;
create trigger count_places after insert or delete on bookings for each row execute function count_places();
create trigger recount_places after update on bookings
  for each row when ((old.status = 'cancelled') <> (new.status = 'cancelled') or old.class_id <> new.class_id)
  execute function count_places();

-- Deferred, because the ledger line names the booking and is written after it.
create function a_booking_has_paid() returns trigger language plpgsql as $$ begin
  if not exists (
    select from credit_ledger where booking_id = new.id and pass_id = new.pass_id and kind = 'booking'
  ) then
    raise exception 'booking % has no ledger line', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger a_booking_has_paid after insert on bookings
  deferrable initially deferred for each row execute function a_booking_has_paid();

create function a_paused_pass_pays_for_no_class() returns trigger language plpgsql as $$ begin
  if exists (
    select from passes pass join classes class on class.id = new.class_id
    where pass.id = new.pass_id and pass.paused @> class.date
  ) then
    raise exception 'pass % is paused on the day of class %', new.pass_id, new.class_id
      using errcode = 'check_violation', constraint = 'a_paused_pass_pays_for_no_class';
  end if;
  return new;
end $$;
create trigger a_paused_pass_pays_for_no_class before insert on bookings
  for each row when (new.status = 'confirmed') execute function a_paused_pass_pays_for_no_class();

-- Calendars take an update only with a higher SEQUENCE: it increases when the booking ends or is brought back, and when
-- its class changes.
create function count_calendar_sequence() returns trigger language plpgsql as $$ begin
  if new.calendar_uid <> old.calendar_uid or new.calendar_sequence < old.calendar_sequence then
    raise exception 'booking % keeps its calendar identity', new.id using errcode = 'check_violation';
  end if;
  if (new.status = 'cancelled') <> (old.status = 'cancelled') then
    new.calendar_sequence := old.calendar_sequence + 1;
  end if;
  return new;
end $$;
create trigger count_calendar_sequence before update of status, calendar_uid, calendar_sequence on bookings
  for each row execute function count_calendar_sequence();

create function count_calendar_sequences_of_class() returns trigger language plpgsql as $$ begin
  update bookings set calendar_sequence = calendar_sequence + 1 where class_id = new.id and status = 'confirmed';
  return null;
end $$;
create trigger count_calendar_sequences_of_class after update of title, instructor_name, starts_at, ends_at on classes
  for each row when ((old.title, old.instructor_name, old.starts_at, old.ends_at)
    is distinct from (new.title, new.instructor_name, new.starts_at, new.ends_at))
  execute function count_calendar_sequences_of_class();

-- Bookings that members cancelled a moment ago and can still bring back. The email and the waiting list wait.
create table undoable_cancellations (
  booking_id integer primary key references bookings on delete cascade,
  cancelled_at timestamptz not null,
  outcome text not null check (outcome in ('credit_returned', 'forfeited', 'no_pass')), -- what the email says
  reason text not null check (reason in ('in_time', 'late', 'moved', 'decided')),
  is_place_held boolean not null, -- whether the place is kept in the meantime, because the class has a waiting list
  class_updated_at timestamptz not null, -- once the studio has changed the class, the booking stays cancelled
  pass_expires_at timestamptz not null, -- the expiry of the pass before, in case returning the credit extended it
  is_by_payer boolean not null default false -- by the member who booked it for a companion; only they can undo it
);

-- Classes and days that the studio cancelled a moment ago and can still bring back. The emails wait. Members are named
-- by id only.
create table studio_cancellations (
  id integer generated always as identity primary key,
  admin_id text not null, made_at timestamptz not null,
  classes jsonb not null, -- the classes as they were before, and when this cancellation changed them
  lost jsonb not null, -- the bookings, entries of waiting lists and passes that it changed
  closed jsonb, -- the closed days, their reason and whether waiting members are emailed; null if classes were deleted
  undone_at timestamptz
);

-- Members who want a place in a full class, in the order in which they joined. An entry is deleted when its member
-- leaves or gets a place, and when the class starts.
create table waiting_list (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  class_id integer not null references classes on delete cascade,
  joined_at timestamptz not null,
  -- When the studio moved the class. Until the member confirms, no place is booked or offered.
  unconfirmed_since timestamptz,
  -- Shortly before the start, a free place is offered to one member at a time. `offered`: theirs until offered_until;
  -- `skipped`: they could not take it, and were emailed why; `over`: they declined, or their time ran out.
  turn text check (turn in ('offered', 'skipped', 'over')),
  offered_until timestamptz,
  constraint one_place_in_line_per_member_and_class unique (user_id, class_id),
  constraint an_offer_has_an_end check ((coalesce(turn, '') = 'offered') = (offered_until is not null)),
  constraint an_offer_is_confirmed check (offered_until is null or unconfirmed_since is null)
);
create index line_of_a_class on waiting_list (class_id, joined_at, id);
create index offers_of_a_class on waiting_list (class_id) where offered_until is not null;
