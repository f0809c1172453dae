import { type Listener, paymentBehind } from './told-event.ts'

/** A refund was made, here or there, arrived or failed. */
export const refund: Listener = {
  events: ['refund.created', 'refund.updated', 'refund.failed', 'charge.refunded'],
  paymentOf: paymentBehind,
  whole: true,
}
