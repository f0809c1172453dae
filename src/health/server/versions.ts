import { sql } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { onlyRow } from '#platform/database/only-row.ts'
import type { Place } from './vault.ts'

/** The version of a save that is about to be sealed; none comes twice. */
export async function nextVersion(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ version: number }>(sql`select nextval('health_versions')::int as version`)
  return onlyRow(rows).version
}

/** The id that the next health update will have, and its version: what is sealed in it names both. */
export async function nextUpdate(tx: Tx): Promise<{ id: number; version: number }> {
  const { rows } = await tx.execute<{ id: number; version: number }>(sql`
    select nextval(pg_get_serial_sequence('health_updates', 'id'))::int as id, nextval('health_versions')::int as version`)
  return onlyRow(rows)
}

/** Where a member's questionnaire or emergency contact stands: each has one row of each, and its id is theirs. */
export const ofMember = ({ userId, version }: { userId: string; version: number | null }): Place => ({
  owner: userId,
  row: userId,
  version,
})

/** Where what changed stands in the list of a member's saves. */
export const ofUpdate = ({ id, userId, version }: { id: number; userId: string; version: number | null }): Place => ({
  owner: userId,
  row: id,
  version,
})
