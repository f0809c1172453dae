import { type Connection, identifier } from './catalog.ts'

type Constraint = { table: string; name: string; definition: string }

/**
 * Readies the tables of `public` for rows that were right where they come from, whatever their order: triggers, which
 * would count everything a second time, are off; references go; so do rules that were given to new rows only
 * (`not valid`). Needs no more than owning the tables. Undone with the transaction, or by what is answered, which looks
 * at every reference again.
 */
export async function setAside(connection: Connection): Promise<() => Promise<void>> {
  const tables = await tablesWithTriggers(connection)
  const { rows: constraints } = await connection.query<Constraint>(`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where connamespace = 'public'::regnamespace and conparentid = 0 and conrelid <> 0
      and (contype = 'f' or (contype in ('c', 'n') and not convalidated))
    order by conrelid, conname`)
  for (const table of tables) await connection.query(`alter table ${table} disable trigger user`)
  for (const { table, name } of constraints) {
    await connection.query(`alter table ${table} drop constraint ${identifier(name)}`)
  }
  return async () => {
    for (const { table, name, definition } of constraints) {
      await connection.query(`alter table ${table} add constraint ${identifier(name)} ${definition}`)
    }
    for (const table of tables) await connection.query(`alter table ${table} enable trigger user`)
  }
}

async function tablesWithTriggers(connection: Connection): Promise<string[]> {
  const { rows } = await connection.query<{ name: string }>(`
    select distinct tgrelid::regclass::text as name from pg_trigger join pg_class c on c.oid = tgrelid
    where not tgisinternal and c.relnamespace = 'public'::regnamespace order by 1`)
  return rows.map(({ name }) => name)
}

/**
 * Takes away all that the studio has in a database: what its migrations made in `public`, and the queue. What an extension
 * brought, and other schemas, stay.
 */
export async function takeAway(connection: Connection): Promise<void> {
  await connection.query(`do $$
declare one record;
begin
  for one in select c.oid::regclass as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  loop
    execute format('drop table if exists %s cascade', one.name);
  end loop;
  for one in select p.oid::regprocedure as name from pg_proc p
    where p.prokind in ('f', 'p') and p.pronamespace = 'public'::regnamespace and not exists (
      select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('drop routine if exists %s cascade', one.name);
  end loop;
  drop schema if exists pgboss cascade;
end $$`)
}
