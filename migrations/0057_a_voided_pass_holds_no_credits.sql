-- Until now a credit came back to a voided pass when its booking was cancelled, and could be spent again.
insert into credit_ledger (pass_id, kind, credits, reason, caused_by, at)
  select id, 'correction', -credits_remaining, 'The pass was voided', 'system', now()
  from passes where voided_at is not null and credits_remaining > 0;

create function a_voided_pass_holds_no_credits() returns trigger language plpgsql as $$
begin
  if exists (select from passes where id = new.id and voided_at is not null and credits_remaining > 0) then
    raise exception 'pass % is voided and holds credits', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
-- Deferred: voiding writes the pass and its correction line in two statements.
create constraint trigger a_voided_pass_holds_no_credits after update of voided_at, credits_remaining on passes
  deferrable initially deferred for each row when (new.voided_at is not null)
  execute function a_voided_pass_holds_no_credits();
