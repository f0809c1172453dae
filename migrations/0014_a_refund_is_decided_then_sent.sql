alter table purchases add column refund_sent_at timestamptz;
alter table purchases add constraint only_decided_refunds_are_sent check (refund_sent_at is null or refunded_at is not null);
comment on column purchases.refund_sent_at is 'When the card provider took the refund; until then the job that sends it goes on trying.';
