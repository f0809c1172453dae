-- Deleting or counting what others refer to looks for them: without an index by reading the whole table.
create index payment_intents_of_a_package on payment_intents (package_id);
create index purchases_of_a_package on purchases (package_id);
