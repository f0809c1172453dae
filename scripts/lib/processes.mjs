import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './project.mjs'

/** How long a child may take to end after it was told to. The server takes at most 20 s. */
const PATIENCE_MS = 30_000
/** A signal that comes so much later is no echo of the first, but somebody who will not wait any longer. */
const ECHO_MS = 2000
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
const windows = process.platform === 'win32'

/**
 * @typedef {object} Options
 * @property {Record<string, string | undefined>} [env]
 * @property {string} [cwd] the project's folder unless stated
 * @property {boolean} [quiet] keep the output back and show it only when the command fails
 * @property {boolean} [server] a server: signals go to it alone (a tool's signals go to its whole group), and it
 *   ends itself should this process disappear (see stop-with-parent.mjs)
 * @property {'ignore' | 'inherit'} [stdin]
 */

/**
 * Runs a command to its end and answers its exit code.
 *
 * The child leads a process group of its own. On Ctrl-C the terminal signals everyone and npm passes the signal on
 * once more; the group keeps the child out of that, and we forward the first signal only, and to a server another one
 * that comes later: it then ends at once.
 * @param {string} command @param {string[]} args @param {Options} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  return start(command, args, options).ended
}

/**
 * As `run`, for several children at once.
 * @param {string} command @param {string[]} args @param {Options} [options]
 * @returns {{ ended: Promise<number>, stop: (signal: NodeJS.Signals) => void }}
 */
export function start(
  command,
  args,
  { env = process.env, cwd = root, quiet = false, server = false, stdin = 'ignore' } = {},
) {
  const output = quiet ? 'pipe' : 'inherit'
  const child = spawn(command, args, {
    cwd,
    env,
    detached: !windows,
    windowsHide: true,
    stdio: server ? [stdin, output, output, 'ipc'] : [stdin, output, output],
  })
  /** @type {Buffer[]} */
  const kept = []
  child.stdout?.on('data', (chunk) => kept.push(chunk))
  child.stderr?.on('data', (chunk) => kept.push(chunk))

  /** @type {NodeJS.Signals | undefined} */
  let told
  /** @type {NodeJS.Timeout | undefined} */
  let lastResort
  let toldAt = 0
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    if (told) {
      if (server && !windows && performance.now() - toldAt > ECHO_MS) send(child, signal, true)
      return
    }
    told = signal
    toldAt = performance.now()
    if (!windows) send(child, signal, server)
    lastResort = setTimeout(() => send(child, 'SIGKILL', false), PATIENCE_MS)
  }
  const listeners = SIGNALS.map((signal) => /** @type {const} */ ([signal, () => stop(signal)]))
  for (const [signal, listener] of listeners) process.on(signal, listener)
  const orphaned = whenNpmIsGone(() => stop('SIGTERM'))

  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      const exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0)
      if (exitCode !== 0 && !told) process.stderr.write(Buffer.concat(kept))
      // Tools answer a signal with all sorts of codes; what follows them must know that they did not finish.
      resolve(told && !server ? 128 + constants.signals[told] : exitCode)
    })
  }).finally(() => {
    clearTimeout(lastResort)
    clearInterval(orphaned)
    for (const [signal, listener] of listeners) process.off(signal, listener)
  })
  return { ended, stop }
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal @param {boolean} alone */
function send(child, signal, alone) {
  if (child.pid === undefined) return
  try {
    process.kill(alone || windows ? child.pid : -child.pid, signal)
  } catch {
    // it has ended meanwhile
  }
}

/** npm was killed outright and could not pass a signal on: nobody would ever stop what we started. @param {() => void} tell */
function whenNpmIsGone(tell) {
  if (!process.env.npm_lifecycle_event || windows) return undefined
  const parent = process.ppid
  return setInterval(() => process.ppid !== parent && tell(), 500).unref()
}
