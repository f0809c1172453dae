import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'
import { studioLog } from '#app/log.ts'
import { readSettings, type Settings } from '#app/settings.ts'
import { runStudio, type StudioServer } from '#app/studio-server.ts'
import { emptyDatabase, forgetChanges } from './emptying.ts'
import { type FrozenClock, frozenClock } from './frozen-clock.ts'
import { CHEAP_PASSWORDS, PATIENT_LIMITS } from './limits.ts'
import { openTestDatabase } from './test-databases.ts'

/** A running studio with nothing in it. */
export type StandingStudio = {
  clock: FrozenClock
  server: StudioServer
  settings: Settings
  logged: string[]
  isBusy(): boolean
  close(): Promise<void>
}

/** So many wait for the next test that wants one like them: the usual one and a few with settings of their own. */
const MOST_IDLE = 2
/** What a test left under way ends by itself; a studio that is busy for longer is not used again. */
const PATIENCE_MS = 10_000

/**
 * Studios that this process has running and no test uses, by their settings, the latest used last. Starting one costs
 * PostgreSQL and Node most of a second, emptying one some milliseconds.
 */
const idle: { key: string; standing: StandingStudio }[] = []

/** A studio with nothing in it: one that stands idle, or a new one. */
export async function takeStudio(env: Record<string, string>, now: Temporal.Instant) {
  const key = JSON.stringify(env)
  const index = idle.findIndex((one) => one.key === key)
  const standing = idle.splice(index, index < 0 ? 0 : 1)[0]?.standing ?? (await startStudio(env, now))
  standing.clock.set(now)
  return {
    standing,
    /** To be called when nobody uses it any more. */
    async giveBack(): Promise<void> {
      if (!(await cleared(standing))) return await standing.close()
      idle.push({ key, standing })
      if (idle.length > MOST_IDLE) await idle.shift()?.standing.close()
    },
  }
}

/** Starts a studio on a database of its own; whoever started it closes it. */
export async function startStudio(env: Record<string, string>, now: Temporal.Instant): Promise<StandingStudio> {
  const dataDir = await mkdtemp(join(inject('studios'), 'studio-'))
  const database = await openTestDatabase(inject('databaseServer'))
  const settings = readSettings({ PORT: '0', DATA_DIR: dataDir, DATABASE_URL: database.url, ...env })
  const clock = frozenClock(now)
  const logged: string[] = []
  const log = studioLog('trace', { write: (line) => void logged.push(line) })
  const server = await runStudio(
    { ...settings, databaseUrl: database.url },
    {
      clock,
      log,
      workQueues: false,
      strict: true,
      connections: 10,
      limits: PATIENT_LIMITS,
      passwordCost: CHEAP_PASSWORDS,
    },
  )
  await forgetChanges(server.background.pool)
  let requests = 0
  server.app.server.on('request', (_request, response) => {
    requests += 1
    response.once('close', () => {
      requests -= 1
    })
  })
  const isBusy = () =>
    requests > 0 ||
    [server.database.pool, server.background.pool].some(
      (pool) => pool.totalCount > pool.idleCount || pool.waitingCount > 0,
    )
  return {
    clock,
    server,
    settings,
    logged,
    isBusy,
    async close() {
      await server.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Forgets all that happened. False: not everything can be forgotten. */
async function cleared({ server, settings, logged, isBusy }: StandingStudio): Promise<boolean> {
  await server.sandbox?.deliverDue()
  const until = performance.now() + PATIENCE_MS
  while (isBusy()) {
    if (performance.now() > until) return false
    await pause(5)
  }
  if (!(await emptyDatabase(server.background.pool))) return false
  for (const folder of ['mailbox', 'backups'])
    await rm(join(settings.dataDir, folder), { recursive: true, force: true })
  logged.length = 0
  return true
}
