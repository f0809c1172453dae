-- What the owner of a live site has confirmed in the set-up list. Until name, address and contact are confirmed, nothing is
-- sold and search engines are kept out.
create table set_up_items (
  item text primary key check (item in (
    'name', 'address', 'contact', 'legal', 'hours', 'timetable', 'packages', 'term', 'card_payments', 'test_email', 'backup', 'finished'
  )),
  admin_id text,
  confirmed_at timestamptz not null
);
comment on table set_up_items is 'Confirmed items of the set-up list; admin_id is null where a migration confirmed them.';

-- A site that has sold something, or whose facts were edited, is already its owner's.
insert into set_up_items (item, confirmed_at)
select item, now()
  from unnest(array['name', 'address', 'contact', 'hours', 'timetable', 'packages']) as item
 where exists (select from purchases) or exists (select from studio_facts);
