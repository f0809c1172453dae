-- The studio pauses a pass: it pays for no class on those days (London dates), and they are added to its validity.
alter table passes
  add column paused datemultirange not null default '{}',
  add column frozen_days datemultirange not null default '{}',
  add constraint a_pause_has_a_first_and_a_last_day check (not lower_inf(paused) and not upper_inf(paused)),
  add constraint frozen_days_have_a_first_and_a_last_one check (not lower_inf(frozen_days) and not upper_inf(frozen_days));
comment on column passes.paused is 'The days on which the studio has paused it; days that pauses share are there once.';
comment on column passes.frozen_days is 'The days of disputes that are over and were added to expires_at: a pause does not add them again.';

create function a_paused_pass_pays_for_no_class() returns trigger language plpgsql as $$
begin
  if exists (
    select from passes pass join classes class on class.id = new.class_id
    where pass.id = new.pass_id and pass.paused @> class.date
  ) then
    raise exception 'pass % is paused on the day of class %', new.pass_id, new.class_id
      using errcode = 'check_violation', constraint = 'a_paused_pass_pays_for_no_class';
  end if;
  return new;
end $$;
create trigger a_paused_pass_pays_for_no_class before insert on bookings
  for each row when (new.status = 'confirmed') execute function a_paused_pass_pays_for_no_class();

-- The ledger names pauses and extensions. They move no credits, except that extending an expired pass brings back those it lost.
do $$
declare rule text;
begin
  select pg_get_expr(conbin, conrelid) into rule from pg_constraint
    where conrelid = 'credit_ledger'::regclass and conname = 'a_line_moves_the_right_way';
  alter table credit_ledger drop constraint a_line_moves_the_right_way;
  execute format(
    'alter table credit_ledger add constraint a_line_moves_the_right_way check (
      case when kind in (''pause'', ''resume'') then credits = 0 when kind = ''extension'' then credits >= 0 else %s end
    ) not valid', rule);
end $$;
alter table credit_ledger
  validate constraint a_line_moves_the_right_way,
  add constraint a_change_of_validity_has_its_reason check (kind not in ('pause', 'resume', 'extension') or reason is not null);
create index credits_lost_or_brought_back on credit_ledger (pass_id) include (credits) where kind in ('expiry', 'extension');
