-- Functions that the constraints and triggers of several tables use.

-- Removes white space from both ends, the same characters as JavaScript's `trim`.
create function trimmed(name text) returns text language sql immutable strict parallel safe
  return btrim(name, U&'\0009\000A\000B\000C\000D\0020\00A0\1680'
    '\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF');

-- Whether a line of a record is so old that it may be deleted. The retention job sets `studio.records_end` in its own
-- transaction; elsewhere no line is.
create function record_is_over(at timestamptz) returns boolean language sql stable as $$
  select coalesce(at <= nullif(current_setting('studio.records_end', true), '')::timestamptz, false)
$$;
