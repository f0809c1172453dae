import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './project.mjs'

/** A child is killed this long after a signal. The server takes at most 20 s to stop. */
const KILL_AFTER_MS = 30_000
/** A later signal is a second Ctrl-C, not an echo of the first. */
const ECHO_MS = 2000
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
const windows = process.platform === 'win32'

/**
 * @typedef {object} Options
 * @property {Record<string, string | undefined>} [env]
 * @property {string} [cwd] the project's folder unless stated
 * @property {boolean} [quiet] show the output only when the command fails
 * @property {boolean} [server] send signals to the child alone, not to its group; it stops when this process disappears
 *   (stop-with-parent.mjs)
 * @property {'ignore' | 'inherit'} [stdin]
 */

/**
 * Runs a command and resolves with its exit code.
 *
 * The child has its own process group, because on Ctrl-C both the terminal and npm send the signal. We forward the
 * first one, and to a server a later one, which makes it stop at once.
 * @param {string} command @param {string[]} args @param {Options} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  return start(command, args, options).ended
}

/**
 * As `run`, without waiting.
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
  const chunks = []
  child.stdout?.on('data', (chunk) => chunks.push(chunk))
  child.stderr?.on('data', (chunk) => chunks.push(chunk))

  /** @type {NodeJS.Signals | undefined} */
  let sent
  /** @type {NodeJS.Timeout | undefined} */
  let killTimer
  let sentAt = 0
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    if (sent) {
      if (server && !windows && performance.now() - sentAt > ECHO_MS) send(child, signal, true)
      return
    }
    sent = signal
    sentAt = performance.now()
    if (!windows) send(child, signal, server)
    killTimer = setTimeout(() => send(child, 'SIGKILL', false), KILL_AFTER_MS)
  }
  const listeners = SIGNALS.map((signal) => /** @type {const} */ ([signal, () => stop(signal)]))
  for (const [signal, listener] of listeners) process.on(signal, listener)
  const orphaned = whenNpmIsGone(() => stop('SIGTERM'))

  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      const exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0)
      if (exitCode !== 0 && !sent) process.stderr.write(Buffer.concat(chunks))
      // Tools exit with all sorts of codes after a signal.
      resolve(sent && !server ? 128 + constants.signals[sent] : exitCode)
    })
  }).finally(() => {
    clearTimeout(killTimer)
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
    // it has ended
  }
}

/** Calls back when npm was killed and cannot forward a signal. @param {() => void} onGone */
function whenNpmIsGone(onGone) {
  if (!process.env.npm_lifecycle_event || windows) return undefined
  const parent = process.ppid
  return setInterval(() => process.ppid !== parent && onGone(), 10_000).unref()
}
