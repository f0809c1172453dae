import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBinaries } from './binaries.ts'
import { type Cluster, clusterIn, ensureCluster, serverOf, startServer, stopServer } from './cluster.ts'
import { findPlace } from './place.ts'

let open: string
let cluster: Cluster

beforeEach(async () => {
  open = await mkdtemp(path.join(tmpdir(), 'cluster-'))
  await chmod(open, 0o755)
  const place = await findPlace(path.join(open, 'data'), () => {})
  cluster = clusterIn(place, await findBinaries(place, () => {}), true)
  await ensureCluster(cluster, () => {})
  await startServer(cluster)
})

afterEach(async () => {
  await stopServer(cluster)
  await rm(open, { recursive: true, force: true, maxRetries: 10 })
})

test('ends a stop when its server has stopped, however soon another starts', async () => {
  const startTheNextAtOnce = async () => {
    while (await serverOf(cluster)) await turn()
    await startServer(cluster)
  }
  const first = await serverOf(cluster)
  await Promise.all([stopServer(cluster), startTheNextAtOnce()])
  const second = await serverOf(cluster)
  expect(second).not.toBeNull()
  expect(second?.pid).not.toBe(first?.pid)
})

test('stops a server that is not running without an error', async () => {
  await stopServer(cluster)
  await stopServer(cluster)
  expect(await serverOf(cluster)).toBeNull()
})
