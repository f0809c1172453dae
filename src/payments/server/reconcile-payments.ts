import type { Database } from '../../server/database/database.ts'
import { isPayable } from '../rules.ts'
import type { Provider } from './provider.ts'
import { intentsLeftOpen } from './queries.ts'
import { settleIntent } from './settle-intent.ts'

/** How long browser and webhook have before we ask ourselves. */
const PATIENCE = { minutes: 1 }
/** A payment that nobody made within a day is ended at the provider. */
const ABANDONED_AFTER = { hours: 24 }

/**
 * Asks the provider about payments left open: the browser may have closed and the webhook may have missed us.
 * One that fails does not keep the others waiting. All are asked about: after a day they are closed, so they stay few.
 *
 * @param onError told about each payment that could not be settled; it is asked about again next time
 */
export async function reconcilePayments(
  database: Database,
  provider: Provider,
  now: Temporal.Instant,
  onError: (error: Error) => void,
): Promise<void> {
  const abandonedBefore = now.subtract(ABANDONED_AFTER)
  for (const intent of await intentsLeftOpen(database.db, now.subtract(PATIENCE))) {
    try {
      const known = await provider.look(intent.id)
      const isOver = Temporal.Instant.compare(intent.createdAt, abandonedBefore) < 0
      const ended = known && isPayable(known.status) && isOver ? await provider.abandon(intent.id) : known
      await settleIntent(database, intent.id, ended, now)
    } catch (error) {
      onError(new Error(`payment ${intent.id} could not be reconciled`, { cause: error }))
    }
  }
}
