import { apiClient, type For } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type * as begin from '../contract-begin.ts'
import type * as codes from '../contract-codes.ts'
import type * as receipts from '../contract-receipts.ts'

type Contract = typeof begin & typeof codes & typeof receipts & typeof contract

export const paymentsApi = apiClient<For<Contract, 'anyone' | 'member'>>('payments', {
  requestBegin: 'POST /api/user/begin-requests',
  confirmOrder: 'PUT /api/user/payments/:id/confirmation',
  endOrder: 'DELETE /api/user/payments/:id',
  listBeginOffers: 'GET /api/user/begin-requests',
  withdrawBeginRequest: 'DELETE /api/user/purchases/:id/begin-request',
  listOwnPurchases: 'GET /api/user/purchases',
  listPaymentsUnderway: 'GET /api/user/payments',
  createPaymentIntent: 'POST /api/create-payment-intent',
  getQuote: 'GET /api/checkout/quote',
  buyForFree: 'POST /api/checkout/free',
  getPaymentSetup: 'GET /api/payment-setup',
  purchasePackage: 'POST /api/purchase-package',
})
