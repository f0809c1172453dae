-- An edit that was begun before somebody else's is told so by this.
alter table users add column updated_at timestamptz default now();
update users set updated_at = created_at;
alter table users alter column updated_at set not null;

create table member_notes (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  author_id text references users on delete set null,
  text text not null,
  written_at timestamptz not null
);
create index notes_of_a_member on member_notes (user_id, written_at desc, id desc);
create index notes_by_author on member_notes (author_id);
comment on table member_notes is 'What the studio notes on a member. Plain text: health belongs into the sealed questionnaire. Erased with the member.';
