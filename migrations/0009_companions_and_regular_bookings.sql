-- The second places that members book for companions. Until the companion accepts, the place is held: it counts as
-- taken and uses a credit, but is no booking.
create table companions (
  id integer generated always as identity primary key,
  booking_id integer not null references bookings on delete cascade, -- of the member who invites, and whose pass pays
  class_id integer not null references classes,
  pass_id integer not null references passes on delete cascade,
  -- As the member typed them; forgotten later.
  first_name text, last_name text, email text,
  link_id text not null unique default gen_random_uuid()::text, -- the token of the emailed link is derived from it
  state text not null check (state in ('held', 'accepted', 'declined', 'ended', 'withdrawn')),
  invited_at timestamptz not null, held_until timestamptz not null, ended_at timestamptz,
  companion_booking_id integer unique references bookings on delete set null, -- what the companion accepted
  is_regular boolean not null default false, -- booked with a regular booking, for a companion who agreed before
  constraint a_held_place_has_an_end check (held_until > invited_at),
  constraint a_held_place_is_open check ((state = 'held') = (ended_at is null)),
  constraint a_held_place_names_its_companion check (
    state <> 'held' or (first_name is not null and last_name is not null and email is not null)
  ),
  constraint an_accepted_place_was_accepted check (companion_booking_id is null or state = 'accepted'),
  constraint a_regular_place_was_never_held check (not is_regular or state = 'accepted')
);
create unique index one_held_place_per_booking on companions (booking_id) where state = 'held';
create unique index one_held_place_per_recipient_and_class on companions (class_id, lower(email)) where state = 'held';
create index companions_of_a_booking on companions (booking_id);
create index companions_of_a_class on companions (class_id);
create index companions_of_a_pass on companions (pass_id);
create index invitations_of_an_address on companions (lower(email));
create index held_places_by_end on companions (held_until) where state = 'held';

create function count_held_companions() returns trigger language plpgsql as $$ begin
  if tg_op <> 'INSERT' and old.state = 'held' then
    update classes set booked_count = booked_count - 1 where id = old.class_id;
  end if;
  if tg_op <> 'DELETE' and new.state = 'held' then
    update classes set booked_count = booked_count + 1 where id = new.class_id;
  end if;
  return null;
end $$;
create trigger count_held_companions after insert or delete on companions
  for each row execute function count_held_companions();
create trigger recount_held_companions after update of state, class_id on companions
  for each row when (old.state <> new.state or old.class_id <> new.class_id) execute function count_held_companions();

-- Deferred, because the ledger line is written after the place. A regular place has a booking, which pays.
create function a_held_place_has_paid() returns trigger language plpgsql as $$ begin
  if exists (select from companions where id = new.id)
    and not exists (select from credit_ledger where companion_id = new.id and pass_id = new.pass_id and kind = 'hold')
  then
    raise exception 'held place % has no ledger line', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger a_held_place_has_paid after insert on companions
  deferrable initially deferred for each row when (not new.is_regular) execute function a_held_place_has_paid();

-- Addresses (SHA-256) that no member may invite again.
create table invitation_objections (email_hash bytea primary key, objected_at timestamptz not null);

-- A member's place in every class of one weekday and start time.
create table regular_bookings (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  weekday smallint not null check (weekday between 1 and 7), -- 1 is Monday
  start_time time(0) not null,
  from_date date not null, -- the date of the first class
  -- Who comes along, once they have agreed; until then, the held place that asks them.
  companion_user_id text references users on delete set null,
  companion_place_id integer references companions on delete set null,
  created_at timestamptz not null,
  mailed_at timestamptz not null, -- when the member was last emailed which dates are booked
  credits_warned_at timestamptz, -- when the member was warned that their credits end soon; null while they last
  constraint one_regular_booking_per_member_and_slot unique (user_id, weekday, start_time),
  constraint a_member_brings_another_person check (companion_user_id <> user_id)
);
create index regular_bookings_of_a_slot on regular_bookings (weekday, start_time);
create index regular_bookings_of_a_companion on regular_bookings (companion_user_id);
create index regular_bookings_of_an_invitation on regular_bookings (companion_place_id);

-- Classes that are not booked for a member again: skipped, cancelled or moved away from, by member or owner.
create table regular_dates_left_out (
  user_id text not null references users on delete cascade,
  class_id integer not null references classes on delete cascade,
  primary key (user_id, class_id)
);
create index dates_left_out_of_a_class on regular_dates_left_out (class_id);

-- Bookings made at night that the member is not emailed about yet: they are in the next email, at most one a month.
create table regular_bookings_unmailed (
  booking_id integer primary key references bookings on delete cascade,
  regular_booking_id integer not null references regular_bookings on delete cascade
);
create index unmailed_of_a_regular_booking on regular_bookings_unmailed (regular_booking_id);
