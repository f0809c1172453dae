import type pg from 'pg'
import { applyMigration, type Migration, makeRecord } from '../migrate.ts'
import { BackupRefused } from './archive.ts'
import { loadBackup } from './load.ts'
import type { Manifest } from './manifest.ts'
import { takeAway } from './set-aside.ts'
import type { WholeBackup } from './whole-backup.ts'

/**
 * This version's migrations as a backup needs them: those that had run when it was made, and those that came since.
 *
 * @throws BackupRefused when it was made by a newer version, or one of them has been changed
 */
export function migrationsFor(
  { file, manifest }: { file: string; manifest: Manifest },
  here: { application: string; migrations: readonly Migration[] },
): { before: Migration[]; since: Migration[] } {
  const known = new Map(here.migrations.map((migration) => [migration.name, migration]))
  const unknown = manifest.migrations.findLast(({ name }) => !known.has(name))
  if (unknown) {
    throw new BackupRefused(
      `${file} was made by a newer version of the site: by ${manifest.application} with ${unknown.name}, and here is ` +
        `${here.application} with ${here.migrations.at(-1)?.name}. Restore it with that version or a later one.`,
    )
  }
  const changed = manifest.migrations.find(({ name, checksum }) => known.get(name)?.checksum !== checksum)
  if (changed) {
    throw new BackupRefused(`${file} was made with another migrations/${changed.name} than the one that is here.`)
  }
  const ran = new Set(manifest.migrations.map(({ name }) => name))
  return {
    before: here.migrations.filter(({ name }) => ran.has(name)),
    since: here.migrations.filter(({ name }) => !ran.has(name)),
  }
}

/**
 * Makes a database what a backup says, in the transaction that the client has open: takes away what the studio has there,
 * makes the tables as they were then, fills them, and brings them to this version.
 *
 * @param options.leaveOut whether a table, or a sequence, stays as it is
 * @param options.whenLoaded looks at what was loaded, before anything is changed about it
 */
export async function rebuild(
  client: pg.ClientBase,
  backup: WholeBackup,
  options: {
    before: readonly Migration[]
    since: readonly Migration[]
    leaveOut(name: string): boolean
    /** Makes tables that no migration makes. */
    prepare?(): Promise<void>
    whenLoaded(): Promise<void>
  },
): Promise<void> {
  await takeAway(client)
  await makeRecord(client)
  for (const migration of options.before) await applyMigration(client, migration)
  await options.prepare?.()
  await loadBackup(client, backup, options.leaveOut)
  await options.whenLoaded()
  for (const migration of options.since) {
    await applyMigration(client, migration)
    // Elsewhere each is a transaction of its own, at whose end what was deferred is looked at.
    await client.query('set constraints all immediate; set constraints all deferred')
  }
}
