-- The card provider is sent this reference with each refund. The row's number served before; it can be given again after a
-- restore from a backup. Refunds that were sent with their number keep it as their reference.
alter table refunds add column reference text;
update refunds set reference = id::text;
alter table refunds
  alter column reference set default gen_random_uuid()::text,
  alter column reference set not null,
  add constraint refund_references_are_unique unique (reference);
comment on column refunds.reference is 'What the refund is known by at the card provider.';
