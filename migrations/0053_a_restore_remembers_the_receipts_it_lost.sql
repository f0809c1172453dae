alter table restores
  add column last_receipt_restored integer check (last_receipt_restored >= 0),
  add column last_receipt_given integer check (last_receipt_given >= 0),
  add constraint receipts_are_lost_never_won check (last_receipt_given >= last_receipt_restored);
comment on column restores.last_receipt_restored is 'The number of the last receipt in the backup; null: restored before this was kept.';
comment on column restores.last_receipt_given is 'The number of the last receipt that was given: those between the two are in members'' hands and not in this database.';
