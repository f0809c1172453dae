-- Bookings that members cancelled a moment ago and can still bring back. The email and the waiting list wait.
create table undoable_cancellations (
  booking_id integer primary key references bookings on delete cascade,
  cancelled_at timestamptz not null,
  outcome text not null check (outcome in ('credit_returned', 'forfeited', 'no_pass')), -- what the email says
  reason text not null check (reason in ('in_time', 'late', 'moved', 'other_teacher', 'decided')),
  is_place_reserved boolean not null, -- whether the place is kept in the meantime, because the class has a waiting list
  class_updated_at timestamptz not null, -- once the studio has changed the class, the booking stays cancelled
  pass_expires_at timestamptz, -- the expiry of the pass before, in case returning the credit extended it; null without a pass
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
  regular_booking_id integer references regular_bookings on delete cascade, -- that wrote it; null: the member joined
  -- When the studio moved the class. Until the member confirms, no place is booked or offered.
  unconfirmed_since timestamptz,
  -- Shortly before the start, a free place is offered to one member at a time. `offered`: theirs until offered_until;
  -- `skipped`: they could not take it, and were emailed why; `over`: they declined, or their time ran out.
  turn text check (turn in ('offered', 'skipped', 'over')),
  offered_until timestamptz,
  constraint one_entry_per_member_and_class unique (user_id, class_id),
  constraint an_offer_has_an_end check ((coalesce(turn, '') = 'offered') = (offered_until is not null)),
  constraint an_offer_is_confirmed check (offered_until is null or unconfirmed_since is null)
);
create index waiting_list_of_a_class on waiting_list (class_id, joined_at, id);
create index entries_of_a_regular_booking on waiting_list (regular_booking_id) where regular_booking_id is not null;
create index offers_of_a_class on waiting_list (class_id) where offered_until is not null;
