alter table classes
  add column held_places integer not null default 0 check (held_places >= 0),
  drop constraint a_class_is_never_oversold,
  add constraint a_class_is_never_oversold check (booked_count >= 0 and booked_count + held_places <= max_participants);
comment on column classes.held_places is 'Free places kept for the waiting list until they are handed out: they count as taken for everyone else.';
create index classes_with_held_places on classes (id) where held_places > 0;
