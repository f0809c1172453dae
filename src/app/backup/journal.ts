import { appendFile, mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { BackupRefused } from '#platform/database/backup/archive.ts'
import type { Reader } from '#platform/database/database.ts'
import { errnoOf } from '#platform/operator-error.ts'
import { erasedIds, type Withdrawal, withdrawalsIn } from '#privacy/server/privacy.ts'
import { type Rights, rightsIn } from './rights.ts'

/** The journal's name, next to the backups. */
const JOURNAL = 'erased.txt'

export const journalFile = (folder: string) => join(folder, JOURNAL)

/** What a restore must repeat: ids, hashes and times only, no personal data. */
export type Journal = {
  erased: string[]
  withdrawals: Withdrawal[]
  /** Every right that was granted or refused at a moment; undefined where the journal does not say. */
  rights?: { at: Temporal.Instant; known: Rights }
}

const lineOf = ({ kind, userId, at }: Withdrawal) => `${kind} ${userId} ${at}`

/**
 * Reads a journal. A line is the id of an erased member; `health` or `marketing`, the member's id and the time of the
 * withdrawal; a right that came (`+teacher key`) or went (`-teacher key`); or `rights`, the time at which the lines
 * before it were complete, and of which kinds. Empty if there is no file; an incomplete line is ignored.
 *
 * @param options.mustExist the file was named by the operator
 */
export async function readJournal(file: string, options: { mustExist?: boolean } = {}): Promise<Journal> {
  const journal: Journal = { erased: [], withdrawals: [] }
  const lines = await linesIn(file, options)
  for (const line of new Set(lines)) {
    const [, kind, userId, time] = /^(health|marketing) (\S+) (\S+Z)$/.exec(line) ?? []
    if ((kind === 'health' || kind === 'marketing') && userId && time) {
      journal.withdrawals.push({ kind, userId, at: Temporal.Instant.from(time) })
    } else if (!/[ +]/.test(line)) journal.erased.push(line)
  }
  const [, at, kinds = ''] =
    /^rights (\S+Z) (.+)$/.exec(lines.findLast((line) => /^rights .+Z ./.test(line)) ?? '') ?? []
  if (at) journal.rights = { at: Temporal.Instant.from(at), known: rightsOf(lines, kinds.split(' ')) }
  return journal
}

/** The rights after all lines: of a key the last line counts. */
function rightsOf(lines: readonly string[], kinds: readonly string[] = []): Map<string, Map<string, object>> {
  const rights = new Map(kinds.map((kind) => [kind, new Map<string, object>()]))
  for (const line of lines) {
    const [, sign, kind = '', key] = /^([+-])(\w+) (\S+)$/.exec(line) ?? []
    if (!key) continue
    const keys = rights.get(kind) ?? new Map<string, object>()
    rights.set(kind, keys)
    if (sign === '+') keys.set(key, {})
    else keys.delete(key)
  }
  return rights
}

/** Of several journals' rights, the latest count. */
export const mergeJournals = (journals: readonly Journal[]): Journal => ({
  erased: journals.flatMap(({ erased }) => erased),
  withdrawals: journals.flatMap(({ withdrawals }) => withdrawals),
  rights: journals
    .flatMap(({ rights }) => rights ?? [])
    .toSorted((a, b) => Temporal.Instant.compare(a.at, b.at))
    .at(-1),
})

async function linesIn(file: string, options: { mustExist?: boolean } = {}): Promise<string[]> {
  try {
    const text = await readFile(file, 'utf8')
    return text.split('\n').flatMap((line) => line.trim() || [])
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && !options.mustExist) return []
    throw new BackupRefused(`${file} cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
}

/** Adds what the journal lacks; no line is ever removed. Concurrent runs may add a line twice. */
export async function updateJournal(file: string, reader: Reader): Promise<void> {
  const { rows } = await reader.execute<{ at: string }>(sql`select clock_timestamp()::text as at`)
  const lines = [...(await erasedIds(reader)), ...(await withdrawalsIn(reader)).map(lineOf)]
  const written = await linesIn(file)
  const known = new Set(written)
  const rights = await rightsIn(reader)
  const missing = [
    ...lines.filter((line) => !known.has(line)),
    ...changesOf(rightsOf(written), rights),
    `rights ${Temporal.Instant.from(String(rows[0]?.at))} ${[...rights.keys()].join(' ')}`,
  ]
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // An incomplete line stays separate, and is written again.
  await appendFile(file, `${(await endsInLine(file)) ? '' : '\n'}${missing.join('\n')}\n`, { mode: 0o600, flush: true })
}

/** A line for each right that came or went. */
function changesOf(before: Rights, now: Rights): string[] {
  const lines = (sign: string, from: Rights, to: Rights) =>
    [...to].flatMap(([kind, keys]) =>
      [...keys.keys()].filter((key) => !from.get(kind)?.has(key)).map((key) => `${sign}${kind} ${key}`),
    )
  return [...lines('-', now, before), ...lines('+', before, now)]
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
