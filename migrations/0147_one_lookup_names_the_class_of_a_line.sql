-- The lookup that names the class of a line also finds out whether its booking exists; a second trigger looked again.
create or replace function name_the_class_of_a_line() returns trigger language plpgsql as $$
begin
  select class.title, class.date, class.start_time, booking.reinstatements
    into new.class_title, new.class_date, new.class_start_time, new.reinstatements
    from bookings booking join classes class on class.id = booking.class_id where booking.id = new.booking_id;
  if not found then
    raise exception 'ledger line % names no booking', new.id
      using errcode = 'foreign_key_violation', constraint = 'ledger_lines_name_real_bookings';
  end if;
  return new;
end $$;
drop trigger ledger_lines_name_real_bookings on credit_ledger;
drop function a_line_names_a_real_booking;
