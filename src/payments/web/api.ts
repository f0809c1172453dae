import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type * as begin from '../contract-begin.ts'
import type * as codes from '../contract-codes.ts'
import type * as desk from '../contract-desk.ts'
import type * as payouts from '../contract-payouts.ts'
import type * as receipts from '../contract-receipts.ts'

export const paymentsApi = apiClient<
  typeof begin & typeof codes & typeof desk & typeof receipts & typeof payouts & typeof contract
>('payments', {
  requestBegin: 'POST /api/user/begin-requests',
  requestBeginForPayment: 'PUT /api/user/payments/:id/begin-request',
  listBeginOffers: 'GET /api/user/begin-requests',
  withdrawBeginRequest: 'DELETE /api/user/purchases/:id/begin-request',
  recordSale: 'POST /api/admin/users/:id/purchases',
  sellVoucher: 'POST /api/admin/users/:id/vouchers',
  voidSale: 'DELETE /api/admin/users/:id/purchases/:purchaseId',
  listOwnPurchases: 'GET /api/user/purchases',
  listPaymentsUnderway: 'GET /api/user/payments',
  createPaymentIntent: 'POST /api/create-payment-intent',
  getQuote: 'GET /api/checkout/quote',
  buyForFree: 'POST /api/checkout/free',
  listPromotionCodes: 'GET /api/admin/promotion-codes',
  createPromotionCode: 'POST /api/admin/promotion-codes',
  editPromotionCode: 'PUT /api/admin/promotion-codes/:id',
  endPromotionCode: 'DELETE /api/admin/promotion-codes/:id',
  getCardFees: 'GET /api/admin/card-fees',
  decideRefund: 'POST /api/admin/refunds/:id/decide',
  getPaymentSetup: 'GET /api/payment-setup',
  listPurchases: 'GET /api/admin/purchases',
  purchasePackage: 'POST /api/purchase-package',
  refundPurchase: 'POST /api/admin/purchases/:id/refund',
})
