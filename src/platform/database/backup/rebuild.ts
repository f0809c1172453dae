import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { applyMigration, createMigrationsTable, type Migration, otherMigration } from '../migrate.ts'
import { BackupRefused, readArchive } from './archive.ts'
import { type Connection, identifier } from './catalog.ts'
import type { Manifest } from './copy-out.ts'
import { tableOf, type WholeBackup } from './whole-backup.ts'

/**
 * This version's migrations, split into those that had run when the backup was made, and those since.
 *
 * @throws BackupRefused when the backup is of another baseline, or a newer version made it
 */
export function migrationsFor(
  { file, manifest }: { file: string; manifest: Manifest },
  here: { application: string; migrations: readonly Migration[] },
): { before: readonly Migration[]; since: readonly Migration[] } {
  const { application, migrations: ran } = manifest
  const other = otherMigration(ran, here.migrations)
  if (other) {
    throw new BackupRefused(
      `${file} is of another baseline: its migrations differ from this version's, from ${other} on. Version ` +
        `${application} of the site made it, and this is ${here.application}. Restore it with the version that made it. ` +
        'Nothing was changed.',
    )
  }
  const newer = ran.slice(here.migrations.length).at(-1)
  if (newer) {
    throw new BackupRefused(
      `${file} was made by a newer version of the site, ${application} (migration ${newer.name}). This is ` +
        `${here.application} (migration ${here.migrations.at(-1)?.name}). Restore it with that version or a later one.`,
    )
  }
  return { before: here.migrations.slice(0, ran.length), since: here.migrations.slice(ran.length) }
}

/**
 * Rebuilds a database from a backup, in the client's open transaction: drops the studio's tables, creates them as they
 * were, fills them and migrates them to this version.
 *
 * @param options.leaveOut whether a table or sequence stays as it is
 * @param options.whenLoaded checks the loaded data before it is migrated
 */
export async function rebuild(
  client: pg.ClientBase,
  backup: WholeBackup,
  options: {
    before: readonly Migration[]
    since: readonly Migration[]
    leaveOut(name: string): boolean
    /** Creates tables that no migration creates. */
    prepare?(): Promise<void>
    whenLoaded(): Promise<void>
  },
): Promise<void> {
  await dropStudio(client)
  await createMigrationsTable(client)
  for (const migration of options.before) await applyMigration(client, migration)
  await options.prepare?.()
  await loadBackup(client, backup, options.leaveOut)
  await options.whenLoaded()
  for (const migration of options.since) {
    await applyMigration(client, migration)
    // Normally each migration is a transaction, whose end checks deferred constraints.
    await client.query('set constraints all immediate; set constraints all deferred')
  }
}

/**
 * Fills empty tables and sequences from a backup, in the client's open transaction, and checks every reference.
 *
 * @param leaveOut whether a table or sequence stays as it is
 */
async function loadBackup(
  client: pg.ClientBase,
  backup: { file: string; identities: readonly string[]; manifest: Manifest },
  leaveOut: (name: string) => boolean,
): Promise<void> {
  const { file, identities, manifest } = backup
  const restoreForeignKeys = await dropForeignKeys(client)
  for await (const { name, content } of readArchive(file, identities)) {
    const table = tableOf(name)
    const columns = table && manifest.tables[table]?.columns.map(identifier).join(', ')
    if (!columns || leaveOut(table)) continue
    const text = `copy ${identifier(table)} (${columns}) from stdin`
    await pipeline(Readable.from([content]), client.query(copyFrom(text)))
  }
  for (const [sequence, last] of Object.entries(manifest.sequences)) {
    if (last !== null && !leaveOut(sequence))
      await client.query('select setval($1::regclass, $2)', [identifier(sequence), last])
  }
  await restoreForeignKeys()
  // Without statistics PostgreSQL would scan whole tables for a while.
  await client.query('analyze')
}

type ForeignKey = { table: string; name: string; definition: string }

/**
 * Prepares the tables of `public` for valid rows in any order: disables triggers, which would count everything twice,
 * and drops foreign keys. The role only has to own them. The returned function restores both.
 */
async function dropForeignKeys(connection: Connection): Promise<() => Promise<void>> {
  const tables = await tablesWithTriggers(connection)
  const { rows: foreignKeys } = await connection.query<ForeignKey>(`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where connamespace = 'public'::regnamespace and conparentid = 0 and contype = 'f'
    order by conrelid, conname`)
  for (const table of tables) await connection.query(`alter table ${table} disable trigger user`)
  for (const { table, name } of foreignKeys) {
    await connection.query(`alter table ${table} drop constraint ${identifier(name)}`)
  }
  return async () => {
    for (const { table, name, definition } of foreignKeys) {
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

/** Drops the studio's tables, sequences and routines in `public`, and the queue. Extensions and other schemas stay. */
async function dropStudio(connection: Connection): Promise<void> {
  await connection.query(`do $$
declare one record;
begin
  for one in select c.oid::regclass as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  loop
    execute format('drop table if exists %s cascade', one.name);
  end loop;
  for one in select c.oid::regclass as name from pg_class c
    where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  loop
    execute format('drop sequence %s', one.name);
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
