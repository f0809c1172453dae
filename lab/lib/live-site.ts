import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { NOT_AS_ROOT } from '#testing/live-settings.ts'
import { startMailSink } from './mail-sink.ts'

const ROOT = join(import.meta.dirname, '../..')
const ENTRY = 'src/app/main.ts'
/** As `npm start`. The site stops when the experiment ends, however that happens. */
const STOP_WITH_PARENT = pathToFileURL(join(ROOT, 'scripts/lib/stop-with-parent.mjs')).href
const SITE = [...NOT_AS_ROOT, '--import', STOP_WITH_PARENT, '--max-semi-space-size=8']
const START_PATIENCE_MS = 120_000

/** Secrets that the site shares with prepared data and cookies. */
export type Secrets = { sessionSecret: string; healthDataKey: Buffer }

export const newSecrets = (): Secrets => ({
  sessionSecret: randomBytes(32).toString('base64'),
  healthDataKey: randomBytes(32),
})

export type LiveSite = {
  origin: string
  pid: number
  /** Its log so far. */
  log(): Promise<string>
  /** Lets it deliver this many queued emails and returns the milliseconds taken. None is delivered otherwise. */
  deliver(mails: number): Promise<number>
  stop(): Promise<void>
}

/**
 * Runs the site in live mode as a separate process, with request logs and email over SMTP. With BENCH_PROFILE it writes
 * a CPU profile into that folder.
 *
 * @param options.folder for its log and data
 * @param options.checkout the folder of another checkout to run
 */
export async function startLiveSite(options: {
  name: string
  databaseUrl: string
  folder: string
  secrets: Secrets
  checkout?: string
  /** Further settings. */
  env?: Record<string, string>
}): Promise<LiveSite> {
  const { name, databaseUrl, folder, secrets, checkout = ROOT, env } = options
  if (!existsSync(join(checkout, ENTRY)))
    throw new Error(`${checkout} is not a checkout of this project: it lacks ${ENTRY}`)
  const mail = await startMailSink()
  const logFile = join(folder, `${name}.log`)
  const log = openSync(logFile, 'w')
  const profile = process.env.BENCH_PROFILE
  const site = spawn(
    process.execPath,
    [...(profile ? ['--cpu-prof', '--cpu-prof-dir', profile] : []), ...SITE, ENTRY],
    {
      cwd: checkout,
      stdio: ['ignore', log, log, 'ipc'],
      env: {
        PATH: process.env.PATH,
        MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX,
        MALLOC_TRIM_THRESHOLD_: process.env.MALLOC_TRIM_THRESHOLD_,
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
        TRUST_PROXY: 'loopback',
        // Prepared sessions have taken no second step.
        ADMIN_SECOND_FACTOR: 'off',
        ...env,
      },
    },
  )
  closeSync(log)
  const exited = once(site, 'exit')
  const stop = async () => {
    site.kill('SIGTERM')
    await Promise.all([exited, mail.stop()])
  }
  const deliver = (mails: number) =>
    Promise.race([
      mail.take(mails),
      exited.then(() => Promise.reject(new Error(`the site ${name} ended while it delivered emails`))),
    ])
  try {
    const origin = await waitUntilOpen(site, logFile)
    return { origin, pid: site.pid as number, log: () => readFile(logFile, 'utf8'), deliver, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function waitUntilOpen(site: ChildProcess, logFile: string): Promise<string> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < START_PATIENCE_MS) {
    const text = await readFile(logFile, 'utf8')
    const origin = /is open at (http:\S+)/.exec(text)?.[1]
    if (origin) return origin
    if (site.exitCode !== null) throw new Error(`The site did not start. Its log:\n${text}`)
    await pause(50)
  }
  throw new Error(`The site did not open within ${START_PATIENCE_MS / 1000} s.`)
}
