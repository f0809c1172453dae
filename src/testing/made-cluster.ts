import { chown, cp, mkdir, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { findBinaries } from '#platform/database/embedded/binaries.ts'
import { clusterIn, ensureCluster } from '#platform/database/embedded/cluster.ts'
import { findPlace } from '#platform/database/embedded/place.ts'

/** PostgreSQL's folder in a DATA_DIR it can enter. */
const INSIDE = 'postgres'

/** Makes an embedded cluster that is never started, to be copied: initdb is a second of processor time. Answers its folder. */
export async function makeCluster(home: string): Promise<string> {
  const place = await findPlace(home, () => {})
  await ensureCluster(clusterIn(place, await findBinaries(place, () => {}), true), () => {})
  return place.folder
}

/**
 * Gives a DATA_DIR what {@link makeCluster}'s folder holds, as after a first start that ended before PostgreSQL ran.
 * Where PostgreSQL cannot enter the temporary folder nothing is copied: each start finds a place of its own.
 */
export async function copyCluster(made: string, dataDir: string): Promise<void> {
  if (basename(made) !== INSIDE) return
  const folder = join(dataDir, INSIDE)
  await mkdir(dataDir, { recursive: true })
  await cp(made, folder, { recursive: true, verbatimSymlinks: true })
  if (process.getuid?.() !== 0) return
  // Root's copies are root's; PostgreSQL runs as whoever owns the files.
  const { uid, gid } = await stat(made)
  const names = await readdir(folder, { recursive: true })
  await Promise.all(['', ...names].map((name) => chown(join(folder, name), uid, gid)))
}
