/** Events are stored in the transaction of their cause; delivery.ts posts them. */
import Stripe from 'stripe'
import { newId, seconds } from './objects.ts'
import type { StripeObject } from './shapes.ts'
import type { Tx } from './store.ts'

export type EventType =
  | 'payment_intent.created'
  | 'payment_intent.processing'
  | 'payment_intent.succeeded'
  | 'payment_intent.payment_failed'
  | 'payment_intent.canceled'
  | 'charge.refunded'
  | 'refund.created'
  | 'refund.updated'
  | 'refund.failed'
  | 'charge.dispute.created'
  | 'charge.dispute.updated'
  | 'charge.dispute.closed'
  | 'charge.dispute.funds_withdrawn'
  | 'charge.dispute.funds_reinstated'
  | 'radar.early_fraud_warning.created'

/** Stores an event with the object as it is now. */
export async function recordEvent(tx: Tx, type: EventType, object: StripeObject, now: Date): Promise<void> {
  const event = {
    id: newId('evt'),
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: seconds(now),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  }
  await tx.query('insert into sandbox.events (id, created, type, body) values ($1, $2, $3, $4)', [
    event.id,
    event.created,
    type,
    JSON.stringify(event),
  ])
}
