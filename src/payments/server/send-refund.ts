import { eq } from 'drizzle-orm'
import type { Database } from '#platform/database/database.ts'
import { refunds } from '../tables.ts'
import { advance, giveUp } from './apply-refunds.ts'
import { partyOf } from './notices.ts'
import type { Provider } from './provider.ts'
import { intentForUpdate } from './queries.ts'

/**
 * Sends a refund that was decided. May run twice and after any crash: the provider is asked first whether it has this
 * refund already. One that it will never make is given up, and both are told.
 */
export async function sendRefund(
  database: Database,
  provider: Provider,
  refundId: number,
  now: Temporal.Instant,
): Promise<void> {
  const [waiting] = await database.db.select().from(refunds).where(eq(refunds.id, refundId))
  if (waiting?.status !== 'decided') return
  const { paymentIntentId } = waiting
  if (paymentIntentId === null) return
  const answer = await provider.refund({ ...waiting, paymentIntentId })
  await database.transaction(async (tx) => {
    const intent = await intentForUpdate(tx, paymentIntentId)
    const [row] = await tx.select().from(refunds).where(eq(refunds.id, refundId))
    if (!intent || row?.status !== 'decided') return
    const party = await partyOf(tx, intent)
    if ('refused' in answer) await giveUp(tx, party, row, answer.refused, now)
    else await advance(tx, party, row, answer, now)
  })
}
