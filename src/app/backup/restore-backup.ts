import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type pg from 'pg'
import { users } from '#accounts/tables.ts'
import { rotateHealthKeys } from '#health/server/health.ts'
import { BackupRefused } from '#platform/database/backup/archive.ts'
import { type Connection, copiedTables, identifier, withClient } from '#platform/database/backup/catalog.ts'
import { STABLE_TEXT } from '#platform/database/backup/copy-out.ts'
import { migrationsFor, rebuild } from '#platform/database/backup/rebuild.ts'
import { recordRestore } from '#platform/database/backup/records.ts'
import type { WholeBackup } from '#platform/database/backup/whole-backup.ts'
import { asTransaction } from '#platform/database/database.ts'
import { lockMigrations, type Migration, migrationsIn, refuseOtherBaseline } from '#platform/database/migrate.ts'
import { databaseErrorOf } from '#platform/database/outage.ts'
import { createVault, VaultError } from '#platform/vault/vault.ts'
import { rotateVoucherCodes } from '#vouchers/server/vouchers.ts'
import { LEFT_OUT, SEALED, sandboxTables } from './backup-contents.ts'
import type { Journal } from './journal.ts'
import { compareReplaced } from './replaced.ts'
import { applySince, lastReceipt, type Repeated, readSince, type Since } from './since-backup.ts'
import { refuseOtherSums } from './sums.ts'

export type RestoreOptions = {
  /** Whether existing data may be replaced. */
  replace: boolean
  /** Erasures and withdrawals since, from the journals next to the backups. */
  journal: Journal
  /** The next receipt's number at least, as the operator knows it. */
  receiptsFrom?: number
  /** Whether the sandbox stands in for the card provider. */
  isDemo: boolean
  /** Leaves out encrypted health data, because its key is lost. */
  withoutHealth: boolean
  healthDataKeys: readonly Buffer[]
  now: Temporal.Instant
}

/** The result of a restore, for its report. */
export type Restored = Repeated & {
  takenAt: string
  /** Restored rows by table. */
  rows: Record<string, number>
  receipts: { restored: number; given: number }
  admins: number
  /** Emails that the replaced database had sent, and bookings it had reminded of. */
  sentSince: number
  remindedSince: number
}

const LOCK_MS = 15_000
const LOCK_NOT_AVAILABLE = '55P03'

/** Restores a backup in one transaction: if anything fails, the database is unchanged. */
export async function restoreBackup(
  url: string,
  backup: WholeBackup,
  here: { application: string; migrations: readonly Migration[] },
  options: RestoreOptions,
): Promise<Restored> {
  const migrations = migrationsFor(backup, here)
  const work = async (client: pg.Client) => {
    await client.query(`begin; ${STABLE_TEXT} set local lock_timeout = ${LOCK_MS}`)
    await lockMigrations(client)
    await refuseWhileOpen(client)
    refuseOtherBaseline(await migrationsIn(client), here.migrations)
    if ((await hasStudioData(client)) && !options.replace) {
      throw new BackupRefused(
        'This database already contains a studio. To delete it and load the backup instead, add --replace.',
      )
    }
    const sandbox = await sandboxTables(client, backup.manifest, options.isDemo)
    const { takenAt } = backup.manifest
    const since = await readSince(client, asTransaction(client), {
      schema: here.migrations,
      takenAt,
      now: options.now,
    })
    await rebuild(client, backup, {
      ...migrations,
      prepare: sandbox.prepare,
      // An older backup may hold tables that are no longer copied.
      leaveOut: (name) =>
        sandbox.leaveOut(name) || LEFT_OUT.has(name) || (options.withoutHealth && SEALED.includes(name)),
      whenLoaded: () => refuseOtherSums(client, backup.manifest.sums),
    })
    const restored = await finish(client, backup, options, since)
    await client.query('commit')
    return restored
  }
  return await withClient(url, 'studio restore', work).catch((error) => {
    throw plainFault(error)
  })
}

async function finish(
  client: pg.Client,
  backup: WholeBackup,
  options: RestoreOptions,
  since: Since,
): Promise<Restored> {
  const tx = asTransaction(client)
  const { takenAt, tables } = backup.manifest
  const vault = createVault(options.healthDataKeys)
  await rotateHealthKeys((work) => work(tx), vault)
  await rotateVoucherCodes(tx, vault)
  const known = since.happened ? await compareReplaced(client, takenAt) : { isSame: false, isLater: false }
  const receipts = await continueReceipts(client, options, known.isSame ? since.lastReceipt : undefined)
  const { rights: written, ...journal } = options.journal
  const isLater = written && Temporal.Instant.compare(written.at, takenAt) > 0
  const all = {
    ...since,
    erased: [...since.erased, ...journal.erased],
    withdrawals: [...since.withdrawals, ...journal.withdrawals],
    journal: isLater ? { rights: written.known, knows: (user: string) => !journal.erased.includes(user) } : undefined,
    known,
  }
  const repeated = await applySince(client, tx, all, options.now)
  await recordRestore(tx, Temporal.Instant.from(takenAt), receipts, options.now)
  return {
    ...repeated,
    takenAt,
    rows: Object.fromEntries(
      Object.entries(tables).map(([table, { rows }]) => [
        table,
        options.withoutHealth && SEALED.includes(table) ? 0 : rows,
      ]),
    ),
    receipts,
    admins: await tx.$count(users, eq(users.isAdmin, true)),
    sentSince: since.doneJobs.length,
    remindedSince: since.reminded.length,
  }
}

/**
 * Continues receipt numbers after the last one given, so that none is given twice. The higher of two counters counts;
 * where the replaced database does not continue the backup, the operator names the number.
 */
async function continueReceipts(
  client: pg.Client,
  { receiptsFrom, isDemo }: RestoreOptions,
  replaced: number | undefined,
): Promise<{ restored: number; given: number }> {
  const restored = await lastReceipt(client)
  const isKnown = replaced !== undefined && replaced >= restored
  if (receiptsFrom === undefined && !isKnown && !isDemo) {
    throw new BackupRefused(
      `The last receipt in this backup has the number ${restored}. Later receipts are not in it, and no number may be used ` +
        'twice. Find the newest receipt that was emailed and add --receipts-from with the number after it ' +
        '(docs/operations/backup.md explains how). Nothing was changed.',
    )
  }
  const given = Math.max(restored, replaced ?? 0, (receiptsFrom ?? 1) - 1)
  if (given > restored) {
    await client.query(
      'insert into receipt_counter (last) values ($1) on conflict (one_row) do update set last = excluded.last',
      [given],
    )
  }
  return { restored, given }
}

function plainFault(error: unknown): unknown {
  if (error instanceof VaultError) {
    return new BackupRefused(
      `${error.message} It is in secrets.json of the DATA_DIR that was backed up, or in its HEALTH_DATA_KEY. If it is ` +
        'lost, --without-health restores everything else. Nothing was changed.',
    )
  }
  if (databaseErrorOf(error)?.code === LOCK_NOT_AVAILABLE) {
    return new BackupRefused('Another program is using this database. Stop it first. Nothing was changed.')
  }
  return error
}

/** Tables that the site fills itself, also before its first use. */
const FILLED_BY_SITE = [
  ...LEFT_OUT,
  'backups',
  'restores',
  'restored_jobs',
  'retention_runs',
  'retention_hold',
  'erasures',
]
/** `application_name`s of a running site's connections. */
const SITE_CONNECTIONS = ['studio', 'studio background', 'studio jobs', 'studio watch', 'studio demo data']
const CLOSING_MS = 3000

/**
 * Whether the database holds a studio that has been used.
 *
 * @throws BackupRefused when it holds another application's tables
 */
async function hasStudioData(connection: Connection): Promise<boolean> {
  const tables = await copiedTables(connection)
  if (!(await migrationsIn(connection)) && tables.length > 0) {
    const names = tables.slice(0, 3).map(({ name }) => name)
    throw new BackupRefused(
      `The database contains tables that are not the studio's (${names.join(', ')}). Restore into a separate database.`,
    )
  }
  for (const { name } of tables) {
    if (FILLED_BY_SITE.includes(name)) continue
    const { rows } = await connection.query<{ full: boolean }>(
      `select exists (select from ${identifier(name)}) as full`,
    )
    if (rows[0]?.full) return true
  }
  return false
}

/**
 * Waits for a site that is closing: PostgreSQL drops a connection a moment after its client.
 *
 * @throws BackupRefused while a site is connected, from any machine
 */
async function refuseWhileOpen(connection: Connection): Promise<void> {
  const giveUpAt = performance.now() + CLOSING_MS
  while (await isOpen(connection)) {
    if (performance.now() > giveUpAt) {
      throw new BackupRefused(
        'A site is running on this database. Stop it first, on every machine (Ctrl+C, or: systemctl stop studio).',
      )
    }
    await pause(100)
  }
}

async function isOpen(connection: Connection): Promise<boolean> {
  // In a transaction the statistics are cached.
  await connection.query('select pg_stat_clear_snapshot()')
  const { rows } = await connection.query<{ found: boolean }>(
    `select exists (
       select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name = any ($1)) as found`,
    [SITE_CONNECTIONS],
  )
  return rows[0]?.found === true
}
