import { appendFile, mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BackupRefused } from '#platform/database/backup/archive.ts'
import type { Reader } from '#platform/database/database.ts'
import { errnoOf } from '#platform/operator-error.ts'
import { erasedIds, type Withdrawal, withdrawalsIn } from '#privacy/server/privacy.ts'
import { type EndedCode, endedCodes } from '#vouchers/server/vouchers.ts'

/** The journal's name, next to the backups. */
const JOURNAL = 'erased.txt'

export const journalFile = (folder: string) => join(folder, JOURNAL)

/** What a restore must repeat: ids and times only, no personal data. */
export type Journal = { erased: string[]; withdrawals: Withdrawal[]; endedCodes: EndedCode[] }

const lineOf = ({ kind, userId, at }: Withdrawal) => `${kind} ${userId} ${at}`
const lineOfCode = ({ kind, hmac, at }: EndedCode) => `${kind} ${hmac} ${at}`

/**
 * Reads a journal. A line is the id of an erased member; `health` or `marketing`, the member's id and the time of the
 * withdrawal; or `redeemed` or `voided`, the HMAC of a voucher's code and the time. Empty if there is no file; an
 * incomplete line is ignored.
 *
 * @param options.mustExist the file was named by the operator
 */
export async function readJournal(file: string, options: { mustExist?: boolean } = {}): Promise<Journal> {
  const journal: Journal = { erased: [], withdrawals: [], endedCodes: [] }
  for (const line of await linesIn(file, options)) {
    const [, kind, userId, time] = /^(health|marketing) (\S+) (\S+Z)$/.exec(line) ?? []
    if ((kind === 'health' || kind === 'marketing') && userId && time) {
      journal.withdrawals.push({ kind, userId, at: Temporal.Instant.from(time) })
      continue
    }
    const [, end, hmac, at] = /^(redeemed|voided) ([0-9a-f]{64}) (\S+Z)$/.exec(line) ?? []
    if ((end === 'redeemed' || end === 'voided') && hmac && at) {
      journal.endedCodes.push({ kind: end, hmac, at: Temporal.Instant.from(at) })
    } else if (!line.includes(' ')) journal.erased.push(line)
  }
  return journal
}

export const mergeJournals = (journals: readonly Journal[]): Journal => ({
  erased: journals.flatMap(({ erased }) => erased),
  withdrawals: journals.flatMap(({ withdrawals }) => withdrawals),
  endedCodes: journals.flatMap(({ endedCodes }) => endedCodes),
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

/** Adds lines that the journal lacks; none is ever removed. Concurrent runs may add a line twice. */
export async function updateJournal(file: string, reader: Reader): Promise<void> {
  const lines = [
    ...(await erasedIds(reader)),
    ...(await withdrawalsIn(reader)).map(lineOf),
    ...(await endedCodes(reader)).map(lineOfCode),
  ]
  const known = new Set(await linesIn(file))
  const missing = lines.filter((line) => !known.has(line))
  if (missing.length === 0) return
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // An incomplete line stays separate, and is written again.
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
