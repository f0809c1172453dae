-- A message that the studio wrote to many people at once: a class, some days, all members, the newsletter's list.
create table studio_messages (
  id integer primary key generated always as identity,
  audience jsonb not null,
  -- The audience in words as it was then: a class may be renamed or deleted.
  audience_label text not null,
  kind text not null check (kind in ('service', 'marketing')),
  subject text not null,
  text text not null,
  admin_id text not null,
  sent_at timestamptz not null,
  -- How many people it went to. Rows below go with the people.
  recipients integer not null check (recipients > 0)
);
create index studio_messages_by_date on studio_messages (sent_at desc, id desc);

-- Whom it went to, a member or an address of the newsletter, and what became of it: `queued` waits in the outbox (or is
-- tried again), `handed_over` was taken by the mail server, `failed` was given up, `left_out` was no longer wanted when its
-- turn came. `id` stands in the email's link to unsubscribe.
create table message_recipients (
  id uuid primary key default gen_random_uuid(),
  message_id integer not null references studio_messages on delete cascade,
  user_id text references users on delete cascade,
  subscriber text references newsletter_subscribers on delete cascade,
  status text not null default 'queued' check (status in ('queued', 'handed_over', 'failed', 'left_out')),
  status_at timestamptz not null,
  reason text,
  constraint a_recipient_is_a_member_or_a_subscriber check (num_nonnulls(user_id, subscriber) = 1)
);
create index message_recipients_of_a_message on message_recipients (message_id, status);
create index message_recipients_of_a_member on message_recipients (user_id);
create index message_recipients_of_a_subscriber on message_recipients (subscriber);

-- Who has said no to news and offers, and when. A yes that is given later, in the health form, counts again.
create table marketing_objections (
  user_id text primary key references users on delete cascade,
  objected_at timestamptz not null
);
