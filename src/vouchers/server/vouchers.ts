/** What the assembly and other parts may call of vouchers. */

export { codeOf, type EndedCode, endedCodes, endRestoredVouchers, rotateVoucherCodes } from './codes.ts'
export {
  eraseVouchersOf,
  forgetRecipients,
  freezeVoucherOf,
  thawVoucherOf,
  voidVoucherOf,
  voucherOfPurchaseForUpdate,
} from './end-vouchers.ts'
export { issueVoucher, refuseGift } from './issue-voucher.ts'
export { allVouchers, outstandingVouchers, type VoucherSums, voucherSums, vouchersOf } from './queries.ts'
export { type Card, mailedCard, remindBuyers, sendDueVouchers } from './send-vouchers.ts'
