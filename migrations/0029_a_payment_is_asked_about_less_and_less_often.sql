alter table payment_intents drop constraint payment_intents_state_check;
alter table payment_intents drop constraint payment_intents_check;
alter table payment_intents
  add constraint payment_intents_state_check
    check (state in ('open', 'processing', 'purchased', 'refunded', 'mismatched', 'cancelled')),
  add constraint an_unsettled_payment_has_no_end
    check ((state in ('open', 'processing')) = (settled_at is null)),
  add column paid_pence integer check (paid_pence >= 0),
  add column method text,
  add column version integer not null default 0,
  add column next_look_at timestamptz;
create index payments_of_a_member on payment_intents (user_id, package_id);
drop index open_intents_of_a_member;
create index payments_to_look_at on payment_intents (next_look_at) where next_look_at is not null;
update payment_intents set next_look_at = now() where state <> 'cancelled';
comment on column payment_intents.state is 'processing: paid by a method that takes days; refunded: paid but could not become a purchase; mismatched: paid, but not what was asked. The last two go back whole.';
comment on column payment_intents.method is 'What was paid with, in words: Visa ending 4242.';
comment on column payment_intents.version is 'Counts what was written from the provider''s word: an answer read before another one was written is read again.';
comment on column payment_intents.next_look_at is 'When the provider is asked about it next, unless it tells us before; null: never again.';
