create table receipt_counter (
  one_row boolean primary key default true check (one_row),
  last integer not null check (last >= 0)
);
comment on table receipt_counter is 'The number of the last receipt. Counted in the transaction of the sale, so that an undone sale leaves no gap: sales wait for each other here, last of all.';

alter table purchases add column receipt_number integer not null default 0;
update purchases p set receipt_number = numbered.number
  from (select id, row_number() over (order by purchased_at, id) as number from purchases) numbered where numbered.id = p.id;
alter table purchases
  add constraint receipt_numbers_are_given_once unique (receipt_number),
  add constraint a_receipt_has_a_number check (receipt_number > 0);
comment on column purchases.receipt_number is 'Consecutive, given by a trigger; kept by a sale that was voided.';
-- A new studio begins without the row: the first sale writes it, or a restore.
insert into receipt_counter (last) select max(receipt_number) from purchases having count(*) > 0;

create function number_the_receipt() returns trigger language plpgsql as $$
begin
  insert into receipt_counter as counter (last) values (1)
    on conflict (one_row) do update set last = counter.last + 1 returning counter.last into new.receipt_number;
  return new;
end $$;
create trigger number_the_receipt before insert on purchases
  for each row execute function number_the_receipt();

create function keep_receipt_numbers() returns trigger language plpgsql as $$
begin
  raise exception 'a receipt keeps its number' using errcode = 'restrict_violation';
end $$;
create trigger keep_receipt_numbers before update of receipt_number on purchases
  for each row when (new.receipt_number <> old.receipt_number) execute function keep_receipt_numbers();
