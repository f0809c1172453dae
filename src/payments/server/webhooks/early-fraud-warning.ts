import { type Listener, paymentBehind } from './told-event.ts'

/** A card network believes that the card's holder did not pay: a dispute may follow. */
export const earlyFraudWarning: Listener = {
  events: ['radar.early_fraud_warning.created', 'radar.early_fraud_warning.updated'],
  paymentOf: paymentBehind,
  whole: true,
}
