-- A session has a name of its own that may be shown, the browser it is in, and when it was last used. What an older process
-- adds meanwhile knows none of it and takes the defaults.
alter table sessions
  add column id uuid not null default gen_random_uuid(),
  add column last_used_at timestamptz not null default now(),
  add column browser text check (length(browser) <= 40),
  add column system text check (length(system) <= 40),
  add column method text not null default 'password'
    check (method in ('sign_up', 'password', 'mailed_link', 'passkey', 'second_factor')),
  add column confirmed_at timestamptz not null default now();
update sessions set last_used_at = created_at, confirmed_at = created_at;
create unique index sessions_by_id on sessions (id);
comment on column sessions.id is 'What the session is called on screen and on the wire; opens nothing.';
comment on column sessions.last_used_at is 'Written at most once in five minutes.';
comment on column sessions.browser is 'In words, as its user agent says; null: unknown.';
comment on column sessions.method is 'How whoever signed in proved themselves: `second_factor` is a password and something besides.';
comment on column sessions.confirmed_at is 'When they last proved themselves in this session.';
