-- Emails are jobs of the queue, which has its own tables. These are kept for the owner: a mail server refused them for
-- good, or none accepted them in three weeks.
create table undelivered_mails (
  id uuid primary key, -- the job's id
  address text not null,
  mail jsonb not null,
  reason text not null, failed_at timestamptz not null
);
create index undelivered_mails_address_idx on undelivered_mails (lower(address));
create index undelivered_mails_failed_at_idx on undelivered_mails (failed_at);

-- Addresses that their mail server refuses. The first email that is accepted after all deletes the row.
create table refused_addresses (
  address text primary key check (address = lower(address)),
  reason text not null, since timestamptz not null
);

-- Calls to members without an email address, one for each email they would have had. Once made, a call is deleted.
create table calls (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  mail jsonb not null, -- what would have been emailed
  created_at timestamptz not null default now()
);
create index calls_of_a_user on calls (user_id);
create index calls_by_date on calls (created_at);

-- Text messages to members. A row is claimed in its own transaction before it is sent, so that it is sent at most once.
create table texts (
  id integer generated always as identity primary key,
  user_id text references users on delete cascade,
  kind text not null constraint a_text_has_a_known_kind
    check (kind in ('class_moved', 'class_cancelled', 'place_offered', 'hold_ending')),
  topic text not null, -- class_moved:12
  event text not null, -- class_moved:12:2026-12-07T09:00:00Z: a member is texted about it once
  alert jsonb not null, -- what it says, which is checked again before it is sent
  body text not null,
  send_after timestamptz not null, useless_after timestamptz not null,
  -- `unknown`: the provider's response was lost. `left_out`: no mobile number, switched off, or too late by then.
  state text not null default 'queued' constraint a_text_has_a_known_state
    check (state in ('queued', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'left_out', 'over_limit')),
  phone text, -- the number that it went to
  claimed_at timestamptz,
  provider_id text unique, error text, cost numeric(10, 4), currency text,
  created_at timestamptz not null,
  constraint a_text_is_written_once unique (user_id, event),
  constraint a_text_is_claimed_before_it_is_sent
    check (state in ('queued', 'left_out', 'over_limit') or (claimed_at is not null and phone is not null))
);
create index texts_to_send on texts (send_after, id) where state = 'queued';
create index texts_by_month on texts (claimed_at);

-- Addresses that asked for the newsletter. Only confirmed ones get it; unsubscribing deletes the row.
create table newsletter_subscribers (
  -- In the links of every email to this address. It confirms and ends this subscription, and nothing else.
  token text primary key,
  email text not null,
  requested_at timestamptz not null, confirmed_at timestamptz
);
create unique index one_subscription_per_email on newsletter_subscribers (lower(email));
create index unconfirmed_subscriptions_by_date on newsletter_subscribers (requested_at) where confirmed_at is null;

-- Members who do not want news and offers. Consent that is given later counts again.
create table marketing_objections (
  user_id text primary key references users on delete cascade,
  objected_at timestamptz not null
);

-- Consent to news and offers that was given outside the health form, the latest of each member.
create table marketing_consents (
  user_id text primary key references users on delete cascade,
  agreed_at timestamptz not null,
  source text not null,
  note text, -- in words: Momence sign-up form
  recorded_at timestamptz not null,
  constraint consents_have_a_known_source check (source in ('import', 'dashboard')),
  constraint consents_are_not_in_the_future check (agreed_at <= recorded_at)
);

-- Members who answered the offer of news on their dashboard, and do not see it again.
create table news_offers (
  user_id text primary key references users on delete cascade,
  answered_at timestamptz not null
);

-- Messages to many people: the members of a class or of some days, all members, or the newsletter's subscribers.
create table studio_messages (
  id integer generated always as identity primary key,
  audience jsonb not null,
  audience_label text not null, -- in words, as of when it was sent
  kind text not null check (kind in ('service', 'marketing')),
  subject text not null, text text not null,
  pictures jsonb not null default '[]',
  admin_id text not null, sent_at timestamptz not null,
  recipients integer not null check (recipients > 0) -- includes people who have been erased since
);
create index studio_messages_by_date on studio_messages (sent_at desc, id desc);

-- Who received a message, and the outcome for each person.
create table message_recipients (
  id uuid primary key default gen_random_uuid(), -- in the email's link to unsubscribe
  message_id integer not null references studio_messages on delete cascade,
  user_id text references users on delete cascade,
  subscriber text references newsletter_subscribers on delete cascade,
  -- `queued`: waits, or is retried. `handed_over`: the mail server accepted it. `left_out`: not wanted any more.
  status text not null default 'queued' check (status in ('queued', 'handed_over', 'failed', 'left_out')),
  status_at timestamptz not null,
  reason text,
  constraint a_recipient_is_a_member_or_a_subscriber check (num_nonnulls(user_id, subscriber) = 1)
);
create index message_recipients_of_a_message on message_recipients (message_id, status);
create index message_recipients_of_a_member on message_recipients (user_id);
create index message_recipients_of_a_subscriber on message_recipients (subscriber);

-- Browsers that show notifications. A subscription ends with its session, however that ends.
create table push_subscriptions (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  session_id uuid not null constraint a_session_has_one_subscription unique references sessions (id) on delete cascade,
  endpoint text not null constraint an_endpoint_belongs_to_one_account unique,
  p256dh text not null, auth text not null, -- the browser's keys
  created_at timestamptz not null
);
create index push_subscriptions_of_a_user on push_subscriptions (user_id);

-- Kinds of notifications that members have switched off.
create table push_choices (
  user_id text primary key references users on delete cascade,
  off text[] not null
    check (off <@ array['class_moved', 'class_cancelled', 'place_offered', 'hold_ending', 'teacher_changed', 'class_reminder'])
);
