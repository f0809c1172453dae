import pg from 'pg'
import { healthVault, rotateHealthKeys, VaultError } from '../../health/server/health.ts'
import { BackupRefused } from '../../platform/database/backup/archive.ts'
import { SAME_TEXT } from '../../platform/database/backup/copy-out.ts'
import { migrationsFor, rebuild } from '../../platform/database/backup/rebuild.ts'
import { recordRestore } from '../../platform/database/backup/restored.ts'
import type { WholeBackup } from '../../platform/database/backup/whole-backup.ts'
import { asTransaction, databaseErrorOf } from '../../platform/database/database.ts'
import { holdMigrations, type Migration } from '../../platform/database/migrate.ts'
import { recordErasures } from '../../privacy/server/privacy.ts'
import { bringForward, knownSince, type Since } from './known-since.ts'
import { holdsStudio, refuseWhileOpen } from './place.ts'
import { sandboxTables } from './sandbox-tables.ts'
import { refuseOtherSums } from './sums.ts'
import { LEFT_OUT } from './what-is-kept.ts'

export type RestoreWish = {
  /** Whether data that is there may go. */
  replace: boolean
  /** Ids of users who were erased since. */
  erased: readonly string[]
  /** Whether there is a stand-in for the card provider. */
  isDemo: boolean
  /** Leaves out what is sealed, because its key is lost. */
  withoutHealth: boolean
  healthDataKeys: readonly Buffer[]
  now: Temporal.Instant
}

/** What only its key opens. */
const SEALED = ['health_questionnaires', 'emergency_contacts', 'health_updates']
const LOCK_MS = 15_000
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Makes the database what a backup says, in one transaction: whatever happens on the way, it holds what it held before or
 * all of the backup.
 *
 * @throws BackupRefused with a sentence, and nothing has changed
 */
export async function restoreBackup(
  url: string,
  backup: WholeBackup,
  here: { application: string; migrations: readonly Migration[] },
  wish: RestoreWish,
): Promise<void> {
  const migrations = migrationsFor(backup, here)
  const client = new pg.Client({ connectionString: url, application_name: 'studio restore' })
  client.on('error', () => {}) // the statement under way tells of it
  await client.connect()
  try {
    await client.query(`begin; ${SAME_TEXT} set local lock_timeout = ${LOCK_MS}`)
    await holdMigrations(client)
    await refuseWhileOpen(client)
    if ((await holdsStudio(client)) && !wish.replace) {
      throw new BackupRefused(
        'There is a studio in this database already. To have the backup in its place, and nothing of it left, add --replace.',
      )
    }
    const sandbox = await sandboxTables(client, backup.manifest, wish.isDemo)
    const since = await knownSince(client, asTransaction(client), wish.now)
    await rebuild(client, backup, {
      ...migrations,
      prepare: sandbox.prepare,
      // A backup by an older version may hold tables that are no longer copied.
      leaveOut: (name) => sandbox.leaveOut(name) || name in LEFT_OUT || (wish.withoutHealth && SEALED.includes(name)),
      whenLoaded: () => refuseOtherSums(client, backup.manifest.sums),
    })
    await finish(client, backup, wish, since)
    await client.query('commit')
  } catch (error) {
    throw inWords(error)
  } finally {
    await client.end()
  }
}

async function finish(client: pg.Client, backup: WholeBackup, wish: RestoreWish, since: Since): Promise<void> {
  const tx = asTransaction(client)
  await rotateHealthKeys((work) => work(tx), healthVault(wish.healthDataKeys))
  await bringForward(tx, since, wish.now)
  await recordErasures(tx, wish.erased, wish.now)
  await recordRestore(tx, Temporal.Instant.from(backup.manifest.takenAt), wish.now)
}

/** What its owner can mend is said in a sentence. */
function inWords(error: unknown): unknown {
  if (error instanceof VaultError) {
    return new BackupRefused(
      `${error.message} It stands in secrets.json of the DATA_DIR that was backed up, or in its HEALTH_DATA_KEY. If it is ` +
        'lost, --without-health restores everything else. Nothing was changed.',
    )
  }
  if (databaseErrorOf(error)?.code === LOCK_NOT_AVAILABLE) {
    return new BackupRefused('Somebody else is using this database. Stop that first. Nothing was changed.')
  }
  return error
}
