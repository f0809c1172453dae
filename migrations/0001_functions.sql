-- Functions that the constraints and triggers of several tables use.

-- Removes white space from both ends, the same characters as JavaScript's `trim`.
create function trimmed(name text) returns text language sql immutable strict parallel safe
  return btrim(name, U&'\0009\000A\000B\000C\000D\0020\00A0\1680'
    '\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF');

-- A text without case, accents, apostrophes, hyphens and invisible characters, for searching: as `fold` of the
-- application. Not strict, so that PostgreSQL can inline it.
create function folded(written text) returns text language sql immutable parallel safe return case
  when octet_length(written) = char_length(written) then translate(lower(written), '-''`', ' ')
  else translate(replace(replace(replace(replace(lower(regexp_replace(normalize(
      translate(written, U&'\0060\00B4\02B9\02BB\02BC\02BE\02BF\02C8\2018\2019\201B\2032\FF07''', ''), NFKD),
      U&'[\0300-\036F\0483-\0489\0591-\05BD\05BF-\05C7\0610-\061A\0640\064B-\065F\0670\1AB0-\1AFF\1DC0-\1DFF'
        '\20D0-\20FF\FE00-\FE0F\FE20-\FE2F\00AD\061C\115F\1160\17B4\17B5\180B-\180F\200B-\200F\202A-\202E'
        '\2060-\206F\2800\FEFF\FFF0-\FFFB\+0E0000-\+0E0FFF]', '', 'g')),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    U&'øłđðıħŧŋς\002D\05BE\2010\2011\2012\2013\2014\2015\2212', 'olddihtnσ         ')
end;

-- A username or an email address in the one form in which it is stored.
create function as_login(written text) returns text language sql immutable parallel safe
  return rtrim(regexp_replace(normalize(written, NFKC), U&'[\00AD\034F\061C\115F\1160\17B4\17B5\180B-\180F\200B-\200F'
    '\202A-\202E\2060-\206F\2800\3164\FE00-\FE0F\FEFF\FFA0\FFF0-\FFFB\+0E0000-\+0E0FFF]', '', 'g'), '.');

-- Whether a line of a record is so old that it may be deleted. The retention job sets `studio.records_end` in its own
-- transaction; elsewhere no line is.
create function record_is_over(at timestamptz) returns boolean language sql stable as $$
  select coalesce(at <= nullif(current_setting('studio.records_end', true), '')::timestamptz, false)
$$;
