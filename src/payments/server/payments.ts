/** What the assembly and other parts may call of payments. */

export { activatePurchase } from './activate-purchase.ts'
export { saveIntent } from './begin-payment.ts'
export { requestBeginForPlaces } from './begin-requests.ts'
export {
  countOpenPayments,
  countTroubledRefunds,
  failedReturns,
  feesKept,
  mismatchedPayments,
  type PaymentConcern,
  sendRefundAgain,
  unreadPayments,
  unsentRefunds,
} from './concerns.ts'
export { erasePurchases } from './erase-purchases.ts'
export { Paper } from './paper/paper.ts'
export { voucherPdf } from './paper/voucher-card.ts'
export { type Provider, stripeClient, stripeProvider } from './provider.ts'
export { countPurchases, isFailedForGood, methodOf, soldPackage } from './purchases.ts'
export { readCardFees } from './read-card-fees.ts'
export { reconcilePayments, retryUnreadPayments, schedulePollOfPayments } from './reconcile-payments.ts'
export { recordSale } from './record-sale.ts'
export { sendRefund } from './refunds.ts'
export { syncPaymentInTransaction } from './sync-payment.ts'
