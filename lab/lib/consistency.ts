import { brokenInvariants, sample } from '#testing/invariants.ts'
import type { LoadResult } from './load.ts'
import { connected } from './own-postgres.ts'

/** Contradictions between the database and acknowledged responses, and broken invariants. */
export async function inconsistencies(databaseUrl: string, { bookings, unknown }: LoadResult): Promise<string[]> {
  return await connected(databaseUrl, async (client) => {
    const found = await brokenInvariants(client)
    const { rows } = await client.query('select id, user_id, class_id, status from bookings')
    const kept = new Map(rows.map((row) => [row.id, row]))
    const isSo = (id: number, { userId, classId, state }: { userId: string; classId: number; state: string }) => {
      const row = kept.get(id)
      if (row?.user_id !== userId || row.class_id !== classId) return false
      if (state === 'cancelling') return true
      return row.status === (state === 'booked' ? 'confirmed' : 'cancelled')
    }
    const lost = [...bookings].filter(([id, acknowledged]) => !isSo(id, acknowledged))
    if (lost.length > 0) found.push(`acknowledged but not in the database: ${sample(lost)}`)
    const unexpected = rows.filter(
      ({ id, user_id, class_id }) => !bookings.has(id) && !unknown.has(`${user_id} ${class_id}`),
    )
    if (unexpected.length > 0) found.push(`done although refused: ${sample(unexpected)}`)
    return found
  })
}
