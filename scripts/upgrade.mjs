// npm run upgrade -- <release.tar.gz> [--restart <command>]: backs up, unpacks the release next to the current one,
// lets it migrate and serve on a spare port, switches the link to it and restarts the site. If a step fails, the site
// runs the previous release again. On a server: studio upgrade <release.tar.gz> (docs/operations/debian.md).
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Failure, print, script } from './lib/project.mjs'

/** The link to the current release, and the file with the settings of the site's processes. */
const { RELEASE_LINK = '/opt/studio', SETTINGS_FILE = '/etc/studio/studio.env' } = process.env
const USAGE = 'Name a release: npm run upgrade -- <release.tar.gz> [--restart <command>]'
/** A migration of a large table takes its time. */
const TRIAL_MINUTES = 30
const OPEN = /The studio is open at/
/** The previous release runs on a schema that the new one has migrated. */
const ALLOW = 'NEWER_SCHEMA=allow'

const calledFrom = process.env.INIT_CWD ?? process.cwd()

await script(async () => {
  const { archive, restart } = readArguments()
  if (!existsSync(RELEASE_LINK) || !lstatSync(RELEASE_LINK).isSymbolicLink()) {
    throw new Failure(
      `${RELEASE_LINK} is not a link to a release. Set RELEASE_LINK to the link that the site runs from.`,
    )
  }
  const previous = realpathSync(RELEASE_LINK)

  step('Backing up.')
  if (!runIn(previous, ['scripts/run.mjs', '--serving', 'src/app/backup.ts'])) {
    throw new Failure('The backup failed, so nothing was changed.')
  }

  const next = `${path.join(path.dirname(previous), path.basename(RELEASE_LINK))}-${stamp()}`
  step(`Unpacking into ${next}.`)
  mkdirSync(next)
  const tar = [
    '--extract',
    '--gzip',
    `--file=${archive}`,
    `--directory=${next}`,
    '--strip-components=1',
    '--no-same-owner',
  ]
  if (spawnSync('tar', tar, { stdio: 'inherit' }).status !== 0) {
    rmSync(next, { recursive: true })
    throw new Failure('The release could not be unpacked, so nothing was changed.')
  }

  try {
    step('Migrating, and trying the new release on a spare port.')
    await tryOut(next)
    step('Switching to the new release and restarting.')
    pointTo(next)
    if (!restarts(restart)) throw new Failure('The new release did not become ready.')
  } catch (error) {
    print(error instanceof Failure ? error.message : String(error))
    return goBack(previous, next, restart)
  }
  saveSettings((lines) => lines.filter((line) => line !== ALLOW))
  print(`The site runs ${next}. The previous release is still in ${previous}.`)
  return 0
})

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { restart: { type: 'string' } } })
    const [file, ...more] = positionals
    if (!file || more.length > 0) throw new Failure(USAGE)
    const archive = path.resolve(calledFrom, file)
    if (!existsSync(archive)) throw new Failure(`There is no file ${archive}.`)
    return { archive, restart: values.restart ?? defaultRestart() }
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(USAGE)
  }
}

/** Restarts the site's systemd units one after the other. */
function defaultRestart() {
  const list = ['list-units', '--plain', '--no-legend', '--all', 'studio@*.service']
  const { stdout } = spawnSync('systemctl', list, { encoding: 'utf8' })
  const ports = [...(stdout ?? '').matchAll(/studio@(\d+)\.service/g)].map(([, port]) => port)
  if (ports.length === 0) throw new Failure('No studio@<port> unit was found. Name the command with --restart.')
  return `sh ${RELEASE_LINK}/deploy/rolling-restart.sh ${ports.join(' ')}`
}

/** Starts a release on a spare port, requests a few pages and stops it. @param {string} folder */
async function tryOut(folder) {
  const env = { ...process.env, HOST: '127.0.0.1', PORT: '0', STOP_NOTICE_SECONDS: '0' }
  const site = spawn(process.execPath, ['scripts/serve.mjs'], { cwd: folder, env, ...siteUser() })
  const ended = once(site, 'exit')
  let output = ''
  const open = new Promise((resolve, reject) => {
    for (const stream of [site.stdout, site.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
        if (OPEN.test(output)) resolve(undefined)
      })
    }
    ended.then(() => reject(new Failure(`The new release does not start:\n${output}`)))
    setTimeout(() => reject(new Failure('The new release was not ready in time.')), TRIAL_MINUTES * 60_000).unref()
  })
  try {
    await open
    const origin = /open at (http:\/\/127\.\S+)/.exec(output)?.[1]
    for (const address of ['/readyz', '/', '/api/packages', '/pricing']) {
      const { status } = await fetch(origin + address)
      if (status !== 200) throw new Failure(`The new release returned ${status} for ${address}.`)
    }
  } finally {
    site.kill('SIGTERM')
    await ended
  }
}

/** @param {string} previous @param {string} next @param {string} restart @returns {number} the exit code */
function goBack(previous, next, restart) {
  saveSettings((lines) => (lines.includes(ALLOW) ? lines : [...lines, ALLOW]))
  const wasSwitched = realpathSync(RELEASE_LINK) !== previous
  if (wasSwitched) {
    step('Going back to the previous release.')
    pointTo(previous)
    if (!restarts(restart)) {
      print('The previous release does not become ready either. Restore the backup (docs/operations/backup.md).')
      return 1
    }
  }
  rmSync(next, { recursive: true })
  print(`The upgrade failed. The site still runs ${previous}; ${ALLOW} is in ${SETTINGS_FILE} until the next upgrade.`)
  return 1
}

/** @param {(lines: string[]) => string[]} change */
function saveSettings(change) {
  if (!existsSync(SETTINGS_FILE)) return
  const lines = readFileSync(SETTINGS_FILE, 'utf8').split('\n').filter(Boolean)
  const changed = change(lines)
  if (changed.length !== lines.length) writeFileSync(SETTINGS_FILE, `${changed.join('\n')}\n`, { mode: 0o600 })
}

/** Replaces the link in one step. @param {string} folder */
function pointTo(folder) {
  const draft = `${RELEASE_LINK}.new`
  rmSync(draft, { force: true })
  symlinkSync(folder, draft)
  renameSync(draft, RELEASE_LINK)
}

/** @param {string} command */
function restarts(command) {
  return spawnSync('sh', ['-c', command], { stdio: 'inherit' }).status === 0
}

/** @param {string} folder @param {string[]} args */
function runIn(folder, args) {
  return spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit', ...siteUser() }).status === 0
}

/** Root unpacks and restarts; the backup and the trial run as the user whose DATA_DIR it is. */
function siteUser() {
  const { DATA_DIR } = process.env
  if (process.getuid?.() !== 0 || !DATA_DIR || !existsSync(DATA_DIR)) return {}
  const { uid, gid } = statSync(DATA_DIR)
  return { uid, gid }
}

function stamp() {
  return new Date().toISOString().slice(0, 19).replaceAll(/\D/g, '')
}

/** @param {string} sentence */
function step(sentence) {
  print(`== ${sentence}`)
}
