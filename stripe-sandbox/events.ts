/** Events are stored in the transaction of their cause; delivery.ts posts them. */
import Stripe from 'stripe'
import type { Happening } from './happenings.ts'
import { newId } from './ids.ts'
import { seconds } from './objects.ts'
import type { Tx } from './store.ts'

/** The request behind an event; what happens by itself has none. */
export interface Cause {
  now: Date
  requestId: string | null
  idempotencyKey: string | null
}

/** Stores one event for each happening, in their order. */
export async function recordEvents(tx: Tx, happenings: Happening[], cause: Cause): Promise<void> {
  for (const { type, object } of happenings) {
    const event = {
      id: newId('evt'),
      object: 'event',
      api_version: Stripe.API_VERSION,
      created: seconds(cause.now),
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      request: { id: cause.requestId, idempotency_key: cause.idempotencyKey },
      type,
    }
    await tx.query('insert into sandbox.events (id, created, type, body) values ($1, $2, $3, $4)', [
      event.id,
      event.created,
      type,
      JSON.stringify(event),
    ])
  }
}
