import { createHash } from 'node:crypto'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { type CopiedTable, copiedTables, identifier, sequencesIn } from './catalog.ts'

/** Whole rows are handed on when there is about this much of them. */
const CHUNK_BYTES = 1024 * 1024
const NEWLINE = 0x0a

/** How PostgreSQL writes values as text: settings of the session must not change it. */
export const SAME_TEXT = `
  set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;`

/**
 * Copies a table as text, in the transaction that the connection has open and under {@link SAME_TEXT}.
 *
 * @param source SQL in the table's place, with the same columns
 * @param take given the text in pieces of whole rows; the next comes when it is done with one
 */
export async function copyOut(
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

/** Cuts a text of rows into pieces that end with a row. */
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

/** A line end inside a value is written as `\n`, so each one ends a row. */
export function countRows(text: Buffer): number {
  let rows = 0
  for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) rows++
  return rows
}

/** One thing that was looked at: a table, the sequences or a sum. */
export type Finding = { what: string; rows?: number; expected: string; found: string }

/**
 * Looks at every table and sequence of a manifest as they are in the database now, in the transaction that the client has
 * open.
 *
 * @returns a finding each; it is as it should be where `expected` is what was `found`
 */
export async function compareTables(client: pg.ClientBase, manifest: Manifest, schemas?: string[]): Promise<Finding[]> {
  const tables = new Map((await copiedTables(client, schemas)).map((table) => [table.name, table]))
  const findings: Finding[] = []
  for (const [name, expected] of Object.entries(manifest.tables)) {
    const table = tables.get(name)
    const found = table && (await copyOut(client, { ...table, columns: expected.columns }, async () => {}))
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

/** Counts up when a program that knows the earlier format could not read the file. */
export const FORMAT = 1

const Digest = z.string().regex(/^[0-9a-f]{64}$/)

/** What a table's text is: its rows, its bytes and their SHA-256. */
export const TableSum = z.object({ columns: z.array(z.string()), rows: z.int(), bytes: z.int(), sha256: Digest })
export type TableSum = z.output<typeof TableSum>

/** What stands in a backup of any format, so that a newer one can be named. */
export const AnyManifest = z.object({ format: z.int(), application: z.string() })

/** The last entry of a backup: what it is and what must come out of it. */
export const Manifest = AnyManifest.extend({
  format: z.literal(FORMAT),
  /** The moment that the data shows. */
  takenAt: z.string(),
  /** The server's version, as it says it. */
  postgres: z.string(),
  /** Those that had run, in their order: they make the tables that the data fits. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.record(z.string(), TableSum),
  /** The last number each gave; null: none. */
  sequences: z.record(z.string(), z.int().nullable()),
  /** What must add up, in words, and what it was. */
  sums: z.record(z.string(), z.string()),
  holdsSecrets: z.boolean(),
})
export type Manifest = z.output<typeof Manifest>
