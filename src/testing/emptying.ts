import type pg from 'pg'

type Queryable = Pick<pg.ClientBase, 'query'>

/** What a table of a test's database holds beyond this many bytes is truncated; less is deleted, which is quicker. */
const LARGE = 1024 * 1024

const SCHEMAS = `('public', 'pgboss', 'sandbox')`

/** A database with this in it can be used by one test after the other; whoever changes its tables is found out. */
const SETUP = `
  create schema testing;
  create table testing.kept (name regclass primary key);
  create table testing.changes_of_schema (command text not null);

  create function testing.note_change() returns event_trigger language plpgsql as $$
  begin
    insert into testing.changes_of_schema values (tg_tag);
  end $$;
  create event trigger changed on ddl_command_end execute function testing.note_change();

  create function testing.empty_all() returns boolean language plpgsql as $$
  declare
    one record;
    has_rows boolean;
  begin
    if exists (select from testing.changes_of_schema) then return false; end if;
    set local session_replication_role = replica;
    for one in
      select c.oid::regclass as name, pg_relation_size(c.oid) as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ${SCHEMAS} and c.oid not in (select name from testing.kept)
    loop
      continue when one.bytes = 0;
      if one.bytes > ${LARGE} then
        execute format('truncate %s cascade', one.name);
        continue;
      end if;
      execute format('select exists (select from %s)', one.name) into has_rows;
      if has_rows then execute format('delete from %s', one.name); end if;
    end loop;
    perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
    from pg_sequences where last_value is not null and schemaname in ${SCHEMAS};
    return true;
  end $$;
`

/** Readies a migrated database: what it holds now (the migrations that ran, the queues there are) is kept for good. */
export async function makeEmptiable(client: Queryable): Promise<void> {
  await client.query(SETUP)
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ${SCHEMAS}`,
  )
  for (const { name } of rows) {
    await client.query(`insert into testing.kept select '${name}'::regclass where exists (select from ${name})`)
  }
  await client.query('delete from testing.changes_of_schema')
}

/** What a server does to the tables when it starts is no change. */
export async function forgetChanges(client: Queryable): Promise<void> {
  await client.query('delete from testing.changes_of_schema')
}

/** Deletes every row and begins ids anew. False: the tables themselves were changed, so the database is of no more use. */
export async function emptyDatabase(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ empty_all: boolean }>('select testing.empty_all()')
  return rows[0]?.empty_all === true
}
