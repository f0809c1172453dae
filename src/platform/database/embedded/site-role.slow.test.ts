import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { migrateDatabase } from '#app/prepare-database.ts'
import { copyClusterTemplate } from '#testing/cluster-template.ts'
import { startEmbeddedPostgres } from '../embedded-postgres.ts'
import { SITE_ROLE } from './site-role.ts'

async function folder() {
  const open = await mkdtemp(path.join(tmpdir(), 'site-role-'))
  await chmod(open, 0o755)
  const dataDir = path.join(open, 'data')
  await copyClusterTemplate(inject('clusterTemplate'), dataDir)
  onTestFinished(async () => {
    const elsewhere = await readFile(path.join(dataDir, 'postgres-location'), 'utf8').catch(() => '')
    for (const place of [elsewhere.trim(), open]) if (place) await rm(place, { recursive: true, force: true })
  })
  return dataDir
}

async function begin(dataDir: string) {
  const database = await startEmbeddedPostgres({ dataDir, ownerLabel: 'the test', forTests: true, print: () => {} })
  onTestFinished(() => database.stop())
  return database
}

async function ask(url: string, ...statements: string[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: pg.QueryResultRow[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** Objects of the site's database that its role does not own. */
const OTHERS = `
  select 'database ' || datname as what from pg_database where datname = current_database() and datdba <> '${SITE_ROLE}'::regrole
  union all select 'schema ' || nspname from pg_namespace
    where nspname !~ '^pg_' and nspname not in ('information_schema', 'public') and nspowner <> '${SITE_ROLE}'::regrole
  union all select 'relation ' || c.oid::regclass from pg_class c join pg_namespace n on n.oid = relnamespace
    where nspname !~ '^pg_' and nspname <> 'information_schema' and relowner <> '${SITE_ROLE}'::regrole
  union all select 'routine ' || p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = pronamespace
    where nspname !~ '^pg_' and nspname <> 'information_schema' and proowner <> '${SITE_ROLE}'::regrole
  union all select 'type ' || t.oid::regtype from pg_type t join pg_namespace n on n.oid = typnamespace
    where nspname !~ '^pg_' and nspname <> 'information_schema' and typowner <> '${SITE_ROLE}'::regrole`

test('gives the site’s role its database and no other rights', async () => {
  const dataDir = await folder()
  const { url } = await begin(dataDir)
  expect(new URL(url).username).toBe(SITE_ROLE)
  const [role] = await ask(
    url,
    `select rolsuper, rolcreaterole, rolreplication, rolbypassrls, rolcanlogin from pg_roles where rolname = current_user`,
  )
  expect(role).toEqual({
    rolsuper: false,
    rolcreaterole: false,
    rolreplication: false,
    rolbypassrls: false,
    rolcanlogin: true,
  })
  for (const forbidden of [
    "copy (select 1) to program 'true'",
    "select pg_read_file('/etc/passwd')",
    "alter system set fsync = 'off'",
    'create role another superuser',
    'select * from pg_authid',
    "select lo_import('/etc/passwd')",
    'set session authorization studio',
    'set role studio',
  ])
    await expect(ask(url, forbidden), forbidden).rejects.toThrow(/permission denied|must be superuser/)

  await migrateDatabase(url)
  expect(await ask(url, OTHERS)).toEqual([])
  const cluster = path.join((await placeOf(dataDir)) || path.join(dataDir, 'postgres'), 'cluster')
  expect((await stat(path.join(cluster, 'site-password'))).mode & 0o777).toBe(0o600)
})

const placeOf = async (dataDir: string) =>
  (await readFile(path.join(dataDir, 'postgres-location'), 'utf8').catch(() => '')).trim()

test('keeps the password, and generates another when its file is missing', async () => {
  const dataDir = await folder()
  const first = await begin(dataDir)
  await first.stop()
  const second = await begin(dataDir)
  expect(second.url).toBe(first.url)
  await second.stop()
  const cluster = path.join((await placeOf(dataDir)) || path.join(dataDir, 'postgres'), 'cluster')
  await rm(path.join(cluster, 'site-password'))
  const third = await begin(dataDir)
  expect(third.url).not.toBe(first.url)
  expect(await ask(third.url, 'select 1 as one')).toEqual([{ one: 1 }])
})
