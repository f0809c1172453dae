-- What a member holds after buying a package or receiving one as a gift: credits, each of which pays for one place.
create table passes (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  package_id integer not null references packages,
  purchase_id integer references purchases, -- null for a gift, a voucher or an import
  credits_total integer not null check (credits_total >= 1),
  credits_remaining integer not null default 0, -- the sum of its ledger lines; only a trigger changes it
  created_at timestamptz not null, expires_at timestamptz not null,
  -- When it was last extended, resumed or thawed: until the next night it pays for nothing without a press.
  usable_since timestamptz,
  paused datemultirange not null default '{}', -- days on which it pays for nothing; they were added to expires_at
  -- Since when a dispute about the payment keeps it from paying. If it is won, expires_at moves on by as long.
  frozen_at timestamptz,
  frozen_days datemultirange not null default '{}', -- of disputes that are over, so that a pause adds none twice
  refunded_at timestamptz,
  voided_at timestamptz, -- when an admin voided the credits that were left; none returns to it
  constraint one_pass_per_purchase unique (purchase_id),
  constraint credits_are_never_negative check (credits_remaining >= 0),
  constraint a_pause_has_a_first_and_a_last_day check (not lower_inf(paused) and not upper_inf(paused)),
  constraint frozen_days_have_a_first_and_a_last_one check (not lower_inf(frozen_days) and not upper_inf(frozen_days))
);
create index passes_of_a_member on passes (user_id, expires_at);
create index passes_of_a_package on passes (package_id, user_id);
create index passes_that_expire on passes (expires_at) where credits_remaining > 0;

-- Refuses a change that does not come from the trigger of the ledger, which runs one level deeper.
create function only_the_ledger_moves_credits() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' then
    if new.credits_remaining <> 0 then
      raise exception 'a pass starts empty; its first ledger line fills it' using errcode = 'check_violation';
    end if;
  elsif new.credits_remaining <> old.credits_remaining and pg_trigger_depth() < 2 then
    raise exception 'credits move by ledger lines only' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger only_the_ledger_moves_credits before insert or update of credits_remaining on passes
  for each row execute function only_the_ledger_moves_credits();

-- Deferred, because voiding is two statements: the pass and its ledger line.
create function a_voided_pass_holds_no_credits() returns trigger language plpgsql as $$ begin
  if exists (select from passes where id = new.id and voided_at is not null and credits_remaining > 0) then
    raise exception 'pass % is voided and holds credits', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger a_voided_pass_holds_no_credits after update of voided_at, credits_remaining on passes
  deferrable initially deferred for each row when (new.voided_at is not null)
  execute function a_voided_pass_holds_no_credits();

-- Every movement of credits and its cause. Lines are only ever added.
create table credit_ledger (
  id bigint generated always as identity primary key,
  pass_id integer not null references passes on delete cascade,
  -- `booking`: a place was taken, or held for a companion. `forfeit`: a late cancellation lost its credit. `goodwill`:
  -- the studio returned a credit that was lost.
  kind text not null,
  credits integer not null,
  booking_id integer, -- no foreign key, as bookings come later; a trigger checks that it exists
  reason text, -- in words for the member
  -- `member`: the holder of the pass. `system`: a job or the waiting list. `provider`: the card provider.
  caused_by text not null,
  caused_by_admin text, -- no foreign key: the line outlives the account
  -- The class when the line was written. A trigger fills it in.
  class_title text, class_date date, class_start_time time(0),
  -- How often the booking's cancellation had been undone. Each time, the booking is paid once and ends once.
  reinstatements integer not null default 0,
  at timestamptz not null,
  constraint a_line_moves_the_right_way check (
    case
      when kind in ('purchase', 'gift', 'voucher') then credits > 0
      when kind = 'booking' then credits = -1
      when kind in ('return', 'goodwill') then credits = 1
      when kind in ('forfeit', 'no_show', 'pause', 'resume') then credits = 0
      when kind in ('expiry', 'refund') then credits < 0
      when kind = 'extension' then credits >= 0 -- brings back what an expired pass had lost
      -- For a booking, it takes back a no-show, which moves nothing.
      when kind = 'correction' then (credits = 0) = (booking_id is not null)
      else false
    end
  ),
  constraint bookings_explain_their_lines check (
    kind = 'correction' or (kind in ('booking', 'return', 'goodwill', 'forfeit', 'no_show')) = (booking_id is not null)
  ),
  constraint a_kindness_has_its_reason check (kind <> 'goodwill' or reason is not null),
  constraint a_change_of_validity_has_its_reason
    check (kind not in ('pause', 'resume', 'extension') or reason is not null),
  constraint causes_are_known check (caused_by in ('member', 'admin', 'system', 'provider')),
  constraint only_admins_are_named check (caused_by_admin is null or caused_by = 'admin'),
  constraint a_line_says_who_caused_it
    check ((caused_by = 'admin') = (caused_by_admin is not null))
);
create index ledger_of_a_pass on credit_ledger (pass_id, id);
create index ledger_of_a_booking on credit_ledger (booking_id);
create unique index a_booking_is_paid_once on credit_ledger (booking_id, reinstatements) where kind = 'booking';
create unique index a_booking_is_returned_once on credit_ledger (booking_id, reinstatements)
  where kind in ('return', 'goodwill');
create unique index a_cancelled_booking_has_one_outcome on credit_ledger (booking_id, reinstatements)
  where kind in ('return', 'forfeit');
create index credits_written_off on credit_ledger (pass_id) include (credits) where kind = 'expiry';
create index credits_lost_or_brought_back on credit_ledger (pass_id) include (credits)
  where kind in ('expiry', 'extension');

-- A line that moves nothing does not lock its pass.
create function move_credits_by_ledger_line() returns trigger language plpgsql as $$ begin
  update passes set credits_remaining = credits_remaining + new.credits where id = new.pass_id;
  return null;
end $$;
create trigger move_credits after insert on credit_ledger
  for each row when (new.credits <> 0) execute function move_credits_by_ledger_line();

create function name_the_class_of_a_line() returns trigger language plpgsql as $$ begin
  select class.title, class.date, class.start_time, booking.reinstatements
    into new.class_title, new.class_date, new.class_start_time, new.reinstatements
    from bookings booking join classes class on class.id = booking.class_id where booking.id = new.booking_id;
  if not found then
    raise exception 'ledger line % names no booking', new.id
      using errcode = 'foreign_key_violation', constraint = 'ledger_lines_name_real_bookings';
  end if;
  return new;
end $$;
create trigger name_the_class before insert on credit_ledger
  for each row when (new.booking_id is not null) execute function name_the_class_of_a_line();

create function keep_ledger_lines() returns trigger language plpgsql as $$ begin
  if tg_op = 'DELETE' and not exists (select from passes where id = old.pass_id) then
    return old; -- the pass itself is being erased
  end if;
  raise exception 'credit_ledger is append-only' using errcode = 'restrict_violation';
end $$;
create trigger keep_ledger_lines before update or delete on credit_ledger
  for each row execute function keep_ledger_lines();
create trigger keep_all_ledger_lines before truncate on credit_ledger
  for each statement execute function keep_ledger_lines();

-- Emails that warned a member 14 or 3 days before a pass with credits expires. Another expiry is warned of again.
create table expiry_warnings (
  pass_id integer not null references passes on delete cascade,
  expires_on date not null, days integer not null,
  queued_at timestamptz not null,
  primary key (pass_id, expires_on, days),
  constraint warnings_come_14_or_3_days_before check (days in (14, 3))
);
