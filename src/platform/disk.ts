import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Room on a disk, in bytes; `free` is what an ordinary user may still fill. */
export type DiskSpace = { free: number; total: number }

/** The room on the disk that holds a folder; undefined where the system does not say. */
export async function diskSpace(folder: string): Promise<DiskSpace | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free: bavail * bsize, total: blocks * bsize }
  } catch {
    return undefined
  }
}

/** Sees a file or folder written to the disk itself, so that a power cut leaves it whole. Windows syncs no folders. */
export async function persist(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** What a file is called until it is whole. */
const DRAFT = /\.partial-[0-9a-f]{8}$/
/** A draft that is older than this is nobody's work any more. */
const ABANDONED_MS = 24 * 3_600_000

/**
 * Writes a file that is there only when it is whole: under another name, onto the disk itself, then renamed. Whoever
 * looks at it meanwhile, or after a crash, finds nothing or what was there before.
 *
 * @param write fills the draft, which it makes itself
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

/** Removes what was left of files that were never finished. */
export async function removeOldDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!DRAFT.test(name)) continue
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(join(folder, name), { force: true })
  }
}
