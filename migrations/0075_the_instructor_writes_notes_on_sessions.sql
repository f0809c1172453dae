-- What the instructor writes about a member's session, sealed like the health answers. A note is kept under the member's
-- consent to health information, so it goes with the questionnaire that records the consent.
create table session_notes (
  booking_id integer primary key references bookings on delete cascade,
  user_id text not null references health_questionnaires on delete cascade,
  sealed bytea not null,
  version integer not null check (version > 0),
  author_id text references users on delete set null,
  written_at timestamptz not null
);
create index session_notes_of_a_member on session_notes (user_id);
create index session_notes_of_an_author on session_notes (author_id);
create trigger keep_health_versions before update on session_notes
  for each row when (new.version is distinct from old.version) execute function keep_health_versions();
comment on table session_notes is 'Sealed with AES-256-GCM; the key is never in the database. One note per booking.';
comment on column session_notes.user_id is 'The member of the booking. References the questionnaire: withdrawing consent erases the notes.';
