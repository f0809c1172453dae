-- Until now mails waited in the outbox, and stayed there for a day, with their link's token in them. Those mails and all
-- links under way end: whoever still waits for one asks again.
delete from one_time_links;
do $$
begin
  if to_regclass('pgboss.job') is not null then
    delete from pgboss.job where name = 'mail' and data ->> 'mail' in ('verify-email', 'set-password');
  end if;
end $$;
