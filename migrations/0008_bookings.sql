-- Whom a member brings: to one place, which is held until they answer, or also every week. Kept as the member typed it,
-- and deleted some time after the last of its places.
create table invitations (
  id integer generated always as identity primary key,
  invited_by text not null references users on delete cascade,
  first_name text not null, last_name text not null, email text not null,
  link_id text not null unique default gen_random_uuid()::text, -- the token of the emailed link is derived from it
  invited_at timestamptz not null, open_until timestamptz not null,
  answer text check (answer in ('accepted', 'declined', 'ended')), -- null while it is open
  constraint an_invitation_has_an_end check (open_until > invited_at)
);
create index invitations_by_a_member on invitations (invited_by, invited_at);
create index invitations_of_an_address on invitations (lower(email), invited_at);

-- Addresses (SHA-256) that no member may invite again.
create table invitation_objections (email_hash bytea primary key, objected_at timestamptz not null);

-- A member's place in every class of one weekday and start time.
create table regular_bookings (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  weekday smallint not null check (weekday between 1 and 7), -- 1 is Monday
  start_time time(0) not null,
  from_date date not null, -- the date of the first class
  invitation_id integer references invitations on delete set null, -- of the companion
  companion_user_id text references users on delete set null, -- who comes along, once they have agreed to every week
  created_at timestamptz not null,
  mailed_at timestamptz not null, -- when the member was last emailed which dates are booked
  credits_warned_at timestamptz, -- when the member was warned that their credits end soon; null while they last
  constraint one_regular_booking_per_member_and_slot unique (user_id, weekday, start_time),
  constraint a_member_brings_another_person check (companion_user_id <> user_id)
);
create index regular_bookings_of_a_slot on regular_bookings (weekday, start_time);
create index regular_bookings_of_a_companion on regular_bookings (companion_user_id);
create index regular_bookings_of_an_invitation on regular_bookings (invitation_id);

-- Classes that are not booked for a member again: skipped, cancelled or moved away from, by member or owner.
create table regular_dates_left_out (
  user_id text not null references users on delete cascade,
  class_id integer not null references classes on delete cascade,
  primary key (user_id, class_id)
);
create index dates_left_out_of_a_class on regular_dates_left_out (class_id);

-- Places of people in classes, each paid with one credit of one pass.
create table bookings (
  id integer generated always as identity primary key,
  class_id integer not null references classes,
  user_id text references users on delete set null, -- the holder; null while the place is held, and once erased
  -- Whose pass paid, and which. Null once the payer is erased: the place stays, and its credit stays spent.
  payer_id text references users on delete set null,
  pass_id integer references passes on delete set null,
  status text not null check (status in ('held', 'confirmed', 'completed', 'cancelled', 'no_show')),
  -- `refunded`: the credit was returned. `forfeited`: a late cancellation or a no-show.
  payment_status text not null check (payment_status in ('paid', 'refunded', 'forfeited')),
  participant_count integer not null default 1 check (participant_count = 1),
  total_amount_pence integer not null check (total_amount_pence >= 0),
  origin text not null check (origin in ('member', 'desk', 'waiting_list', 'regular', 'import')),
  regular_booking_id integer references regular_bookings on delete set null, -- that made it, or took it over
  brought_by integer references bookings on delete set null, -- the booking of the member who brings this person
  invitation_id integer references invitations on delete set null, -- of a person who is brought
  booked_at timestamptz not null, -- when its holder took it; until then, since when it is held
  announced_at timestamptz, -- when its holder was emailed about it, or a call was listed; null until then
  cancelled_at timestamptz,
  reinstatements integer not null default 0 check (reinstatements >= 0), -- how often its cancellation was undone
  -- When the studio last moved the class, and its time before. Since then cancelling returns the credit.
  moved_at timestamptz,
  moved_from_date date, moved_from_start_time time(0), moved_from_end_time time(0),
  -- Who was to teach the class when it was booked, while another teacher does: cancelling returns the credit.
  booked_with text,
  -- UID and SEQUENCE of its calendar entry. A booking that replaces another one takes them over and counts on.
  calendar_uid text not null default gen_random_uuid()::text,
  calendar_sequence integer not null default 0 check (calendar_sequence >= 0),
  reminded_at timestamptz, -- when the reminder was queued
  check ((status = 'cancelled') = (cancelled_at is not null)),
  constraint a_held_place_has_no_holder check (status <> 'held' or user_id is null),
  constraint a_place_held_is_not_paid_back check (status not in ('held', 'confirmed') or payment_status <> 'refunded'),
  constraint a_move_says_where_from
    check (num_nulls(moved_at, moved_from_date, moved_from_start_time, moved_from_end_time) in (0, 4))
);
create unique index one_confirmed_booking_per_member_and_class on bookings (user_id, class_id)
  where status <> 'cancelled';
create unique index one_companion_per_booking on bookings (brought_by) where status <> 'cancelled';
create index bookings_of_a_member on bookings (user_id, class_id);
create index bookings_of_a_payer on bookings (payer_id);
create index bookings_of_a_class on bookings (class_id);
create index bookings_of_a_pass on bookings (pass_id);
create index bookings_of_a_regular_booking on bookings (regular_booking_id) where regular_booking_id is not null;
create index bookings_of_companions on bookings (brought_by) where brought_by is not null;
create index bookings_of_an_invitation on bookings (invitation_id) where invitation_id is not null;
create index bookings_by_date on bookings (booked_at, id);
create index bookings_by_status on bookings (status);
create index bookings_to_remind_of on bookings (class_id) where status = 'confirmed' and reminded_at is null;
create unique index one_place_per_calendar_identity on bookings (calendar_uid) where status <> 'cancelled';
create unique index one_version_of_a_calendar_identity on bookings (calendar_uid, calendar_sequence);

-- Places with a holder: what lists, counts and files show. A held place is nobody's booking.
create view taken_places as select * from bookings where user_id is not null;

-- A place is deleted once neither its holder nor its payer is left.
create function delete_a_place_of_nobody() returns trigger language plpgsql as $$ begin
  delete from bookings where id = new.id;
  return null;
end $$;
create trigger delete_a_place_of_nobody after update of user_id, payer_id on bookings
  for each row when (new.user_id is null and new.payer_id is null) execute function delete_a_place_of_nobody();

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
  for each row when (new.status in ('held', 'confirmed')) execute function a_paused_pass_pays_for_no_class();

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
