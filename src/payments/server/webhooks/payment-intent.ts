import type { Listener } from './told-event.ts'

/** A payment was made, is on its way, failed or ended. */
export const paymentIntent: Listener = {
  events: [
    'payment_intent.succeeded',
    'payment_intent.processing',
    'payment_intent.payment_failed',
    'payment_intent.canceled',
  ],
  paymentOf: ({ id }) => id,
  whole: false,
}
