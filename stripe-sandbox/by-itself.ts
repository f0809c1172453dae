/** What happens without a request: bank debits arrive or fail, refunds end. */
import type pg from 'pg'
import { debitSettled } from './payment-intents.ts'
import { refundSettled } from './refunds.ts'
import { inTransaction, takeLater } from './store.ts'

/** Does what is due. Answers how many things happened. */
export async function happenByItself(pool: pg.Pool, now: Date): Promise<number> {
  return await inTransaction(pool, async (tx) => {
    const due = await takeLater(tx)
    const cause = { now, requestId: null, idempotencyKey: null }
    for (const { what, id } of due) await (what === 'debit' ? debitSettled : refundSettled)(tx, cause, id)
    return due.length
  })
}
