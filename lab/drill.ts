// npm run lab -- drill: backs up, verifies and restores a studio of 5,000 members and 200,000 bookings.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { withCleanUp } from './lib/clean-up.ts'
import { fill } from './lib/fill.ts'
import { fillStudio } from './lib/fill-studio.ts'
import { newSecrets } from './lib/live-site.ts'
import { type OwnPostgres, runSql, startOwnPostgres } from './lib/own-postgres.ts'

const LARGE = { members: 5000, days: 3572, aDay: 14 }
const ROOT = join(import.meta.dirname, '..')
/** Makes a command print its peak memory in kilobytes as its last line. */
const PRINT_MEMORY = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => process.stderr.write('\\nmemory ' + process.resourceUsage().maxRSS))",
)}`

type Run = { what: string; seconds: number; megabytes: number }

/** Runs a command of the project and returns its cost. */
async function run(what: string, env: Record<string, string>, file: string, ...args: string[]): Promise<Run> {
  const program = join(ROOT, 'src/app', file)
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--import', PRINT_MEMORY, program, ...args], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const [output, [code]] = await Promise.all([buffer(child.stderr), once(child, 'exit')])
  const text = output.toString()
  if (code !== 0) throw new Error(`${what} failed: ${text}`)
  const kilobytes = Number(/memory (\d+)$/.exec(text)?.[1])
  return { what, seconds: (performance.now() - startedAt) / 1000, megabytes: kilobytes / 1024 }
}

async function measure(postgres: OwnPostgres): Promise<void> {
  const [from, to] = [await postgres.database('drill'), await postgres.emptyDatabase('drill_restored')]
  console.log('Filling a studio with 5,000 members and 200,000 bookings.')
  const secrets = newSecrets()
  await fill(from, (client) => fillStudio(client, LARGE, secrets))
  const file = join(postgres.folder, 'drill.tar.zst')
  const here = { DATA_DIR: postgres.folder, HEALTH_DATA_KEY: secrets.healthDataKey.toString('base64') }
  const runs = [
    await run('backup', { ...here, DATABASE_URL: from }, 'backup.ts', file),
    await run('restore --verify', { ...here, DATABASE_URL: from }, 'restore.ts', '--verify', file),
    await run('restore', { ...here, DATABASE_URL: to }, 'restore.ts', file),
  ]
  const { rows } = await runSql(
    to,
    'select count(*)::int as bookings, pg_database_size(current_database()) as bytes from bookings',
  )
  const { size } = await stat(file)
  console.log(
    `\n${rows[0].bookings} bookings, ${inMegabytes(rows[0].bytes)} in the database, ${inMegabytes(size)} in the file.`,
  )
  for (const { what, seconds, megabytes } of runs) {
    console.log(
      `${what.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s  ${megabytes.toFixed(0).padStart(5)} MB of memory`,
    )
  }
}

const inMegabytes = (bytes: number) => `${(Number(bytes) / 1_000_000).toFixed(1)} MB`

const postgres = await startOwnPostgres()
await withCleanUp(
  () => measure(postgres),
  () => postgres.stop(),
)
