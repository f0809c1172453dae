import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Disk space in bytes; `free` is what an ordinary user may still use. */
export type DiskSpace = { free: number; total: number }

/** The space on the disk that holds a folder; undefined where the system does not report it. */
export async function diskSpace(folder: string): Promise<DiskSpace | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free: bavail * bsize, total: blocks * bsize }
  } catch {
    return undefined
  }
}

/** Flushes a file or folder to the disk, so that it survives a power cut. Windows cannot sync folders. */
export async function persist(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const DRAFT = /\.partial-[0-9a-f]{8}$/
const ABANDONED_MS = 24 * 3_600_000

/**
 * Writes a file atomically: to a draft, flushed to the disk, then renamed. Until then readers see the previous one.
 *
 * @param write fills the draft, which it creates
 */
export async function writeWhole<Result>(file: string, write: (draft: string) => Promise<Result>): Promise<Result> {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.partial-${randomBytes(4).toString('hex')}`
  try {
    const result = await write(draft)
    await persist(draft)
    await rename(draft, file)
    await persist(folder)
    return result
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Removes drafts that were never finished. */
export async function removeOldDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!DRAFT.test(name)) continue
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(join(folder, name), { force: true })
  }
}
