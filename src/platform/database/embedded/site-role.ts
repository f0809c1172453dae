import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { persist } from '../../disk.ts'
import { errnoOf } from '../../operator-error.ts'
import { type Cluster, DATABASE_USER } from './cluster.ts'
import { setOwner } from './run-as.ts'

/** The role of the site, for serving, migrations, backups and restores. It owns its database and is no superuser. */
export const SITE_ROLE = 'studio_site'

const fileOf = (cluster: Cluster) => path.join(cluster.data, 'site-password')

/** The role's password; undefined where an older release owns the database, which has no such role. */
export async function sitePasswordOf(cluster: Cluster): Promise<string | undefined> {
  try {
    return await readFile(fileOf(cluster), 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The role's password, generated and saved if it is missing. Only the owner of the database calls this. */
export async function ensureSitePassword(cluster: Cluster): Promise<string> {
  const kept = await sitePasswordOf(cluster)
  if (kept) return kept
  const password = randomBytes(24).toString('base64url')
  const file = fileOf(cluster)
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, password, { mode: 0o600 })
  await setOwner(cluster.place.user, draft, 0o600)
  await rename(draft, file)
  await persist(file)
  return password
}

/**
 * Creates the role if it is missing, and sets its password. It may create databases: a backup is verified in one.
 *
 * @param client a superuser's
 */
export async function ensureSiteRole(client: pg.Client, password: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [SITE_ROLE])
  if (rowCount === 0) await client.query(`create role ${SITE_ROLE}`)
  await client.query(
    `alter role ${SITE_ROLE} login createdb nosuperuser nocreaterole noreplication nobypassrls password ${pg.escapeLiteral(password)}`,
  )
}

/**
 * Gives the role everything that the superuser owns in the site's database, where earlier releases served as superuser.
 * (PostgreSQL's `reassign owned` does not work for the bootstrap superuser.)
 *
 * @param client a superuser's, connected to that database
 */
export async function transferOwnership(client: pg.Client, database: string): Promise<void> {
  await client.query(`do $$
declare
  one record;
  old constant oid := '${DATABASE_USER}'::regrole;
begin
  for one in
    select format('alter schema %I owner to ${SITE_ROLE}', nspname) as change from pg_namespace
      where nspowner = old and nspname !~ '^pg_' and nspname <> 'information_schema'
    union all
    -- A sequence of a column, an index, a row type and a trigger follow their table.
    select format('alter %s %s owner to ${SITE_ROLE}', case relkind when 'S' then 'sequence' else 'table' end, c.oid::regclass)
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where relowner = old and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
        and nspname !~ '^pg_' and nspname <> 'information_schema'
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
          and (d.deptype in ('a', 'i') and d.refclassid = 'pg_class'::regclass and relkind = 'S' or d.deptype = 'e'))
    union all
    select format('alter routine %s owner to ${SITE_ROLE}', p.oid::regprocedure)
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where proowner = old and nspname !~ '^pg_' and nspname <> 'information_schema'
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select format('alter type %s owner to ${SITE_ROLE}', t.oid::regtype)
      from pg_type t join pg_namespace n on n.oid = t.typnamespace
      where typowner = old and nspname !~ '^pg_' and nspname <> 'information_schema'
        and (typtype in ('e', 'd', 'r') or typtype = 'c' and (select relkind from pg_class where oid = typrelid) = 'c')
        and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
  loop
    execute one.change;
  end loop;
end $$`)
  await client.query(`alter database ${pg.escapeIdentifier(database)} owner to ${SITE_ROLE}`)
}
