import type { Database } from '../../../server/database/database.ts'
import type { Provider } from '../provider.ts'
import { findIntent } from '../queries.ts'
import { settleIntent } from '../settle-intent.ts'

/**
 * `payment_intent.succeeded` and `payment_intent.canceled`. The event only says that something happened; how the
 * payment stands now is asked of the provider, since events come late, twice and out of order.
 */
export async function onPaymentIntent(
  database: Database,
  provider: Provider,
  intentId: string,
  now: Temporal.Instant,
): Promise<void> {
  const intent = await findIntent(database.db, intentId)
  // Another application may share the provider's account.
  if (intent?.state !== 'open') return
  await settleIntent(database, intentId, await provider.look(intentId), now)
}
