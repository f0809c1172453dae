import { open, statfs } from 'node:fs/promises'

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
