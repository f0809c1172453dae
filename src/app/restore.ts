import { writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '#foundation/instants.ts'
import { migrationsFor } from '#platform/database/backup/rebuild.ts'
import { readBackup, type WholeBackup } from '#platform/database/backup/whole-backup.ts'
import { readMigrations } from '#platform/database/migrate.ts'
import { applicationVersion, print, readIdentities, runCommand } from './backup/command.ts'
import { journalFile, mergeJournals, readJournal } from './backup/journal.ts'
import { backupsFolder } from './backup/recorded-backup.ts'
import { restoreBackup } from './backup/restore-backup.ts'
import { formatReport, reportOf } from './backup/restore-report.ts'
import { settleOffline } from './backup/settle-restored.ts'
import { formatFindings, verifyBackup } from './backup/verify-backup.ts'
import { databaseServer } from './prepare-database.ts'
import { type Settings, SettingsError, settingsOfCommand } from './settings.ts'

const USAGE =
  'npm run restore -- <file> [--replace] [--identity <file>] [--erased <file>] [--without-health] [--secrets-to <file>] ' +
  '[--receipts-from <number>], or: npm run restore -- --verify <file> [--identity <file>]'

/** `npm run restore -- <file>` restores a backup; with `--verify` it tries that in a separate database. */
async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2))
  const settings = settingsOfCommand()
  const application = await applicationVersion()
  const backup = await readBackup(options.file, await readIdentities(options.identity), application)
  print(
    `${options.file} is complete: the studio at ${backup.manifest.takenAt}, by version ${backup.manifest.application}.`,
  )
  const current = { application, migrations: await readMigrations() }
  // Refused before anything is touched.
  migrationsFor(backup, current)
  await writeSecrets(backup, options.secretsTo)
  if (options.verify) return await verify(settings, backup, current)
  await restore(settings, backup, current, options)
}

type Options = ReturnType<typeof readArguments>
type CurrentVersion = Parameters<typeof restoreBackup>[2]

async function verify(settings: Settings, backup: WholeBackup, current: CurrentVersion): Promise<void> {
  const server = await databaseServer(settings, print, {
    canShareServer: true,
    ownerLabel: 'npm run restore -- --verify',
  })
  try {
    const findings = await verifyBackup(settings.migrationDatabaseUrl ?? server.url, backup, current)
    for (const line of formatFindings(findings)) print(line)
    const mismatches = findings.filter(({ expected, found }) => expected !== found)
    if (mismatches.length > 0) throw new Error(`${mismatches.length} of ${findings.length} do not match the backup.`)
    print('Everything matches the backup, and this version can restore it.')
  } finally {
    await server.stop()
  }
}

async function restore(settings: Settings, backup: WholeBackup, current: CurrentVersion, options: Options) {
  const journal = mergeJournals([
    ...(options.erased ? [await readJournal(options.erased, { mustExist: true })] : []),
    await readJournal(journalFile(dirname(options.file))),
    await readJournal(journalFile(backupsFolder(settings.dataDir))),
  ])
  const server = await databaseServer(settings, print, { ownerLabel: 'npm run restore' })
  try {
    const { replace, withoutHealth, receiptsFrom } = options
    const now = systemClock.now()
    const { healthDataKeys, migrationDatabaseUrl: url = server.url } = settings
    const restored = await restoreBackup(url, backup, current, {
      replace,
      journal,
      receiptsFrom,
      withoutHealth,
      healthDataKeys,
      isDemo: settings.payments.kind === 'sandbox',
      now,
    })
    const erasedAgain = await settleOffline(url, systemClock.now())
    print(`Restored: the studio as it was at ${backup.manifest.takenAt}. It does not contain later changes.\n`)
    for (const line of formatReport(reportOf(restored, erasedAgain))) print(line)
  } finally {
    await server.stop()
  }
}

async function writeSecrets({ secrets, file }: WholeBackup, to: string | undefined): Promise<void> {
  if (!to) return
  if (secrets === undefined)
    throw new SettingsError([`${file} contains no secrets, so there are none to write to ${to}`])
  await writeFile(to, secrets, { mode: 0o600, flag: 'wx', flush: true })
  print(`${to} contains the secrets, as lines for an environment file.`)
}

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        verify: { type: 'boolean', default: false },
        replace: { type: 'boolean', default: false },
        identity: { type: 'string' },
        erased: { type: 'string' },
        'without-health': { type: 'boolean', default: false },
        'secrets-to': { type: 'string' },
        'receipts-from': { type: 'string' },
      },
    })
    const [file, ...more] = positionals
    if (!file || more.length > 0) throw new Error('name one file')
    const { 'without-health': withoutHealth, 'secrets-to': secretsTo, 'receipts-from': from, ...others } = values
    if (from !== undefined && !/^[1-9]\d{0,8}$/.test(from)) throw new Error('the number of a receipt')
    const receiptsFrom = from === undefined ? undefined : Number(from)
    return { ...others, file: resolve(file), withoutHealth, secretsTo, receiptsFrom }
  } catch {
    throw new SettingsError([`name a backup: ${USAGE}`])
  }
}

runCommand(main)
