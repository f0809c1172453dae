import { open } from 'node:fs/promises'

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
