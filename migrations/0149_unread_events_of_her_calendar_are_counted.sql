-- Events of the owner's calendar that cannot be read are left out and counted. Nothing says what they are.
alter table own_calendar
  add column unread_events integer not null default 0,
  add column first_unread jsonb not null default '[]',
  add constraint own_calendar_counts_what_it_shows
    check (jsonb_array_length(first_unread) <= unread_events);
