import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'

export const vouchersApi = apiClient<typeof contract>('vouchers', {
  redeemVoucher: 'POST /api/vouchers/redeem',
  sendOwnVoucher: 'POST /api/user/vouchers/:id/send',
  listVouchers: 'GET /api/admin/vouchers',
  getOutstandingVouchers: 'GET /api/admin/vouchers/outstanding',
  sendVoucher: 'POST /api/admin/vouchers/:id/send',
  extendVoucher: 'PUT /api/admin/vouchers/:id',
  voidVoucher: 'DELETE /api/admin/vouchers/:id',
})
