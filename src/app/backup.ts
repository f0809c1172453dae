import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { systemClock } from '#foundation/instants.ts'
import { withClient } from '#platform/database/backup/catalog.ts'
import { openDatabase } from '#platform/database/database.ts'
import { migrationsIn, readMigrations, refuseOtherBaseline } from '#platform/database/migrate.ts'
import { print, runCommand, secretLines, sizeInWords } from './backup/command.ts'
import { recordedBackup } from './backup/recorded-backup.ts'
import { databaseServer } from './prepare-database.ts'
import { isRecipient, SettingsError, settingsOfCommand } from './settings.ts'

const USAGE =
  'npm run backup [-- <file>] [--to <age public key>] [--with-secrets], or: npm run backup -- --new-key <file>'

/** `npm run backup`: writes the studio as it is now to one file, whether the site runs or not. */
async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2))
  if (options.newKey) return await makeKey(options.newKey)
  const settings = settingsOfCommand()
  const recipient = options.recipient ?? settings.backupRecipient
  if (recipient !== undefined && !isRecipient(recipient)) throw usage('--to must be an age public key (age1…)')
  if (options.withSecrets && !recipient) {
    throw usage('only an encrypted backup can contain secrets: --with-secrets --to <age public key>')
  }
  const server = await databaseServer(settings, print, { canShareServer: true, ownerLabel: 'npm run backup' })
  const url = settings.migrationDatabaseUrl ?? server.url
  const database = openDatabase(url, { connections: 2 })
  try {
    refuseOtherBaseline(await withClient(url, 'studio backup', migrationsIn), await readMigrations())
    const { file, bytes, manifest } = await recordedBackup(database, {
      madeBy: 'command',
      dataDir: settings.dataDir,
      url,
      clock: systemClock,
      file: options.file,
      recipient,
      secrets: options.withSecrets ? secretLines(settings, process.env) : undefined,
    })
    const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
    print(`${file} is complete: ${rows} rows of ${Object.keys(manifest.tables).length} tables, ${sizeInWords(bytes)}.`)
    if (!manifest.holdsSecrets) {
      print(
        'It does not contain the secrets. Keep them elsewhere: without HEALTH_DATA_KEY nobody can read the health answers.',
      )
    }
  } finally {
    await database.close()
    await server.stop()
  }
}

/** Generates a key pair: the public key encrypts, the file's secret key decrypts. */
async function makeKey(file: string): Promise<void> {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  await writeFile(file, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx', flush: true })
  print(`${file} contains the secret key. Move it to another machine: without it nobody can open encrypted backups.`)
  print(`The public key: ${recipient}`)
}

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        to: { type: 'string' },
        'with-secrets': { type: 'boolean', default: false },
        'new-key': { type: 'string' },
      },
    })
    const [file, ...more] = positionals
    if (more.length > 0) throw usage('name one file')
    return {
      file: file === undefined ? undefined : resolve(file),
      recipient: values.to,
      withSecrets: values['with-secrets'],
      newKey: values['new-key'],
    }
  } catch (error) {
    throw error instanceof SettingsError ? error : usage('an option is unknown or has no value')
  }
}

const usage = (fault: string) => new SettingsError([`${fault}. ${USAGE}`])

runCommand(main)
