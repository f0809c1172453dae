create table bookings (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  class_id integer not null references classes,
  pass_id integer not null references passes on delete cascade,
  status text not null check (status in ('confirmed', 'completed', 'cancelled', 'no_show')),
  payment_status text not null check (payment_status in ('paid', 'refunded', 'forfeited')),
  participant_count integer not null default 1 check (participant_count = 1),
  total_amount_pence integer not null check (total_amount_pence >= 0),
  booked_at timestamptz not null,
  cancelled_at timestamptz,
  check ((status = 'cancelled') = (cancelled_at is not null)),
  check (status = 'cancelled' or payment_status <> 'refunded')
);
create unique index one_confirmed_booking_per_member_and_class on bookings (user_id, class_id) where status <> 'cancelled';
create index bookings_of_a_member on bookings (user_id, class_id);
create index bookings_of_a_class on bookings (class_id);
create index bookings_of_a_pass on bookings (pass_id);
create index confirmed_bookings on bookings (class_id) where status = 'confirmed';
create index bookings_by_date on bookings (booked_at desc, id);

alter table credit_ledger add constraint ledger_lines_name_real_bookings
  foreign key (booking_id) references bookings deferrable initially deferred;

create function count_places() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status <> 'cancelled' then
    update classes set booked_count = booked_count - old.participant_count where id = old.class_id;
  end if;
  if tg_op <> 'DELETE' and new.status <> 'cancelled' then
    update classes set booked_count = booked_count + new.participant_count where id = new.class_id;
  end if;
  return null;
end $$;
create trigger count_places after insert or delete on bookings
  for each row execute function count_places();
create trigger recount_places after update on bookings
  for each row when ((old.status = 'cancelled') <> (new.status = 'cancelled') or old.class_id <> new.class_id)
  execute function count_places();

create function only_bookings_count_places() returns trigger language plpgsql as $$
begin
  if (tg_op = 'INSERT' and new.booked_count <> 0)
    or (tg_op = 'UPDATE' and new.booked_count <> old.booked_count and pg_trigger_depth() < 2) then
    raise exception 'places are counted by bookings only' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger only_bookings_count_places before insert or update of booked_count on classes
  for each row execute function only_bookings_count_places();

create function a_booking_has_paid() returns trigger language plpgsql as $$
begin
  if not exists (select from credit_ledger where booking_id = new.id and pass_id = new.pass_id and kind = 'booking') then
    raise exception 'booking % has no ledger line', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger a_booking_has_paid after insert on bookings
  deferrable initially deferred for each row execute function a_booking_has_paid();
comment on table bookings is 'A member''s place in a class, paid by one credit of one pass.';
