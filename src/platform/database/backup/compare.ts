import type pg from 'pg'
import { copiedTables, sequencesIn } from './catalog.ts'
import { copyOut } from './copy-out.ts'
import type { Manifest } from './manifest.ts'

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
