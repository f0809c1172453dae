import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { migrateDatabase } from '#app/prepare-database.ts'
import { findBinaries } from '#platform/database/embedded/binaries.ts'
import {
  type Cluster,
  clusterIn,
  DATABASE_USER,
  ensureCluster,
  passwordOf,
  serverOf,
  startServer,
  stopServer,
} from '#platform/database/embedded/cluster.ts'
import { findPlace } from '#platform/database/embedded/place.ts'

/**
 * The embedded PostgreSQL with fsync, which stays killed or frozen until it is started or woken.
 */
export class BreakablePostgres {
  readonly folder: string
  readonly url: string
  readonly #cluster: Cluster

  private constructor(folder: string, cluster: Cluster, url: string) {
    this.folder = folder
    this.#cluster = cluster
    this.url = url
  }

  /** @param parent the folder to create its own in, on the disk to use */
  static async start(parent = tmpdir()): Promise<BreakablePostgres> {
    const folder = await mkdtemp(join(parent, 'studio-breakable-'))
    // Started as root, PostgreSQL runs as another user, who must reach this folder.
    await chmod(folder, 0o711)
    const place = await findPlace(folder, () => {})
    const cluster = clusterIn(place, await findBinaries(place, () => {}), false)
    await ensureCluster(cluster, () => {})
    await startServer(cluster)
    const server = await serverOf(cluster)
    const url = `postgres://${DATABASE_USER}:${await passwordOf(cluster)}@127.0.0.1:${server?.port}/postgres`
    await migrateDatabase(url)
    return new BreakablePostgres(folder, cluster, url)
  }

  async isUp(): Promise<boolean> {
    return (await serverOf(this.#cluster)) !== null
  }

  async kill(): Promise<void> {
    await this.#signal('SIGKILL')
    while (await this.isUp()) await pause(20)
  }

  /** Stops its processes: connections stay open, and new ones get no response. */
  freeze(): Promise<void> {
    return this.#signal('SIGSTOP')
  }

  wake(): Promise<void> {
    return this.#signal('SIGCONT')
  }

  startAgain(): Promise<void> {
    return startServer(this.#cluster)
  }

  async stop(): Promise<void> {
    await this.wake().catch(() => {})
    if (await this.isUp()) await stopServer(this.#cluster)
    for (const place of [this.#cluster.place.folder, this.folder]) await rm(place, { recursive: true, force: true })
  }

  /** Signals all its processes, the postmaster first, because it would start others. */
  async #signal(signal: NodeJS.Signals): Promise<void> {
    const server = await serverOf(this.#cluster)
    if (!server) return
    const { pid } = server
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    for (const one of [pid, ...children.trim().split(' ').filter(Boolean).map(Number)]) {
      try {
        process.kill(one, signal)
      } catch {
        // This process has just ended.
      }
    }
  }
}
