import { statfs } from 'node:fs/promises'

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
