/** What the assembly and other parts may call of payments. */

export { activatePurchase } from './activate-purchase.ts'
export { rememberIntent } from './begin-payment.ts'
export { requestToBegin } from './begin-requests.ts'
export {
  failedReturns,
  feesKept,
  mismatchedPayments,
  type PaymentConcern,
  sendRefundAgain,
  unreadPayments,
  unsentRefunds,
} from './concerns.ts'
export { erasePurchases, forgetSaleNotes } from './erase-purchases.ts'
export { openPayments, troubledRefunds } from './figures.ts'
export { lookAgainAtPayments, readPaymentsAgain } from './look-again.ts'
export { type Provider, stripeProvider } from './provider.ts'
export { countPurchases, isFailedForGood, methodOf } from './purchases.ts'
export { reconcilePayments } from './reconcile-payments.ts'
export { recordSale } from './record-sale.ts'
export { sendRefund } from './send-refund.ts'
export { stripeClient } from './stripe-client.ts'
export { followPurchase } from './sync-payment.ts'
