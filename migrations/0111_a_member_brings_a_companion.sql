-- A member books the second place of a class for a companion. Until the companion has accepted, the place is held: it counts
-- as taken and uses a credit, but it is no booking.
create table companions (
  id integer generated always as identity primary key,
  booking_id integer not null references bookings on delete cascade,
  class_id integer not null references classes,
  pass_id integer not null references passes on delete cascade,
  first_name text,
  last_name text,
  email text,
  link_id text not null unique default gen_random_uuid()::text,
  state text not null check (state in ('held', 'accepted', 'declined', 'ended', 'withdrawn')),
  invited_at timestamptz not null,
  held_until timestamptz not null,
  ended_at timestamptz,
  companion_booking_id integer unique references bookings on delete set null,
  constraint a_held_place_has_an_end check (held_until > invited_at),
  constraint a_held_place_is_open check ((state = 'held') = (ended_at is null)),
  constraint a_held_place_names_its_companion check (
    state <> 'held' or (first_name is not null and last_name is not null and email is not null)
  ),
  constraint an_accepted_place_was_accepted check (companion_booking_id is null or state = 'accepted')
);
comment on table companions is 'The second places that members book for companions. Names and address are as the member typed them, and forgotten later.';
create unique index one_held_place_per_booking on companions (booking_id) where state = 'held';
create unique index one_held_place_per_recipient_and_class on companions (class_id, lower(email)) where state = 'held';
create index companions_of_a_booking on companions (booking_id);
create index companions_of_a_class on companions (class_id);
create index companions_of_a_pass on companions (pass_id);
create index invitations_of_an_address on companions (lower(email));
create index held_places_by_end on companions (held_until) where state = 'held';

create table invitation_objections (
  email_hash bytea primary key,
  objected_at timestamptz not null
);
comment on table invitation_objections is 'Addresses (SHA-256) that no member may invite again.';

create function count_held_companions() returns trigger language plpgsql as $$
begin
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
comment on column classes.booked_count is 'Bookings that are not cancelled, and places held for companions. Kept by triggers alone.';

-- The ledger names held places. One that ends on a pass that has ended returns nothing.
alter table credit_ledger add column companion_id integer;
comment on column credit_ledger.companion_id is 'The held place of a hold or release. No foreign key: the line outlives it.';
do $$
declare rule text;
begin
  select pg_get_expr(conbin, conrelid) into rule from pg_constraint
    where conrelid = 'credit_ledger'::regclass and conname = 'a_line_moves_the_right_way';
  alter table credit_ledger drop constraint a_line_moves_the_right_way;
  execute format(
    'alter table credit_ledger add constraint a_line_moves_the_right_way check (
      case when kind = ''hold'' then credits = -1 when kind = ''release'' then credits in (0, 1) else %s end
    ) not valid', rule);
end $$;
alter table credit_ledger
  validate constraint a_line_moves_the_right_way,
  add constraint held_places_explain_their_lines check ((kind in ('hold', 'release')) = (companion_id is not null));
create unique index a_held_place_is_paid_once on credit_ledger (companion_id) where kind = 'hold';
create unique index a_held_place_is_released_once on credit_ledger (companion_id) where kind = 'release';

create function name_the_class_of_a_held_place() returns trigger language plpgsql as $$
begin
  select class.title, class.date, class.start_time into new.class_title, new.class_date, new.class_start_time
    from companions companion join classes class on class.id = companion.class_id where companion.id = new.companion_id;
  return new;
end $$;
create trigger name_the_class_of_a_held_place before insert on credit_ledger
  for each row when (new.companion_id is not null) execute function name_the_class_of_a_held_place();

create function a_held_place_has_paid() returns trigger language plpgsql as $$
begin
  if exists (select from companions where id = new.id)
    and not exists (select from credit_ledger where companion_id = new.id and pass_id = new.pass_id and kind = 'hold') then
    raise exception 'held place % has no ledger line', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger a_held_place_has_paid after insert on companions
  deferrable initially deferred for each row execute function a_held_place_has_paid();

-- A companion's booking is paid by the member's pass, so lines of the ledger outlive the booking of an erased companion.
alter table credit_ledger drop constraint ledger_lines_name_real_bookings;
create function a_line_names_a_real_booking() returns trigger language plpgsql as $$
begin
  if not exists (select from bookings where id = new.booking_id) then
    raise exception 'ledger line % names no booking', new.id
      using errcode = 'foreign_key_violation', constraint = 'ledger_lines_name_real_bookings';
  end if;
  return null;
end $$;
create trigger ledger_lines_name_real_bookings after insert on credit_ledger
  for each row when (new.booking_id is not null)
  execute function a_line_names_a_real_booking();

-- The member who paid can cancel the companion's place, and undo that.
alter table undoable_cancellations add column is_by_payer boolean not null default false;
