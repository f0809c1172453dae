-- A member's consent to news and offers that was given outside the health form. The latest one counts.
create table marketing_consents (
  user_id text primary key references users (id) on delete cascade,
  agreed_at timestamptz not null,
  source text not null,
  -- In words, such as "Momence sign-up form".
  note text,
  recorded_at timestamptz not null,
  constraint consents_have_a_known_source check (source in ('import', 'dashboard')),
  constraint consents_are_not_in_the_future check (agreed_at <= recorded_at)
);
