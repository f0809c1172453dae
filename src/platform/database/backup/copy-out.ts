import { createHash } from 'node:crypto'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { type CopiedTable, copiedTables, identifier, sequencesIn } from './catalog.ts'

const CHUNK_BYTES = 1024 * 1024
const NEWLINE = 0x0a

/** Fixes how PostgreSQL writes values as text, whatever the session's settings. */
export const STABLE_TEXT = `
  set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;`

/**
 * Copies a table as text, in the connection's open transaction and under {@link STABLE_TEXT}.
 *
 * @param source SQL in place of the table, with the same columns
 * @param take receives whole rows in pieces, one at a time
 */
export async function copyTable(
  client: pg.ClientBase,
  table: CopiedTable,
  take: (piece: Buffer) => Promise<void>,
  source = identifier(table.name),
): Promise<TableSum> {
  const columns = table.columns.map(identifier).join(', ')
  const text = `copy (select ${columns} from ${source} order by ${table.orderBy}) to stdout`
  const hash = createHash('sha256')
  const sum = { rows: 0, bytes: 0 }
  for await (const piece of wholeRows(client.query(copyTo(text)))) {
    hash.update(piece)
    sum.bytes += piece.length
    sum.rows += countRows(piece)
    await take(piece)
  }
  return { columns: table.columns, ...sum, sha256: hash.digest('hex') }
}

/** Splits text into pieces that end with a row. */
async function* wholeRows(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let bytes = 0
  for await (const chunk of source) {
    waiting.push(chunk)
    bytes += chunk.length
    const end = bytes < CHUNK_BYTES ? -1 : chunk.lastIndexOf(NEWLINE)
    if (end < 0) continue
    const all = Buffer.concat(waiting)
    const cut = all.length - chunk.length + end + 1
    yield all.subarray(0, cut)
    waiting = [all.subarray(cut)]
    bytes = all.length - cut
  }
  if (bytes > 0) yield Buffer.concat(waiting)
}

/** Line ends inside values are written as `\n`, so each one ends a row. */
export function countRows(text: Buffer): number {
  let rows = 0
  for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) rows++
  return rows
}

/** A comparison of a table, a sequence or a sum. */
export type Finding = { what: string; rows?: number; expected: string; found: string }

/** Compares a manifest's tables and sequences with the database: equal where `expected` is `found`. */
export async function compareTables(client: pg.ClientBase, manifest: Manifest, schemas?: string[]): Promise<Finding[]> {
  const tables = new Map((await copiedTables(client, schemas)).map((table) => [table.name, table]))
  const findings: Finding[] = []
  for (const [name, expected] of Object.entries(manifest.tables)) {
    const table = tables.get(name)
    const found = table && (await copyTable(client, { ...table, columns: expected.columns }, async () => {}))
    findings.push({
      what: name,
      rows: expected.rows,
      expected: inWords(expected),
      found: found ? inWords(found) : 'no such table',
    })
  }
  const sequences = await sequencesIn(client, schemas)
  for (const [name, expected] of Object.entries(manifest.sequences)) {
    findings.push({ what: name, expected: String(expected), found: String(sequences[name]) })
  }
  return findings
}

const inWords = ({ rows, sha256 }: { rows: number; sha256: string }) => `${rows} rows, ${sha256.slice(0, 12)}…`

/** Increases when older programs can no longer read the file. */
export const FORMAT = 1

const Digest = z.string().regex(/^[0-9a-f]{64}$/)

/** The rows, bytes and SHA-256 of a table's text. */
export const TableSum = z.object({ columns: z.array(z.string()), rows: z.int(), bytes: z.int(), sha256: Digest })
export type TableSum = z.output<typeof TableSum>

/** In backups of every format, so that a newer one can be named. */
export const AnyManifest = z.object({ format: z.int(), application: z.string() })

/** The last entry of a backup: what it is and what it must contain. */
export const Manifest = AnyManifest.extend({
  format: z.literal(FORMAT),
  /** The moment of the data. */
  takenAt: z.string(),
  /** The server's version. */
  postgres: z.string(),
  /** The migrations that had run, in order: they create the tables that the data fits, and name its baseline. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.record(z.string(), TableSum),
  /** The last value of each; null: none. */
  sequences: z.record(z.string(), z.int().nullable()),
  /** Sums to compare after a restore, by their description. */
  sums: z.record(z.string(), z.string()),
  holdsSecrets: z.boolean(),
})
export type Manifest = z.output<typeof Manifest>
