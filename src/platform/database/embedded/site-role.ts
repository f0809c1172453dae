import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { persist } from '../../disk.ts'
import { errnoOf } from '../../operator-error.ts'
import type { Cluster } from './cluster.ts'
import { setOwner } from './run-as.ts'

/** The role of the site, for serving, migrations, backups and restores. It owns its database and is no superuser. */
export const SITE_ROLE = 'studio_site'

const fileOf = (cluster: Cluster) => path.join(cluster.data, 'site-password')

/** The role's password; undefined until the owner of the server has generated it. */
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
