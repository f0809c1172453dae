-- Since bookings_by_status finds the confirmed bookings, and bookings_of_a_class those of a class, no statement needs both in one.
drop index confirmed_bookings;
