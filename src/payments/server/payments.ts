/** What the assembly and other parts may call of payments. */

export { activatePurchase } from './activate-purchase.ts'
export { rememberIntent } from './begin-payment.ts'
export { requestToBegin } from './begin-requests.ts'
export {
  failedReturns,
  feesKept,
  mismatchedPayments,
  openPayments,
  type PaymentConcern,
  sendRefundAgain,
  troubledRefunds,
  unreadPayments,
  unsentRefunds,
} from './concerns.ts'
export { erasePurchases, forgetSaleNotes } from './erase-purchases.ts'
export { type Provider, stripeClient, stripeProvider } from './provider.ts'
export { countPurchases, isFailedForGood, methodOf } from './purchases.ts'
export { lookAgainAtPayments, readPaymentsAgain, reconcilePayments } from './reconcile-payments.ts'
export { recordSale } from './record-sale.ts'
export { sendRefund } from './refunds.ts'
export { followPurchase } from './sync-payment.ts'
