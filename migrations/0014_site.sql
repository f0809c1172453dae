-- What the owner edits about the studio, in versions. The highest is current; without a version, src/studio.ts applies.
create table studio_facts (
  version integer primary key check (version > 0), -- a key: concurrent edits cannot both become the next version
  facts jsonb not null,
  admin_id text not null, changed_at timestamptz not null
);

-- Counts changes by admins, after their commits, so that every process renders public pages again.
create sequence admin_changes;

-- What the owner of a live site has confirmed in the set-up list. Until name, address and contact are
-- confirmed, nothing is sold and search engines are kept out.
create table set_up_items (
  item text primary key check (item in (
    'name', 'address', 'contact', 'legal', 'hours', 'timetable', 'packages', 'term', 'card_payments', 'test_email',
    'backup', 'finished'
  )),
  admin_id text, -- null for the test email, which is confirmed once it was sent
  confirmed_at timestamptz not null
);

-- Pictures that the owner uploaded. The facts name them by id.
create table pictures (
  id text primary key check (id ~ '^[0-9a-f]{32}$'), -- a hash of the uploaded file and the place
  place text not null check (length(place) between 1 and 40),
  sizes jsonb not null,
  in_email boolean not null default false, -- sent in an email, so it is kept for as long as people read old emails
  uploaded_at timestamptz not null
);

-- Cropped and encoded as WebP, or as JPEG for emails, because not every mail program shows WebP.
create table picture_files (
  picture_id text not null references pictures on delete cascade,
  crop text not null check (crop in ('wide', 'narrow', 'email')),
  width integer not null check (width between 1 and 4000),
  content bytea storage external not null check (length(content) between 1 and 2000000), -- already compressed
  primary key (picture_id, crop, width)
);

-- The private address at which a calendar program reads a user's feed. A new address ends the former one.
create table calendar_feeds (
  user_id text primary key references users on delete cascade,
  secret_hash bytea not null unique,
  -- A member who becomes an admin keeps `own_bookings`: others may know the address.
  shows text not null check (shows in ('own_bookings', 'studio')),
  created_at timestamptz not null
);

-- The owner's private calendar, which the site reads to find clashes with classes.
create table own_calendar (
  is_only boolean primary key default true,
  sealed_address bytea not null, -- anyone with the address can read the calendar
  host text not null, etag text,
  added_at timestamptz not null, read_at timestamptz, next_read_at timestamptz not null,
  failing_since timestamptz, failure text,
  -- Events that could not be read are left out. The first ones have their day and why, never a title.
  unread_events integer not null default 0, first_unread jsonb not null default '[]',
  constraint own_calendar_is_one_row check (is_only),
  constraint own_calendar_failure_has_a_start check ((failing_since is null) = (failure is null)),
  constraint own_calendar_counts_what_it_shows check (jsonb_array_length(first_unread) <= unread_events)
);

-- When she is busy, and not with what.
create table busy_times (
  id bigint generated always as identity primary key,
  calendar boolean not null default true references own_calendar on delete cascade,
  starts_at timestamptz not null, ends_at timestamptz not null,
  is_all_day boolean not null,
  constraint busy_times_end_after_they_start check (ends_at > starts_at)
);
create index busy_times_by_start on busy_times (starts_at);
create index busy_times_of_a_calendar on busy_times (calendar);

-- Files of members that were imported from another system.
create table imports (
  id integer generated always as identity primary key,
  admin_id text not null, imported_at timestamptz not null,
  members integer not null check (members >= 0), passes integer not null check (passes >= 0),
  credits integer not null check (credits >= 0), bookings integer not null default 0,
  taken_back_at timestamptz check (taken_back_at >= imported_at)
);

-- Their rows. Each is imported once, even if its member has been erased since. Taking an import back deletes its rows,
-- so that they can be imported again.
create table import_rows (
  fingerprint bytea primary key, -- SHA-256 of the row's address, package, credits, expiry and booking
  import_id integer not null references imports,
  user_id text references users on delete set null,
  adds_member boolean not null default false,
  -- The pass and the booking that the row gave.
  pass_id integer references passes on delete set null,
  credits integer not null check (credits >= 0),
  booking_id integer references bookings on delete set null,
  file_credits integer not null, -- the credits in the file, for comparing the books of both systems
  consent_before jsonb, -- the member's consent to news that the row's consent replaced
  imported_at timestamptz not null
);
create index import_rows_of_an_import on import_rows (import_id);
create index import_rows_of_a_user on import_rows (user_id);
create index import_rows_of_a_pass on import_rows (pass_id);
create index import_rows_by_booking on import_rows (booking_id);

-- What the owner marked as done on her list of things that need attention and do not change by themselves.
create table attention_done (
  kind text not null, about text not null,
  admin_id text not null, done_at timestamptz not null,
  primary key (kind, about)
);

-- The day of the last daily email: one row, so that it is sent once.
create table attention_mail (is_only boolean primary key default true check (is_only), mailed_on date not null);

-- How many bookings and payments were tried in a minute, and how many ended in a server error. Nobody is recorded.
create table outcomes (
  kind text not null constraint an_outcome_has_a_known_kind check (kind in ('booking', 'payment')),
  minute timestamptz not null,
  total integer not null, failed integer not null,
  primary key (kind, minute),
  constraint no_more_fail_than_there_are check (failed between 0 and total)
);

-- Times when too many failed. The owner is emailed once for each.
create table incidents (
  id integer generated always as identity primary key,
  kind text not null constraint an_incident_has_a_known_kind check (kind in ('booking', 'payment')),
  started_at timestamptz not null, ended_at timestamptz,
  total integer not null, failed integer not null
);
create unique index one_open_incident_of_a_kind on incidents (kind) where ended_at is null;

-- The weekly check of the checkout page from outside. Without findings, it is as docs/operations/cards.md lists it.
create table checkout_checks (
  id integer generated always as identity primary key,
  checked_at timestamptz not null, findings text[] not null
);

-- How fast pages were in visitors' browsers: milliseconds (LCP, INP) or a score (CLS). No visitor is recorded.
create table vitals (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  page text not null check (page ~ '^/[^?#]*$' and length(page) <= 200),
  metric text not null constraint a_vital_is_known check (metric in ('LCP', 'INP', 'CLS')),
  value real not null check (value >= 0)
);
create index vitals_by_time on vitals (at);

-- What browsers blocked under a page's content security policy. No visitor is recorded, and addresses only by origin.
create table csp_reports (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  page text not null, directive text not null, blocked text not null,
  constraint csp_reports_have_no_queries check (page !~ '[?#]' and length(page) <= 200 and length(directive) <= 50),
  constraint csp_reports_name_origins_only
    check (blocked ~ '^([a-z-]+|[a-z][a-z0-9+.-]*://[^/?#]+)$' and length(blocked) <= 200)
);
create index csp_reports_by_time on csp_reports (at);

-- Every backup that was tried: its file, or why there is none.
create table backups (
  id integer generated always as identity primary key,
  began_at timestamptz not null, ended_at timestamptz not null,
  made_by text not null check (made_by in ('night', 'command')),
  machine text not null, file text, bytes bigint check (bytes > 0),
  failure text,
  constraint a_backup_is_a_file_or_says_why_not check ((failure is null) = (num_nulls(file, bytes) = 0))
);
create index backups_by_end on backups (ended_at desc, id desc);

-- Restores from a backup. A database with a row is not new, even if it is empty.
create table restores (
  id integer generated always as identity primary key,
  taken_at timestamptz not null, -- the moment that the backup shows
  restored_at timestamptz not null,
  settled_at timestamptz, -- when its consequences were dealt with: erasures repeated, jobs queued, payments polled
  -- The last receipt numbers, in the backup and in the replaced database. Members have the receipts between them.
  last_receipt_restored integer not null check (last_receipt_restored >= 0),
  last_receipt_given integer not null check (last_receipt_given >= 0),
  constraint receipts_are_lost_never_won check (last_receipt_given >= last_receipt_restored)
);

-- Jobs that were waiting when the backup was made, until they are queued again with the same ids.
create table restored_jobs (
  id uuid primary key,
  queue text not null, data jsonb not null, created_at timestamptz not null
);
