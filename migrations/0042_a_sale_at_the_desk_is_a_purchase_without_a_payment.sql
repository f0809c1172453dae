alter table purchases
  alter column payment_intent_id drop not null,
  add column desk_method text check (desk_method in ('cash', 'bank_transfer', 'card_reader', 'other')),
  add column note text,
  add column voided_at timestamptz,
  add constraint a_purchase_is_paid_at_the_provider_or_at_the_desk check ((payment_intent_id is null) = (desk_method is not null)),
  add constraint only_the_desk_writes_notes_and_voids check (desk_method is not null or (note is null and voided_at is null)),
  add constraint a_note_goes_with_its_member check (note is null or user_id is not null),
  add constraint a_voided_sale_is_not_refunded check (voided_at is null or refunded_pence = 0);
comment on column purchases.payment_intent_id is 'Null of a sale that an admin recorded: the card provider knows nothing of it.';
comment on column purchases.desk_method is 'What a sale at the desk was paid with, as the admin who recorded it said.';
comment on column purchases.note is 'For the studio''s own records; the member reads it in their export alone. It may name them, so it goes when they are erased.';
comment on column purchases.voided_at is 'When a sale was taken back as recorded by mistake: it is no revenue, and stays on record.';

alter table refunds
  alter column payment_intent_id drop not null,
  add constraint a_refund_is_of_something check (payment_intent_id is not null or purchase_id is not null),
  add constraint money_given_back_at_the_desk_is_given_back check (payment_intent_id is not null or status = 'succeeded');
comment on column refunds.payment_intent_id is 'Null of a sale at the desk: what was given back there is recorded when it is done, and never sent.';
