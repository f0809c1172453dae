import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { startMailSink } from './mail-sink.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Where a checkout, this or an older one, has its server. */
const ENTRIES = ['src/app/site-under-test.ts', 'src/app/main.ts', 'src/server/main.ts']
/** Whatever becomes of the experiment, its sites do not stay behind. */
const STOP_WITH_PARENT = pathToFileURL(join(ROOT, 'scripts/lib/stop-with-parent.mjs')).href
const START_PATIENCE_MS = 120_000

/** What the site is told, and whoever prepares data or cookies for it must know. */
export type Secrets = { sessionSecret: string; healthDataKey: Buffer }

export const newSecrets = (): Secrets => ({
  sessionSecret: randomBytes(32).toString('base64'),
  healthDataKey: randomBytes(32),
})

export type LiveSite = {
  origin: string
  pid: number
  /** What it has said so far. */
  said(): Promise<string>
  /** Lets it deliver so many of the mails that wait, and answers in how many milliseconds it did. None leaves before. */
  deliver(mails: number): Promise<number>
  stop(): Promise<void>
}

/**
 * Runs the site as production does: a process of its own in live mode, every request in its log, mail to an SMTP server.
 * With BENCH_PROFILE it leaves a CPU profile in that folder.
 *
 * @param options.folder where its log and data go
 * @param options.checkout another one's site than this one's
 */
export async function startLiveSite(options: {
  name: string
  databaseUrl: string
  folder: string
  secrets: Secrets
  checkout?: string
  /** More of its settings. */
  env?: Record<string, string>
}): Promise<LiveSite> {
  const { name, databaseUrl, folder, secrets, checkout = ROOT, env } = options
  const entry = ENTRIES.find((file) => existsSync(join(checkout, file)))
  if (!entry) throw new Error(`${checkout} is no checkout of this project: it has none of ${ENTRIES.join(', ')}`)
  const mail = await startMailSink()
  const logFile = join(folder, `${name}.log`)
  const log = openSync(logFile, 'w')
  const profile = process.env.BENCH_PROFILE
  const site = spawn(
    process.execPath,
    [...(profile ? ['--cpu-prof', '--cpu-prof-dir', profile] : []), '--import', STOP_WITH_PARENT, entry],
    {
      cwd: checkout,
      stdio: ['ignore', log, log, 'ipc'],
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
        STOP_NOTICE_SECONDS: '0',
        // Sessions of the studio's owner are written into the database, and show no second step.
        ADMIN_SECOND_FACTOR: 'off',
        ...env,
      },
    },
  )
  closeSync(log)
  const gone = once(site, 'exit')
  const stop = async () => {
    site.kill('SIGTERM')
    await Promise.all([gone, mail.stop()])
  }
  const deliver = (mails: number) =>
    Promise.race([
      mail.take(mails),
      gone.then(() => Promise.reject(new Error(`the site ${name} ended while it delivered mail`))),
    ])
  try {
    const origin = await whenOpen(site, logFile)
    return { origin, pid: site.pid as number, said: () => readFile(logFile, 'utf8'), deliver, stop }
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
