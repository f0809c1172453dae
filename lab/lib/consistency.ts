import pg from 'pg'
import { brokenRules, sample } from '#testing/never.ts'
import type { Heard } from './load.ts'

/** What a database and what its visitors were told do not agree on, and what must never be in any. */
export async function untruths(databaseUrl: string, { bookings, unknown }: Heard): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const found = await brokenRules(client)
    const { rows } = await client.query('select id, user_id, class_id, status from bookings')
    const kept = new Map(rows.map((row) => [row.id, row]))
    const isSo = (id: number, { userId, classId, state }: { userId: string; classId: number; state: string }) => {
      const row = kept.get(id)
      if (row?.user_id !== userId || row.class_id !== classId) return false
      if (state === 'cancelling') return true
      return row.status === (state === 'booked' ? 'confirmed' : 'cancelled')
    }
    const lost = [...bookings].filter(([id, told]) => !isSo(id, told))
    if (lost.length > 0) found.push(`acknowledged and not so: ${sample(lost)}`)
    const secret = rows.filter(
      ({ id, user_id, class_id }) => !bookings.has(id) && !unknown.has(`${user_id} ${class_id}`),
    )
    if (secret.length > 0) found.push(`done although it was refused: ${sample(secret)}`)
    return found
  } finally {
    await client.end()
  }
}
