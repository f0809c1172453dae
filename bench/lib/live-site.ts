import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

const ROOT = join(import.meta.dirname, '../..')
const START_PATIENCE_MS = 60_000

/** What the site is told, and whoever prepares data or cookies for it must know. */
export type Secrets = { sessionSecret: string; healthDataKey: Buffer }

export const newSecrets = (): Secrets => ({
  sessionSecret: randomBytes(32).toString('base64'),
  healthDataKey: randomBytes(32),
})

export type LiveSite = { origin: string; stop(): Promise<void> }

/**
 * Runs the site as production does: a process of its own in live mode, every request in its log, mail to an SMTP server.
 * With BENCH_PROFILE it leaves a CPU profile in that folder.
 *
 * @param options.folder where its log and data go
 */
export async function startLiveSite(options: {
  name: string
  databaseUrl: string
  folder: string
  secrets: Secrets
  /** More of its settings. */
  env?: Record<string, string>
}): Promise<LiveSite> {
  const { name, databaseUrl, folder, secrets, env } = options
  const mail = await startMailSink()
  const logFile = join(folder, `${name}.log`)
  const log = openSync(logFile, 'w')
  const profile = process.env.BENCH_PROFILE
  const site = spawn(
    process.execPath,
    [...(profile ? ['--cpu-prof', '--cpu-prof-dir', profile] : []), 'src/app/main.ts'],
    {
      cwd: ROOT,
      stdio: ['ignore', log, log],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        STUDIO_MODE: 'live',
        HOST: '127.0.0.1',
        PORT: '0',
        APP_URL: 'http://127.0.0.1',
        DATABASE_URL: databaseUrl,
        DATA_DIR: join(folder, name),
        SESSION_SECRET: secrets.sessionSecret,
        HEALTH_DATA_KEY: secrets.healthDataKey.toString('base64'),
        SMTP_URL: mail.url,
        MAIL_FROM: 'studio@aldergate.example',
        ...env,
      },
    },
  )
  closeSync(log)
  const stop = async () => {
    if (site.exitCode === null && site.signalCode === null) {
      site.kill('SIGTERM')
      await once(site, 'exit')
    }
    await mail.stop()
  }
  try {
    return { origin: await whenOpen(site, logFile), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function whenOpen(site: ChildProcess, logFile: string): Promise<string> {
  const begun = performance.now()
  while (performance.now() - begun < START_PATIENCE_MS) {
    const said = await readFile(logFile, 'utf8')
    const origin = /is open at (http:\S+)/.exec(said)?.[1]
    if (origin) return origin
    if (site.exitCode !== null) throw new Error(`The site did not start. It said:\n${said}`)
    await pause(50)
  }
  throw new Error(`The site did not open within ${START_PATIENCE_MS / 1000} s.`)
}

/** Takes every mail and forgets it. */
async function startMailSink() {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      stream.on('end', done).resume()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
