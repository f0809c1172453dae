import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { alone } from './lock.mjs'
import { run } from './processes.mjs'
import { Failure, inProject, readJson, say, writeJson } from './project.mjs'
import { findNode } from './runtime.mjs'

/** Written last, inside what it vouches for: an interrupted install has none, and `npm ci` begins by deleting it. */
const marker = inProject('node_modules', '.studio-installed.json')
const toolsMarker = inProject('tools/node_modules', '.studio-installed.json')

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

/** Installs what only the slower measurements need (`tools/`), unless it already is. */
export async function ensureTools() {
  const lock = readFileSync(inProject('tools/package-lock.json'))
  const locked = createHash('sha256').update(lock).digest('hex')
  if (readJson(toolsMarker)?.wanted === locked) return
  say('Installing the tools of this measurement.')
  rmSync(toolsMarker, { force: true })
  await npmCi({ cwd: inProject('tools') })
  writeJson(toolsMarker, { wanted: locked })
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

/** @param {{ cwd?: string }} [options] */
async function npmCi(options) {
  const [command, ...before] = npm()
  // Nothing we use needs install scripts (npm 11 leaves them out, npm 10 would run them): the same tree everywhere.
  // NODE_ENV=production or omit=dev in somebody's settings would leave out what builds the pages.
  const flags = [
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const exitCode = await run(command, [...before, 'ci', ...flags], options)
  if (exitCode >= 128) throw new Failure('Installing the packages was interrupted. The next start begins it again.')
  if (exitCode !== 0) {
    throw new Failure('The packages could not be installed; npm says why above. Is the network there? Then try again.')
  }
}

/** The npm that called us, run by the Node that runs us; or the one on the PATH. @returns {string[]} */
function npm() {
  const caller = process.env.npm_execpath
  if (caller && /^npm(-cli)?\.c?js$/.test(path.basename(caller)) && existsSync(caller))
    return [process.execPath, caller]
  const beside = [
    path.join(path.dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(path.dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ].find((file) => existsSync(file))
  return beside ? [process.execPath, beside] : ['npm']
}
