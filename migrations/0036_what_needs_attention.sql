-- What the owner has looked at and settled, of things that do not change by themselves (a payment that was not what was
-- asked). `about`: which one, by the words of its kind.
create table attention_done (
  kind text not null,
  about text not null,
  admin_id text not null,
  done_at timestamptz not null,
  primary key (kind, about)
);

-- The day of the last daily mail: one row, so that whoever is late mails nothing twice.
create table attention_mail (
  is_only boolean primary key default true check (is_only),
  mailed_on date not null
);
