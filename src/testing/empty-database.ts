import type pg from 'pg'

type Queryable = Pick<pg.ClientBase, 'query'>

/** Larger tables are truncated, smaller ones emptied by a delete, which is faster. */
const TRUNCATE_BYTES = 1024 * 1024

const SCHEMAS = `('public', 'pgboss', 'sandbox')`

/** Lets tests share a database one after another, and detects those that change its schema. */
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
      if one.bytes > ${TRUNCATE_BYTES} then
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

/** Prepares a migrated database; its present rows (migrations, queues) survive emptying. */
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

/** Ignores schema changes made by a starting server. */
export async function forgetChanges(client: Queryable): Promise<void> {
  await client.query('delete from testing.changes_of_schema')
}

/** Deletes every row and resets ids. False if the schema was changed, so that the database cannot be reused. */
export async function emptyDatabase(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ empty_all: boolean }>('select testing.empty_all()')
  return rows[0]?.empty_all === true
}
