import { apiClient, type For } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type * as codes from '../contract-codes.ts'
import type * as desk from '../contract-desk.ts'
import type * as payouts from '../contract-payouts.ts'

type Contract = typeof codes & typeof desk & typeof payouts & typeof contract

export const staffPaymentsApi = apiClient<For<Contract, 'admin'>>('payments', {
  recordSale: 'POST /api/admin/users/:id/purchases',
  sellVoucher: 'POST /api/admin/users/:id/vouchers',
  voidSale: 'DELETE /api/admin/users/:id/purchases/:purchaseId',
  listPromotionCodes: 'GET /api/admin/promotion-codes',
  createPromotionCode: 'POST /api/admin/promotion-codes',
  editPromotionCode: 'PUT /api/admin/promotion-codes/:id',
  endPromotionCode: 'DELETE /api/admin/promotion-codes/:id',
  getCardFees: 'GET /api/admin/card-fees',
  decideRefund: 'POST /api/admin/refunds/:id/decide',
  listPurchases: 'GET /api/admin/purchases',
  refundPurchase: 'POST /api/admin/purchases/:id/refund',
  refundByHand: 'POST /api/admin/purchases/:id/refunds',
})
