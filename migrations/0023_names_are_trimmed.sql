-- The server trims names before it keeps them; what was kept before is brought to that, and the database holds it there.
-- Emergency contacts are sealed: theirs are trimmed when they are next saved.
create function trimmed(name text) returns text language sql immutable strict parallel safe
  return btrim(name, U&'\0009\000A\000B\000C\000D\0020\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF');
comment on function trimmed is 'A text without the white space around it, exactly as the server''s own language trims.';

-- Without its blanks a username may be somebody else's, or too short: who has such a one goes on with the email address.
update users u set username = trimmed(username)
where username <> trimmed(username) and char_length(trimmed(username)) >= 3
  and not exists (
    select from users o
    where o.id <> u.id and lower(trimmed(u.username)) in (lower(trimmed(o.username)), lower(o.email))
  );
update users set username = id where username <> trimmed(username);
update users set first_name = trimmed(first_name), last_name = trimmed(last_name)
where first_name <> trimmed(first_name) or last_name <> trimmed(last_name);
alter table users add constraint names_of_users_are_trimmed check (
  (username, email, first_name, last_name) = (trimmed(username), trimmed(email), trimmed(first_name), trimmed(last_name))
);

update classes set title = trimmed(title), instructor_name = trimmed(instructor_name)
where title <> trimmed(title) or instructor_name <> trimmed(instructor_name);
alter table classes add constraint names_in_classes_are_trimmed check (
  (title, instructor_name) = (trimmed(title), trimmed(instructor_name))
);

update packages set name = trimmed(name) where name <> trimmed(name);
alter table packages add constraint names_of_packages_are_trimmed check (name = trimmed(name));
