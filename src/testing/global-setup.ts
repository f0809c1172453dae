import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyCluster, makeCluster } from './made-cluster.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { POOLER, startTestDatabases } from './test-databases.ts'

/**
 * One PostgreSQL for the whole run, with a migrated template that each test file's database is a copy of. Tests that
 * start one of their own may begin with a copy of `madeCluster`.
 */
export default async function setup(project: {
  provide(key: 'databaseServer' | 'madeCluster' | 'studios', value: string): void
}): Promise<() => Promise<void>> {
  const dataDir = await openFolder('studio-tests-')
  const home = await openFolder('studio-made-')
  // Processes end without a word to the studios that still stand ready in them: what those have on disk goes with this folder.
  const studios = await openFolder('studio-standing-')
  project.provide('studios', studios)
  const madeCluster = await makeCluster(home)
  await copyCluster(madeCluster, dataDir)
  project.provide('madeCluster', madeCluster)
  const server = await startTestDatabases(dataDir)
  project.provide('databaseServer', server.url)
  const program = process.env.STUDIO_TESTS_PGBOUNCER
  const pooler = program ? await startPgBouncer(program, server.url) : undefined
  if (pooler) process.env[POOLER] = pooler.host
  return async () => {
    await pooler?.stop()
    await server.stop()
    const elsewhere = await readFile(join(dataDir, 'postgres-location'), 'utf8').catch(() => '')
    for (const folder of [dataDir, elsewhere.trim(), madeCluster, home, studios])
      if (folder) await rm(folder, { recursive: true, force: true })
  }
}

async function openFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  // As root the database runs as another user, who must be able to come in.
  await chmod(folder, 0o755)
  return folder
}

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: string
    madeCluster: string
    studios: string
  }
}
