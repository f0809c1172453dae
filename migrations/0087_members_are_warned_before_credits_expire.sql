-- One warning 14 days and one 3 days before a pass with credits expires. A pass whose expiry moves is warned of again.
create table expiry_warnings (
  pass_id integer not null references passes (id) on delete cascade,
  expires_on date not null,
  days integer not null,
  queued_at timestamptz not null,
  primary key (pass_id, expires_on, days),
  constraint warnings_come_14_or_3_days_before check (days in (14, 3))
);
