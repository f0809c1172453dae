create table passes (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  package_id integer not null references packages,
  purchase_id integer references purchases,
  credits_total integer not null check (credits_total >= 1),
  credits_remaining integer not null default 0,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  refunded_at timestamptz,
  constraint one_pass_per_purchase unique (purchase_id),
  constraint credits_are_never_negative check (credits_remaining >= 0)
);
create index passes_of_a_member on passes (user_id, expires_at);
create index passes_of_a_package on passes (package_id, user_id);
create index passes_that_expire on passes (expires_at) where credits_remaining > 0;

create table credit_ledger (
  id bigint generated always as identity primary key,
  pass_id integer not null references passes on delete cascade,
  kind text not null,
  credits integer not null,
  booking_id integer,
  reason text,
  at timestamptz not null,
  constraint a_line_moves_the_right_way check (
    case kind
      when 'purchase' then credits > 0
      when 'gift' then credits > 0
      when 'booking' then credits = -1
      when 'return' then credits = 1
      when 'expiry' then credits < 0
      when 'refund' then credits < 0
      when 'correction' then credits <> 0
      else false
    end
  ),
  constraint bookings_explain_their_lines check ((kind in ('booking', 'return')) = (booking_id is not null))
);
create index ledger_of_a_pass on credit_ledger (pass_id, id);
create unique index a_booking_is_paid_once on credit_ledger (booking_id) where kind = 'booking';
create unique index a_booking_is_returned_once on credit_ledger (booking_id) where kind = 'return';
comment on table credit_ledger is 'Every movement of credits with its cause. Lines are only ever added; passes.credits_remaining is their sum.';

create function move_credits_by_ledger_line() returns trigger language plpgsql as $$
begin
  update passes set credits_remaining = credits_remaining + new.credits where id = new.pass_id;
  return null;
end $$;
create trigger move_credits after insert on credit_ledger
  for each row execute function move_credits_by_ledger_line();

create function keep_ledger_lines() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from passes where id = old.pass_id) then
    return old; -- the pass itself is being erased
  end if;
  raise exception 'credit_ledger is append-only' using errcode = 'restrict_violation';
end $$;
create trigger keep_ledger_lines before update or delete on credit_ledger
  for each row execute function keep_ledger_lines();

create function only_the_ledger_moves_credits() returns trigger language plpgsql as $$
begin
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
