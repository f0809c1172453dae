import { appendFile, mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BackupRefused } from '../../platform/database/backup/archive.ts'
import type { Reader } from '../../platform/database/database.ts'
import { errnoOf } from '../../platform/errno.ts'
import { erasedIds } from '../../privacy/server/privacy.ts'

/** What the journal is called, beside the backups. */
export const JOURNAL = 'erased.txt'

export const journalIn = (folder: string) => join(folder, JOURNAL)

/**
 * The ids in a journal of who was erased, a line each; none where there is no file.
 *
 * @param options.mustExist it was asked for by its name
 */
export async function readJournal(file: string, options: { mustExist?: boolean } = {}): Promise<string[]> {
  try {
    const text = await readFile(file, 'utf8')
    return [...new Set(text.split('\n').filter((line) => line.trim() !== ''))].map((line) => line.trim())
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && !options.mustExist) return []
    throw new BackupRefused(`${file} cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
}

/**
 * Adds to the journal whom the database knows as erased and it does not. Lines are only ever added, and it holds nothing
 * but ids. May run twice, and at the same time as itself: an id may then stand there twice.
 */
export async function bringJournalUpToDate(file: string, reader: Reader): Promise<void> {
  const ids = await erasedIds(reader)
  const known = new Set(await readJournal(file))
  const missing = ids.filter((id) => !known.has(id))
  if (missing.length === 0) return
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // A line that a crash cut short stays alone, and its id is written again.
  await appendFile(file, `${(await endsInLine(file)) ? '' : '\n'}${missing.join('\n')}\n`, { mode: 0o600, flush: true })
}

async function endsInLine(file: string): Promise<boolean> {
  const handle = await open(file, 'r').catch(() => undefined)
  if (!handle) return true
  try {
    const { size } = await handle.stat()
    if (size === 0) return true
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
    return buffer.toString() === '\n'
  } finally {
    await handle.close()
  }
}
