import { appendFile, mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BackupRefused } from '#platform/database/backup/archive.ts'
import type { Reader } from '#platform/database/database.ts'
import { errnoOf } from '#platform/plain-fault.ts'
import { erasedIds, type Withdrawal, withdrawalsIn } from '#privacy/server/privacy.ts'

/** What the journal is called, beside the backups. */
export const JOURNAL = 'erased.txt'

export const journalIn = (folder: string) => join(folder, JOURNAL)

/** What a restore must repeat: ids and times, no name and nothing of what was erased. */
export type Journal = { erased: string[]; withdrawals: Withdrawal[] }

const lineOf = ({ kind, userId, at }: Withdrawal) => `${kind} ${userId} ${at}`

/**
 * Reads a journal: the id of an erased member a line, or `health` or `marketing`, the member's id and when they withdrew.
 * Empty where there is no file; a line that a crash cut short counts for nothing.
 *
 * @param options.mustExist it was asked for by its name
 */
export async function readJournal(file: string, options: { mustExist?: boolean } = {}): Promise<Journal> {
  const journal: Journal = { erased: [], withdrawals: [] }
  for (const line of await linesIn(file, options)) {
    const [, kind, userId, time] = /^(health|marketing) (\S+) (\S+Z)$/.exec(line) ?? []
    if ((kind === 'health' || kind === 'marketing') && userId && time) {
      journal.withdrawals.push({ kind, userId, at: Temporal.Instant.from(time) })
    } else if (!line.includes(' ')) journal.erased.push(line)
  }
  return journal
}

/** Several journals as one. */
export const together = (journals: readonly Journal[]): Journal => ({
  erased: journals.flatMap(({ erased }) => erased),
  withdrawals: journals.flatMap(({ withdrawals }) => withdrawals),
})

async function linesIn(file: string, options: { mustExist?: boolean } = {}): Promise<string[]> {
  try {
    const text = await readFile(file, 'utf8')
    return [...new Set(text.split('\n').filter((line) => line.trim() !== ''))].map((line) => line.trim())
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && !options.mustExist) return []
    throw new BackupRefused(`${file} cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
}

/**
 * Adds to the journal which members were erased and what members withdrew, as far as the database knows it and the journal
 * does not. Lines are only ever added. May run twice, and at the same time as itself: a line may then stand there twice.
 */
export async function bringJournalUpToDate(file: string, reader: Reader): Promise<void> {
  const lines = [...(await erasedIds(reader)), ...(await withdrawalsIn(reader)).map(lineOf)]
  const known = new Set(await linesIn(file))
  const missing = lines.filter((line) => !known.has(line))
  if (missing.length === 0) return
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // A line that a crash cut short stays alone, and is written again.
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
