-- Analytics counts all bookings by their status: from the index, without reading the bookings.
create index bookings_by_status on bookings (status);
