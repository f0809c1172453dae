import { createHash } from 'node:crypto'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type CopiedTable, identifier } from './catalog.ts'
import type { TableSum } from './manifest.ts'

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
