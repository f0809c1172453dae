import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { POOLER } from './test-databases.ts'

/** What a run has of PostgreSQL. */
export type RunDatabases = {
  /** With a migrated template that each test file's database is a copy of. */
  databaseServer: string
  /** Tests that start a PostgreSQL of their own may begin with a copy of this folder. */
  madeCluster: string
  /** What goes with the run: folders of studios that stand ready, and of whoever opens one in it. */
  studios: string
  /** Where a pooler stands before the server, `127.0.0.1:6432`. */
  pooler?: string | undefined
}

/** One PostgreSQL for the whole run, owned by a process that stops it and deletes its folders when the run is over, however it ended. */
export default async function setup(project: {
  provide(key: 'databaseServer' | 'madeCluster' | 'studios', value: string): void
}): Promise<() => Promise<void>> {
  const owner = fork(join(import.meta.dirname, 'databases-process.ts'), { execArgv: [] })
  const ended = once(owner, 'exit')
  const [ready] = await Promise.race([once(owner, 'message'), ended.then(() => [undefined])])
  if (!ready) throw new Error('The databases of the tests could not be started; why is said above.')
  const { pooler, ...made } = ready as RunDatabases
  for (const key of ['databaseServer', 'madeCluster', 'studios'] as const) project.provide(key, made[key])
  if (pooler) process.env[POOLER] = pooler
  return async () => {
    owner.disconnect()
    await ended
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: string
    madeCluster: string
    studios: string
  }
}
