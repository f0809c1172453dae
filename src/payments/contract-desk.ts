import { z } from 'zod'
import { accountRefusals } from '#accounts/contract.ts'
import { keysOf } from '#foundation/collections.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { AmountInput, Id, optionalText, PathId, UserPathId } from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import { AdminVoucher, Gift, GiftFields, voucherRefusals } from '#vouchers/contract.ts'
import { DESK_METHODS, type DeskMethod, Purchase, paymentRefusals } from './contract.ts'

/** Sold face to face: a contract on the studio's premises, without a statutory right to cancel. */
export const FACE_TO_FACE: readonly DeskMethod[] = ['cash', 'card_reader']

export const deskRefusals = refusals({
  package_already_held: [400, 'This member already holds this package. It can be bought once per member.'],
  sale_amount_missing: [400, 'A sale needs an amount. To give a pass without payment, gift credits.'],
  void_card_payment: [400, 'Only a sale that was recorded at the desk can be voided. This one can be refunded.'],
  already_voided: [400, 'This sale has been voided already.'],
  void_after_refund: [400, 'Money of this sale has been given back, so it cannot be voided any more.'],
  void_too_late: [400, 'A sale can be voided on the day it was recorded. Please refund it instead.'],
  void_pass_used: [400, 'This pass has been used, so the sale cannot be voided. Please cancel the booking first.'],
})

const method = z.enum(keysOf(DESK_METHODS), 'Please choose how it was paid')
const amount = AmountInput('Please enter an amount in pounds', {
  pence: 1,
  message: 'Amount must be greater than 0. To give a pass without payment, gift credits.',
})
const note = optionalText(500)

/** A desk sale as sent; without an amount it costs the package's price. */
export const Sale = z.object({ packageId: Id, method, amount: amount.nullish(), note })
export type Sale = z.output<typeof Sale>
export const SaleForm = z.object({ packageId: z.string().min(1, 'Package is required'), method, amount, note })
export const VoucherSaleForm = SaleForm.extend(GiftFields.shape)

export const recordSale = endpoint('POST /api/admin/users/:id/purchases', {
  summary:
    'Record a sale at the desk: pass and receipt at once; `amount` in pounds, or the package’s price. Hidden packages can be sold',
  params: UserPathId,
  body: Sale,
  response: Purchase,
  status: 201,
  refusals: [
    accountRefusals.user_not_found,
    accountRefusals.account_blocked,
    packageRefusals.package_not_found,
    deskRefusals.package_already_held,
    deskRefusals.sale_amount_missing,
  ],
})

export const sellVoucher = endpoint('POST /api/admin/users/:id/vouchers', {
  summary: 'Sell a member a gift voucher at the desk: emailed to the recipient on its day, or to the buyer to print',
  params: UserPathId,
  body: Sale.extend({ gift: Gift }),
  response: AdminVoucher,
  status: 201,
  refusals: [
    accountRefusals.user_not_found,
    accountRefusals.account_blocked,
    packageRefusals.package_not_found,
    deskRefusals.sale_amount_missing,
    voucherRefusals.voucher_once_only,
    voucherRefusals.voucher_day_impossible,
  ],
})

export const voidSale = endpoint('DELETE /api/admin/users/:id/purchases/:purchaseId', {
  summary: 'Void a sale recorded at the desk today whose pass is unused; it stays on record but is not revenue',
  params: UserPathId.extend({ purchaseId: PathId.shape.id }),
  says: 'Sale voided',
  refusals: [
    paymentRefusals.purchase_not_found,
    deskRefusals.void_card_payment,
    deskRefusals.already_voided,
    deskRefusals.void_after_refund,
    deskRefusals.void_too_late,
    deskRefusals.void_pass_used,
  ],
})
