-- Since when the card provider could not be asked about a payment; null while it can.
alter table payment_intents add column unread_since timestamptz;
create index payment_intents_unread_idx on payment_intents (unread_since) where unread_since is not null;
