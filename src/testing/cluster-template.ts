import { chown, cp, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { findBinaries } from '#platform/database/embedded/binaries.ts'
import { clusterIn, ensureCluster } from '#platform/database/embedded/cluster.ts'
import { findPlace, placesOf } from '#platform/database/embedded/place.ts'

const INSIDE = 'postgres'

/** Creates an embedded cluster to be copied, as initdb takes a second. Returns its folder. */
export async function makeCluster(home: string): Promise<string> {
  const place = await findPlace(home, () => {})
  await ensureCluster(clusterIn(place, await findBinaries(place, () => {}), true), () => {})
  return place.folder
}

/** Copies the cluster into a DATA_DIR, unless PostgreSQL cannot access the temporary folder. */
export async function copyClusterTemplate(made: string, dataDir: string): Promise<void> {
  if (basename(made) !== INSIDE) return
  const folder = join(dataDir, INSIDE)
  await mkdir(dataDir, { recursive: true })
  await cp(made, folder, { recursive: true, verbatimSymlinks: true })
  if (process.getuid?.() !== 0) return
  // Root's copies belong to root; PostgreSQL needs its own user.
  const { uid, gid } = await stat(made)
  const names = await readdir(folder, { recursive: true })
  await Promise.all(['', ...names].map((name) => chown(join(folder, name), uid, gid)))
}

/** Removes a temporary DATA_DIR with its database. If PostgreSQL cannot access the folder, that is elsewhere. */
export async function removeDataDir(dataDir: string): Promise<void> {
  for (const folder of [dataDir, ...placesOf(dataDir)]) {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}
