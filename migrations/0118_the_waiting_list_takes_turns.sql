-- Less than 12 hours before the start a free place is offered along the waiting list, to one member at a time.
alter table waiting_list
  add column turn text check (turn in ('offered', 'skipped', 'over')),
  add column offered_until timestamptz,
  add constraint an_offer_has_an_end check ((coalesce(turn, '') = 'offered') = (offered_until is not null)),
  add constraint an_offer_is_confirmed check (offered_until is null or unconfirmed_since is null);
comment on column waiting_list.turn is 'Of the places that are being offered now. offered: theirs until offered_until; skipped: they could not take it and were emailed why; over: declined, or time ran out.';
create index offers_of_a_class on waiting_list (class_id) where offered_until is not null;
