import { type Listener, paymentBehind } from './told-event.ts'

/** A bank asks back what its customer paid, or has decided; money went with it. */
export const chargeDispute: Listener = {
  events: [
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.closed',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.funds_reinstated',
  ],
  paymentOf: paymentBehind,
  whole: true,
}
