-- The newest bookings, and the page after a booking, straight from the index: its ids now run the same way as its times.
drop index bookings_by_date;
create index bookings_by_date on bookings (booked_at, id);
