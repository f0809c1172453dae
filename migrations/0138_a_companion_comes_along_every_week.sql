-- A companion who has agreed once comes along to the classes of a member's regular booking.
alter table regular_bookings
  add column companion_user_id text references users on delete set null,
  add column companion_place_id integer references companions on delete set null,
  add constraint a_member_brings_another_person check (companion_user_id <> user_id);
create index regular_bookings_of_a_companion on regular_bookings (companion_user_id);
create index regular_bookings_of_an_invitation on regular_bookings (companion_place_id);
comment on column regular_bookings.companion_user_id is 'Who comes along, once they have agreed.';
comment on column regular_bookings.companion_place_id is 'The held place whose companion comes along once they accept it.';

-- Such a place is booked at once, so no credit held it before.
alter table companions
  add column is_regular boolean not null default false,
  add constraint a_regular_place_was_never_held check (not is_regular or state = 'accepted');
drop trigger a_held_place_has_paid on companions;
create constraint trigger a_held_place_has_paid after insert on companions
  deferrable initially deferred for each row when (not new.is_regular) execute function a_held_place_has_paid();
