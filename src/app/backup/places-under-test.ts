import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { readBackup } from '#platform/database/backup/whole-backup.ts'
import { readMigrations } from '#platform/database/migrate.ts'
import type { StudioUnderTest } from '#testing/studio-under-test.ts'
import { databaseUrl } from '#testing/test-databases.ts'
import { migrateDatabase } from '../prepare-database.ts'
import { type BackupOptions, makeBackup } from './recorded-backup.ts'
import { type Restored, type RestoreOptions, restoreBackup } from './restore-backup.ts'

export async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function ask<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** An empty database of a role without other rights, as from a PostgreSQL provider. */
export async function openEmptyPlace(): Promise<string> {
  const server = inject('databaseServer')
  const name = `place_${randomBytes(8).toString('hex')}`
  await ask(server, `create role ${name} login password 'secret'`)
  await ask(server, `create database ${name} owner ${name} template template0`)
  onTestFinished(async () => {
    await ask(server, `drop database ${name} with (force)`)
    await ask(server, `drop role ${name}`)
  })
  const url = new URL(databaseUrl(server, name))
  url.username = name
  url.password = 'secret'
  return url.href
}

export async function backUp(studio: StudioUnderTest, wish: Partial<BackupOptions> = {}) {
  const file = wish.file ?? join(await openFolder(), 'studio.tar.zst')
  const { manifest } = await makeBackup(studio.settings.databaseUrl as string, { file, ...wish })
  return { file, manifest }
}

export const here = async () => ({ application: '0.1.0', migrations: await readMigrations() })

/** Restores a studio's backup with its keys, at its time. */
export async function restore(
  studio: StudioUnderTest,
  file: string,
  to: string,
  wish: Partial<RestoreOptions> & { identities?: string[] } = {},
): Promise<Restored> {
  const { identities = [], ...others } = wish
  const usual = {
    isDemo: true,
    replace: false,
    journal: { erased: [], withdrawals: [] },
    withoutHealth: false,
    healthDataKeys: studio.settings.healthDataKeys,
  }
  return await restoreBackup(to, await readBackup(file, identities, '0.1.0'), await here(), {
    ...usual,
    now: studio.clock.now(),
    ...others,
  })
}

/** Migrates a database and opens a site on it. */
export async function openSiteOn(databaseUrl: string, studio: StudioUnderTest) {
  await migrateDatabase(databaseUrl)
  return await studio.startSecondProcess({ databaseUrl })
}
