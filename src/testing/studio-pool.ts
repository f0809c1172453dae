import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'
import { studioLog } from '#app/log.ts'
import { readSettings, type Settings } from '#app/settings.ts'
import { runStudio, type StudioServer } from '#app/studio-server.ts'
import { emptyDatabase, forgetChanges } from './empty-database.ts'
import { type FrozenClock, frozenClock } from './frozen-clock.ts'
import { CHEAP_PASSWORDS, PATIENT_LIMITS } from './limits.ts'
import { openTestDatabase } from './test-databases.ts'

/** A running, empty studio. */
export type PooledStudio = {
  clock: FrozenClock
  server: StudioServer
  settings: Settings
  logged: string[]
  isBusy(): boolean
  close(): Promise<void>
}

/** Idle studios kept: the usual one, and a few with other settings. */
const MAX_IDLE = 2
/** A studio that is busy for longer after a test is not reused. */
const BUSY_LIMIT_MS = 10_000

/** Idle studios by their settings, most recently used last: emptying one is much quicker than starting one. */
const idle: { key: string; pooled: PooledStudio }[] = []

export async function borrowFromPool(env: Record<string, string>, now: Temporal.Instant) {
  const key = JSON.stringify(env)
  const index = idle.findIndex((one) => one.key === key)
  const pooled = idle.splice(index, index < 0 ? 0 : 1)[0]?.pooled ?? (await startStudio(env, now))
  pooled.clock.set(now)
  return {
    pooled,
    /** Call it when the test is done. */
    async giveBack(): Promise<void> {
      if (!(await emptied(pooled))) return await pooled.close()
      idle.push({ key, pooled })
      if (idle.length > MAX_IDLE) await idle.shift()?.pooled.close()
    },
  }
}

/** Starts a studio on its own database; the caller closes it. */
export async function startStudio(env: Record<string, string>, now: Temporal.Instant): Promise<PooledStudio> {
  const dataDir = await mkdtemp(join(inject('studios'), 'studio-'))
  const database = await openTestDatabase(inject('databaseServer'))
  const { url: databaseUrl } = database
  const read = readSettings({ PORT: '0', DATA_DIR: dataDir, ...env, DATABASE_URL: databaseUrl })
  const settings = { ...read, databaseUrl }
  const clock = frozenClock(now)
  const logged: string[] = []
  const log = studioLog('trace', { write: (line) => void logged.push(line) })
  const server = await runStudio(settings, {
    clock,
    log,
    workQueues: false,
    strict: true,
    connections: 10,
    limits: PATIENT_LIMITS,
    passwordCost: CHEAP_PASSWORDS,
  })
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

/** Empties a studio. False if that is not possible. */
async function emptied({ server, settings, logged, isBusy }: PooledStudio): Promise<boolean> {
  await server.sandbox?.deliverDue()
  const until = performance.now() + BUSY_LIMIT_MS
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
