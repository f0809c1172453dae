/** For this folder's tests: the site as a process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { copyClusterTemplate, removeDataDir } from '#testing/cluster-template.ts'
import { NOT_AS_ROOT } from '#testing/live-settings.ts'

const MAIN = join(import.meta.dirname, 'main.ts')

/** Records every loaded module in the file LOADED. */
const LISTENER = `data:text/javascript,${encodeURIComponent(`
  import { appendFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      appendFileSync(process.env.LOADED, url + '\\n')
      return next(url, context)
    },
  })`)}`

/** Starts the site as `npm start` does, and collects its output. */
export function runMain(env: Record<string, string>) {
  const asUser = env.STUDIO_MODE === 'live' ? NOT_AS_ROOT : []
  const listener = env.LOADED ? ['--import', LISTENER] : []
  const { PATH, NODE_COMPILE_CACHE } = process.env // uses the compile cache, as `npm start` does
  const child: ChildProcess = spawn(process.execPath, [...asUser, ...listener, MAIN], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
  })
  let output = ''
  const listeners: (() => void)[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
      for (const listen of listeners) listen()
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const waitForOutput = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const listen = () => output.includes(text) && resolve()
      listeners.push(listen)
      listen()
      ended.then(() => reject(new Error(`it ended without printing "${text}": ${output}`)))
    })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended, waitForOutput, output: () => output }
}

/**
 * A data folder, removed after the test.
 *
 * @param options.hasCluster includes a database cluster, so that the start creates none
 */
export async function dataFolder({ hasCluster = false } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-main-'))
  await chmod(folder, 0o755)
  onTestFinished(() => removeDataDir(folder))
  if (hasCluster) await copyClusterTemplate(inject('clusterTemplate'), folder)
  return folder
}
