-- Rows of an import may book a class, and keep the credits of the old system for the reconciliation sheet.
alter table imports add column bookings integer not null default 0;
alter table import_rows
  add column file_credits integer,
  add column booking_id integer references bookings (id) on delete set null;
create index import_rows_by_booking on import_rows (booking_id);
