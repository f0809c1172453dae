-- Members who answered the offer of news on their dashboard, and when. It is not shown to them again.
create table news_offers (
  user_id text primary key references users (id) on delete cascade,
  answered_at timestamptz not null
);
