// Run by global-setup.ts as a separate process, which cleans up even if the test run is interrupted.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyClusterTemplate, makeCluster, removeDataDir } from './cluster-template.ts'
import type { RunDatabases } from './global-setup.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { startTestDatabases } from './test-databases.ts'

// Ctrl+C in a terminal reaches this process too; it ends when the test run disconnects instead.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
const disconnected = new Promise((resolve) => process.once('disconnect', resolve))

const folders: string[] = []
async function openFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  folders.push(folder)
  // As root, PostgreSQL runs as another user, who needs access.
  await chmod(folder, 0o755)
  return folder
}

const dataDir = await openFolder('studio-tests-')
// Workers exit without closing their idle studios; their files are deleted with this folder.
const studios = await openFolder('studio-pool-')
const stops: (() => Promise<void>)[] = []
try {
  const clusterTemplate = await makeCluster(await openFolder('studio-made-'))
  folders.push(clusterTemplate)
  await copyClusterTemplate(clusterTemplate, dataDir)
  const server = await startTestDatabases(dataDir)
  stops.push(server.stop)
  const program = process.env.STUDIO_TESTS_PGBOUNCER
  const pooler = program ? await startPgBouncer(program, server.url) : undefined
  if (pooler) stops.push(pooler.stop)
  const ready: RunDatabases = { databaseServer: server.url, clusterTemplate, studios, pooler: pooler?.host }
  process.send?.(ready, () => {})
  await disconnected
} finally {
  for (const stop of stops.reverse()) await stop()
  await removeDataDir(dataDir)
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
}
