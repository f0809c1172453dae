// Run by global-setup.ts as a process of its own: a run that is interrupted has no time to clear up after itself, this has.
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunDatabases } from './global-setup.ts'
import { copyCluster, makeCluster } from './made-cluster.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { startTestDatabases } from './test-databases.ts'

// Who interrupts a run in a terminal interrupts this too: it ends when nobody is left to use it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
const nobodyIsLeft = new Promise((resolve) => process.once('disconnect', resolve))

const folders: string[] = []
async function openFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  folders.push(folder)
  // As root the database runs as another user, who must be able to come in.
  await chmod(folder, 0o755)
  return folder
}

const dataDir = await openFolder('studio-tests-')
// Processes end without a word to the studios that still stand ready in them: what those have on disk goes with this folder.
const studios = await openFolder('studio-standing-')
const stops: (() => Promise<void>)[] = []
try {
  const madeCluster = await makeCluster(await openFolder('studio-made-'))
  folders.push(madeCluster)
  await copyCluster(madeCluster, dataDir)
  const server = await startTestDatabases(dataDir)
  stops.push(server.stop)
  const program = process.env.STUDIO_TESTS_PGBOUNCER
  const pooler = program ? await startPgBouncer(program, server.url) : undefined
  if (pooler) stops.push(pooler.stop)
  const ready: RunDatabases = { databaseServer: server.url, madeCluster, studios, pooler: pooler?.host }
  process.send?.(ready, () => {})
  await nobodyIsLeft
} finally {
  for (const stop of stops.reverse()) await stop()
  // Where PostgreSQL cannot enter the temporary folder, it has found a place of its own.
  const elsewhere = await readFile(join(dataDir, 'postgres-location'), 'utf8').catch(() => '')
  for (const folder of [...folders, elsewhere.trim()]) if (folder) await rm(folder, { recursive: true, force: true })
}
