import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { POOLER } from './test-databases.ts'

export type RunDatabases = {
  /** Has a migrated template, copied for each test file. */
  databaseServer: string
  /** A PostgreSQL data folder to copy for tests that start their own server. */
  clusterTemplate: string
  /** For the folders of studios under test. */
  studios: string
  /** The address of a pooler in front of the server, if any. */
  pooler?: string | undefined
}

/** Starts one PostgreSQL for the whole run, in a process that stops it and deletes its folders however the run ends. */
export default async function setup(project: {
  provide(key: 'databaseServer' | 'clusterTemplate' | 'studios', value: string): void
}): Promise<() => Promise<void>> {
  const owner = fork(join(import.meta.dirname, 'databases-process.ts'), { execArgv: [] })
  const ended = once(owner, 'exit')
  const [ready] = await Promise.race([once(owner, 'message'), ended.then(() => [undefined])])
  if (!ready) throw new Error('The test databases could not be started; see above.')
  const { pooler, ...made } = ready as RunDatabases
  for (const key of ['databaseServer', 'clusterTemplate', 'studios'] as const) project.provide(key, made[key])
  if (pooler) process.env[POOLER] = pooler
  return async () => {
    owner.disconnect()
    await ended
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: string
    clusterTemplate: string
    studios: string
  }
}
