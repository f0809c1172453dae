import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { readArchive } from './archive.ts'
import { identifier } from './catalog.ts'
import type { Manifest } from './manifest.ts'
import { setAside } from './set-aside.ts'
import { tableOf } from './whole-backup.ts'

/**
 * Fills empty tables from a backup that was found whole, sequences included, in the transaction that the connection has
 * open. Every reference is looked at again afterwards.
 *
 * @param leaveOut whether a table, or a sequence, stays as it is
 */
export async function loadBackup(
  client: pg.ClientBase,
  backup: { file: string; identities: readonly string[]; manifest: Manifest },
  leaveOut: (name: string) => boolean,
): Promise<void> {
  const { file, identities, manifest } = backup
  const putBack = await setAside(client)
  for await (const { name, content } of readArchive(file, identities)) {
    const table = tableOf(name)
    const columns = table && manifest.tables[table]?.columns.map(identifier).join(', ')
    if (!columns || leaveOut(table)) continue
    const text = `copy ${identifier(table)} (${columns}) from stdin`
    await pipeline(Readable.from([content]), client.query(copyFrom(text)))
  }
  for (const [sequence, last] of Object.entries(manifest.sequences)) {
    if (last !== null && !leaveOut(sequence))
      await client.query('select setval($1::regclass, $2)', [identifier(sequence), last])
  }
  await putBack()
  // Without figures of what is in them PostgreSQL would read whole tables for a while.
  await client.query('analyze')
}
