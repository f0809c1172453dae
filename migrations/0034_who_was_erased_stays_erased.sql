create table erasures (
  user_id text primary key,
  erased_at timestamptz not null
);
comment on table erasures is 'The ids of erased users and nothing else of them: a backup that still holds them is restored without them.';

create function keep_erasures() returns trigger language plpgsql as $$
begin
  raise exception 'erasures is append-only' using errcode = 'restrict_violation';
end $$;
create trigger keep_erasures before update or delete on erasures
  for each row execute function keep_erasures();
create trigger keep_all_erasures before truncate on erasures
  for each statement execute function keep_erasures();
