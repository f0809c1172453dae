alter table credit_ledger
  add column caused_by text,
  add column caused_by_admin text,
  add column class_title text,
  add column class_date date,
  add column class_start_time time(0);
comment on column credit_ledger.caused_by is 'member: who holds the pass; system: a job or the waiting list; provider: the card provider. Null on old lines of bookings, which did not say.';
comment on column credit_ledger.caused_by_admin is 'No foreign key: the line outlives the account, which leaves nothing but its id.';
comment on column credit_ledger.class_title is 'The class as it was when the line was written; kept by a trigger.';
alter table passes add column voided_at timestamptz;
comment on column passes.voided_at is 'When an admin voided what was left of it: no credit is given back to it as a kindness.';

-- Old lines learn what is certain, once: the class of their booking, and who alone can have caused their kind.
alter table credit_ledger disable trigger keep_ledger_lines;
update credit_ledger line set class_title = class.title, class_date = class.date, class_start_time = class.start_time
  from bookings booking join classes class on class.id = booking.class_id where booking.id = line.booking_id;
update credit_ledger set caused_by = case kind when 'purchase' then 'member' when 'expiry' then 'system' else 'admin' end
  where kind in ('purchase', 'expiry', 'gift', 'refund', 'correction');
alter table credit_ledger enable trigger keep_ledger_lines;
update passes set voided_at = (select max(at) from credit_ledger where pass_id = passes.id and kind = 'correction' and reason like 'voided by %');

alter table credit_ledger
  add constraint causes_are_known check (caused_by in ('member', 'admin', 'system', 'provider')),
  add constraint only_admins_are_named check (caused_by_admin is null or caused_by = 'admin'),
  -- Not valid: old lines may be silent, new ones may not.
  add constraint a_line_says_who_caused_it check (
    caused_by is not null and (caused_by = 'admin') = (caused_by_admin is not null)
  ) not valid,
  drop constraint a_line_moves_the_right_way,
  add constraint a_line_moves_the_right_way check (
    case kind
      when 'purchase' then credits > 0
      when 'gift' then credits > 0
      when 'booking' then credits = -1
      when 'return' then credits = 1
      when 'goodwill' then credits = 1
      when 'forfeit' then credits = 0
      when 'no_show' then credits = 0
      when 'expiry' then credits < 0
      when 'refund' then credits < 0
      -- Of a booking it says that a no-show was none, which moves nothing.
      when 'correction' then (credits = 0) = (booking_id is not null)
      else false
    end
  ),
  drop constraint bookings_explain_their_lines,
  add constraint bookings_explain_their_lines check (
    kind = 'correction' or (kind in ('booking', 'return', 'goodwill', 'forfeit', 'no_show')) = (booking_id is not null)
  ),
  add constraint a_kindness_has_its_reason check (kind <> 'goodwill' or reason is not null);

create index ledger_of_a_booking on credit_ledger (booking_id);
drop index a_booking_is_returned_once;
create unique index a_booking_is_returned_once on credit_ledger (booking_id) where kind in ('return', 'goodwill');
create unique index a_cancelled_booking_has_one_outcome on credit_ledger (booking_id) where kind in ('return', 'forfeit');

create function name_the_class_of_a_line() returns trigger language plpgsql as $$
begin
  select class.title, class.date, class.start_time into new.class_title, new.class_date, new.class_start_time
    from bookings booking join classes class on class.id = booking.class_id where booking.id = new.booking_id;
  return new;
end $$;
create trigger name_the_class before insert on credit_ledger
  for each row when (new.booking_id is not null) execute function name_the_class_of_a_line();

-- A line that moves nothing leaves its pass alone, unlocked.
drop trigger move_credits on credit_ledger;
create trigger move_credits after insert on credit_ledger
  for each row when (new.credits <> 0) execute function move_credits_by_ledger_line();

-- The credit of a no-show can come back, and a correction of the attendance does not undo it.
do $$
declare name text;
begin
  for name in select conname from pg_constraint
    where conrelid = 'bookings'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%payment_status <> ''refunded''%'
  loop
    execute format('alter table bookings drop constraint %I', name);
  end loop;
end $$;
alter table bookings add constraint a_place_held_is_not_paid_back check (status <> 'confirmed' or payment_status <> 'refunded');
