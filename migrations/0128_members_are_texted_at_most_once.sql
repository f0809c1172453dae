alter table users add column texts_off boolean not null default false;
comment on column users.texts_off is 'The member has switched service texts off.';

create table texts (
  id integer generated always as identity primary key,
  user_id text references users on delete cascade,
  kind text not null constraint a_text_has_a_known_kind
    check (kind in ('class_moved', 'class_cancelled', 'place_offered', 'hold_ending')),
  about text not null,
  body text not null,
  send_after timestamptz not null,
  useless_after timestamptz not null,
  state text not null default 'queued' constraint a_text_has_a_known_state
    check (state in ('queued', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'left_out', 'over_limit')),
  phone text,
  claimed_at timestamptz,
  provider_id text unique,
  error text,
  cost numeric(10, 4),
  currency text,
  created_at timestamptz not null,
  constraint a_text_is_written_once unique (user_id, about),
  constraint a_text_is_claimed_before_it_is_sent
    check (state in ('queued', 'left_out', 'over_limit') or (claimed_at is not null and phone is not null))
);
create index texts_to_send on texts (send_after, id) where state = 'queued';
create index texts_by_month on texts (claimed_at);
comment on table texts is 'Text messages to members. A row is claimed in its own transaction before it is sent, so it is sent at most once.';
comment on column texts.state is 'unknown: the provider''s answer was lost; left_out: no mobile number, switched off or too late by then.';
