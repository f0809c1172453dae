import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPgBouncer } from './pgbouncer.ts'
import { POOLER, startTestDatabases } from './test-databases.ts'

/** One PostgreSQL for the whole run, with a migrated template that each test file's database is a copy of. */
export default async function setup(project: {
  provide(key: 'databaseServer', url: string): void
}): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'studio-tests-'))
  // As root the database runs as another user, who must be able to come in.
  await chmod(dataDir, 0o755)
  const server = await startTestDatabases(dataDir)
  project.provide('databaseServer', server.url)
  const program = process.env.STUDIO_TESTS_PGBOUNCER
  const pooler = program ? await startPgBouncer(program, server.url) : undefined
  if (pooler) process.env[POOLER] = pooler.host
  return async () => {
    await pooler?.stop()
    await server.stop()
    const elsewhere = await readFile(join(dataDir, 'postgres-location'), 'utf8').catch(() => '')
    for (const folder of [dataDir, elsewhere.trim()]) if (folder) await rm(folder, { recursive: true, force: true })
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: string
  }
}
