-- What a member has just cancelled and can still undo: a row lives some seconds, until the email is queued.
create table undoable_cancellations (
  booking_id integer primary key references bookings on delete cascade,
  cancelled_at timestamptz not null,
  -- What the email says.
  outcome text not null check (outcome in ('credit_returned', 'forfeited', 'no_pass')),
  reason text not null check (reason in ('in_time', 'late', 'moved', 'decided')),
  is_place_held boolean not null,
  class_updated_at timestamptz not null,
  pass_expires_at timestamptz not null
);
comment on table undoable_cancellations is 'Bookings that their members cancelled a moment ago and can still bring back. Email and waiting list wait until then.';
comment on column undoable_cancellations.is_place_held is 'Whether the place is held until then, because the class has a waiting list.';
comment on column undoable_cancellations.class_updated_at is 'The class as it was: after a change by the studio the booking cannot be brought back.';
comment on column undoable_cancellations.pass_expires_at is 'The expiry of the pass before, in case returning the credit extended it.';
