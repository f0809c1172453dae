/** What the assembly and other parts may call of vouchers. */

export { codeOf, endedCodes, endRestoredVouchers, type EndedCode, rotateVoucherCodes } from './codes.ts'
export { issueVoucher } from './issue-voucher.ts'
export { outstandingVouchers, vouchersOf } from './queries.ts'
export { type Card, mailedCard, remindBuyers, sendDueVouchers } from './send-vouchers.ts'
export {
  eraseVouchersOf,
  forgetRecipients,
  freezeVoucherOf,
  thawVoucherOf,
  voidVoucherOf,
  voucherOfPurchaseForUpdate,
} from './end-vouchers.ts'
