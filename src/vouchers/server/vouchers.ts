/** What the assembly and other parts may call of vouchers. */

export {
  codeOf,
  type MailedVoucher,
  mailedVouchers,
  restoreMailed,
  rotateVoucherCodes,
} from './codes.ts'
export {
  eraseVouchersOf,
  forgetRecipients,
  freezeVoucherOf,
  thawVoucherOf,
  voidVoucherOf,
  voucherOfPurchaseForUpdate,
} from './end-vouchers.ts'
export {
  changeReservedVoucher,
  dropReservedVoucher,
  issueVoucher,
  refuseGift,
  reserveVoucher,
  sellReservedVoucher,
} from './issue-voucher.ts'
export { allVouchers, toVoucher, type VoucherSums, voucherSums, vouchersOf } from './queries.ts'
export { askBuyerOfUndelivered, type Card, mailedCard, remindBuyers, sendDueVouchers } from './send-vouchers.ts'
