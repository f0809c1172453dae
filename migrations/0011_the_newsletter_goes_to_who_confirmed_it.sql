create table newsletter_subscribers (
  token text primary key,
  email text not null,
  requested_at timestamptz not null,
  confirmed_at timestamptz
);
create unique index one_subscription_per_email on newsletter_subscribers (lower(email));
create index unconfirmed_subscriptions_by_date on newsletter_subscribers (requested_at) where confirmed_at is null;
comment on table newsletter_subscribers is 'Addresses that asked for the newsletter; only confirmed ones get it. Who unsubscribes is deleted.';
comment on column newsletter_subscribers.token is 'Stands in every mail to this address, so it is kept as it is; it confirms and unsubscribes this row, nothing else.';
