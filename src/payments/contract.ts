import { z } from 'zod'
import { accountRefusals } from '#accounts/contract.ts'
import { STEP_UP_AFTER_MINUTES } from '#accounts/rules.ts'
import { keysOf } from '#foundation/collections.ts'
import { endpoint } from '#foundation/endpoint.ts'
import {
  AmountInput,
  AmountText,
  DateText,
  Flag,
  FlagText,
  Id,
  InstantText,
  Paging,
  PathId,
  requiredText,
} from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import { Pass } from '#passes/contract.ts'
import { studio } from '#studio.ts'
import { Gift, Voucher, voucherRefusals } from '#vouchers/contract.ts'
import { CODE_REFUSALS, CodeTyped, codeRefusals } from './code-refusals.ts'

export const paymentRefusals = refusals({
  payments_disabled: [503, 'Payment processing is temporarily disabled.'],
  package_not_on_sale: [400, 'This package is not on sale at the moment.'],
  price_changed: [400, 'The price of this package has changed. Please try again with the new price.'],
  package_already_held: [400, 'You already hold this package. It can be bought once per member.'],
  payment_provider_unreachable: [503, 'Failed to initialize payment. Please try again.'],
  payment_not_found: [404, 'Payment not found.'],
  payment_incomplete: [400, 'This payment has not been completed.'],
  payment_ended: [409, 'This order has ended. Please check it and try again.'],
  payment_confirmed_elsewhere: [409, 'You are paying for this order in another tab. Please finish there.'],
  payment_processing: [409, 'Your payment is on its way. We will email you as soon as it has arrived.'],
  /** The only 410s: the checkout shows them as a success. */
  payment_already_completed: [410, 'Your payment has arrived, and your class pass is active.'],
  voucher_already_paid: [410, 'Your payment has arrived, and your gift voucher is ready.'],
  payment_mismatch_returned: [400, 'This payment does not match the package, so it is being returned to you in full.'],
  payment_mismatch: [400, 'This payment does not match the package. Please contact support.'],
  purchase_not_found: [404, 'Purchase not found.'],
  already_refunded: [400, 'This purchase has been refunded already.'],
  refund_sale_voided: [400, 'This sale was voided, so there is nothing to refund.'],
  refund_payment_lost: [400, 'The bank has taken this payment back.'],
  refund_while_disputed: [400, 'A bank is looking into this payment, so it cannot be refunded until that is decided.'],
  refund_exceeds_payment: [400, 'You can refund at most what is left of the payment.'],
  insufficient_credits: [400, 'The pass does not hold that many credits.'],
  refund_not_found: [404, 'Refund not found.'],
  refund_already_decided: [400, 'There is nothing to decide about this refund any more.'],
  refund_pass_used: [400, 'This pass has been used, so it cannot be refunded.'],
  refund_too_late: [400, `A pass can be refunded within ${studio.policies.refundDays} days of buying it.`],
  refund_pass_deleted: [400, 'The member has been deleted, and the pass with them.'],
  blocked_purchase_refunded: [400, 'Your account is on hold, so your payment has been refunded in full.'],
  refund_day_impossible: [400, 'Please choose a day from the day of the sale until today.'],
  no_right_to_cancel: [400, 'By law this sale can no longer be cancelled, so the refund policy decides.'],
  refund_of_nothing: [400, 'Nothing was paid for this purchase, so there is nothing to refund.'],
  duplicate_purchase_refunded: [400, 'You already hold this package, so your payment has been refunded in full.'],
})

export const getPaymentSetup = endpoint('GET /api/payment-setup', {
  who: 'anyone',
  summary: 'What the checkout needs: Stripe with its publishable key, the sandbox, or nothing (payments disabled)',
  response: z.object({
    provider: z.enum(['stripe', 'sandbox', 'disabled']),
    publishableKey: z.string().nullable(),
    /** Present if the member's regular bookings use new credits from tonight. */
    isUsedTonight: z.boolean().optional(),
  }),
})

/** Why a package cannot be bought as a gift. */
export const GIFT_REFUSALS = [voucherRefusals.voucher_once_only, voucherRefusals.voucher_day_impossible] as const

const AMOUNT = 'Amount must be greater than 0'
export const createPaymentIntent = endpoint('POST /api/create-payment-intent', {
  who: 'member',
  summary:
    'Start (or resume) the payment of a package, or of a gift voucher for it; `amount` in pounds must equal the total of its order, with the code if given',
  body: z.object({
    packageId: Id,
    amount: z
      .union([z.number(AMOUNT), z.string(AMOUNT)], { error: AMOUNT })
      .refine((amount) => /^\d{1,9}(\.\d+)?$/.test(String(amount)) && Number(amount) > 0, AMOUNT),
    code: CodeTyped.nullish(),
    gift: Gift.nullish(),
  }),
  response: z.object({ clientSecret: z.string(), paymentIntentId: z.string() }),
  refusals: [
    packageRefusals.package_not_found,
    accountRefusals.account_blocked,
    paymentRefusals.package_not_on_sale,
    paymentRefusals.price_changed,
    paymentRefusals.package_already_held,
    paymentRefusals.payment_processing,
    paymentRefusals.payment_already_completed,
    paymentRefusals.voucher_already_paid,
    paymentRefusals.payments_disabled,
    paymentRefusals.payment_provider_unreachable,
    ...CODE_REFUSALS,
    codeRefusals.nothing_to_pay,
    ...GIFT_REFUSALS,
  ],
})

const PaymentId = z.object({ id: z.string().min(1).max(255) })
const TabKey = z.string().min(1).max(64)
const ORDER_REFUSALS = [
  paymentRefusals.payment_not_found,
  paymentRefusals.payment_processing,
  paymentRefusals.payment_already_completed,
  paymentRefusals.voucher_already_paid,
  paymentRefusals.payment_confirmed_elsewhere,
  paymentRefusals.payments_disabled,
  paymentRefusals.payment_provider_unreachable,
] as const

export const confirmOrder = endpoint('PUT /api/user/payments/:id/confirmation', {
  who: 'member',
  summary:
    'What the member typed and ticked, sent before the card provider is asked; until the payment fails, no other tab can change it',
  params: PaymentId,
  body: z.object({
    tab: TabKey,
    isBeginRequested: Flag,
    gift: Gift.pick({ message: true, sendOn: true }).nullish(),
  }),
  says: 'Noted',
  refusals: [...ORDER_REFUSALS, paymentRefusals.payment_ended, voucherRefusals.voucher_day_impossible],
})

export const endOrder = endpoint('DELETE /api/user/payments/:id', {
  who: 'member',
  summary: 'End an unpaid order that was corrected in its tab: its payment is cancelled and its code is free again',
  params: PaymentId,
  query: z.object({ tab: TabKey.optional() }),
  says: 'Order ended',
  refusals: [...ORDER_REFUSALS],
})

export const purchasePackage = endpoint('POST /api/purchase-package', {
  who: 'member',
  summary:
    'Activate the pass of a successful payment, or the gift voucher (returned without its code): 201 the first time, 200 with the same afterwards',
  body: z.object({
    packageId: Id,
    paymentIntentId: z.string('Enter the id of the payment').min(1, 'Enter the id of the payment').max(255),
  }),
  response: z.union([Pass, Voucher]),
  status: 201,
  repeats: true,
  refusals: [
    paymentRefusals.payment_not_found,
    paymentRefusals.payment_incomplete,
    paymentRefusals.payment_processing,
    paymentRefusals.payment_mismatch_returned,
    paymentRefusals.payment_mismatch,
    paymentRefusals.duplicate_purchase_refunded,
    paymentRefusals.blocked_purchase_refunded,
    paymentRefusals.payments_disabled,
    paymentRefusals.payment_provider_unreachable,
  ],
})

/** How money of any sale can be given back by hand. */
export const BY_HAND_METHODS = { cash: 'Cash', bank_transfer: 'Bank transfer', other: 'Another way' } as const

const PurchaseRefund = z.object({
  id: z.int(),
  amount: AmountText,
  /** `decided`: not yet sent to the provider. */
  status: z.enum(['decided', 'pending', 'succeeded', 'failed']),
  /** `rule`: by the refund policy; `owner`: at the owner's discretion; `provider`: made in the provider's dashboard. */
  origin: z.enum(['rule', 'owner', 'given_back', 'provider']),
  reason: z.string().nullable(),
  createdAt: InstantText,
  creditsTaken: z.int().nullable(),
  /** How it was given back by hand; null for the way it was paid. */
  method: z.enum(keysOf(BY_HAND_METHODS)).nullable(),
  /** What the owner must decide: the credits that a partial refund takes, or how to deal with a failed one. */
  decision: z.enum(['credits', 'failed']).nullable(),
})
export type PurchaseRefund = z.output<typeof PurchaseRefund>

/** A chargeback. An inquiry moves no money. */
const PurchaseDispute = z.object({
  id: z.string(),
  status: z.enum(['inquiry', 'open', 'won', 'lost', 'closed']),
  amount: AmountText,
  reason: z.string(),
  openedAt: InstantText,
  respondBy: InstantText.nullable(),
  decidedAt: InstantText.nullable(),
})
export type PurchaseDispute = z.output<typeof PurchaseDispute>

/** How a desk sale was paid. */
export const DESK_METHODS = {
  cash: 'Cash',
  bank_transfer: 'Bank transfer',
  card_reader: 'Card reader',
  other: 'Other',
} as const
export type DeskMethod = keyof typeof DESK_METHODS

/** A line of an order. A discount is negative. */
const OrderLine = z.object({ label: z.string(), amount: AmountText }).meta({ id: 'OrderLine' })
export const OrderLines = z.array(OrderLine)

export const Purchase = z
  .object({
    id: z.int(),
    receiptNumber: z.int(),
    /** Null once the member is erased. */
    user: z.object({ id: z.string(), firstName: z.string(), lastName: z.string(), isByPhone: z.boolean() }).nullable(),
    package: z.object({ id: z.int(), name: z.string() }),
    amount: AmountText,
    /** What adds up to the amount. */
    lines: OrderLines,
    /** A gift voucher, whose pass is the recipient's. */
    isVoucher: z.boolean(),
    /** `Visa ending 4242`, `Cash`. */
    method: z.string().nullable(),
    deskMethod: z.enum(keysOf(DESK_METHODS)).nullable(),
    note: z.string().nullable(),
    voidedAt: InstantText.nullable(),
    mayVoid: z.boolean(),
    /** The last day on which the law lets the member cancel, while it does. */
    cancellableUntil: DateText().nullable(),
    beginRequestedAt: InstantText.nullable(),
    purchasedAt: InstantText,
    /** The latest refund that did not fail; their total; when the provider had them all. */
    refundedAt: InstantText.nullable(),
    refundedAmount: AmountText.nullable(),
    refundSentAt: InstantText.nullable(),
    refunds: z.array(PurchaseRefund),
    /** A dispute is open, or a refund waits for what the owner decides about it. */
    needsDecision: z.boolean(),
    disputes: z.array(PurchaseDispute),
    /** Fraud warnings of the card network. */
    warnings: z.array(z.object({ kind: z.string(), warnedAt: InstantText })),
    /** Null once the pass is erased. */
    creditsRemaining: z.int().nullable(),
    /** What a refund by policy would return and keep now, or why not; `most` limits a discretionary one. */
    refund: z.object({
      amount: AmountText.nullable(),
      fee: AmountText.nullable(),
      reason: z.string().nullable(),
      most: AmountText,
    }),
  })
  .meta({ id: 'Purchase' })
export type Purchase = z.output<typeof Purchase>

export const listPurchases = endpoint('GET /api/admin/purchases', {
  summary:
    'Purchases, newest first, each with what a refund would be now; without `userId` those that need a decision come first, and `attention=true` keeps only these',
  query: Paging.extend({
    userId: z.string().max(64).optional(),
    attention: FlagText().optional(),
  }),
  response: z.array(Purchase),
})

/** A discretionary refund; form fields are texts. */
export const RefundForm = z.object({
  amount: AmountInput('Please enter an amount in pounds', { pence: 1, message: 'Amount must be greater than 0' }),
  reason: requiredText('Please say why', 500),
  credits: z
    .int('Please enter a whole number of credits')
    .min(0, 'Please enter at least 0 credits')
    .max(1000, 'Please enter at most 1000 credits'),
})

export const refundPurchase = endpoint('POST /api/admin/purchases/:id/refund', {
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  summary:
    'Refund a purchase by policy (14 days, unused, less the fee, once; no fee if the member cancels by law), or any part of it with `amount` and `reason`; `credits` are taken with it, and all of them with the whole amount',
  params: PathId,
  body: z
    .object({
      amount: RefundForm.shape.amount.nullish(),
      reason: RefundForm.shape.reason.nullish(),
      credits: RefundForm.shape.credits.nullish(),
      isCancellation: Flag.nullish(),
    })
    .refine(({ amount, reason }) => amount == null || reason != null, { path: ['reason'], error: 'Please say why' }),
  response: Purchase,
  refusals: [
    paymentRefusals.purchase_not_found,
    paymentRefusals.already_refunded,
    paymentRefusals.refund_sale_voided,
    paymentRefusals.refund_of_nothing,
    paymentRefusals.refund_payment_lost,
    paymentRefusals.refund_pass_used,
    paymentRefusals.refund_too_late,
    paymentRefusals.no_right_to_cancel,
    paymentRefusals.refund_pass_deleted,
    paymentRefusals.refund_while_disputed,
    paymentRefusals.refund_exceeds_payment,
    paymentRefusals.insufficient_credits,
    paymentRefusals.payments_disabled,
  ],
})

/** Money given back by hand; form fields are texts. */
export const RefundByHandForm = RefundForm.extend({
  method: z.enum(keysOf(BY_HAND_METHODS), 'Please choose how it was paid back'),
  paidOn: DateText('Please choose the day'),
})

export const refundByHand = endpoint('POST /api/admin/purchases/:id/refunds', {
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  summary:
    'Record money of any sale that was given back by hand on `paidOn`; `credits` are taken with it, and all of them with the whole amount',
  params: PathId,
  body: RefundByHandForm.extend({ credits: RefundForm.shape.credits.nullish() }),
  response: Purchase,
  status: 201,
  refusals: [
    paymentRefusals.purchase_not_found,
    paymentRefusals.already_refunded,
    paymentRefusals.refund_sale_voided,
    paymentRefusals.refund_of_nothing,
    paymentRefusals.refund_while_disputed,
    paymentRefusals.refund_exceeds_payment,
    paymentRefusals.refund_day_impossible,
    paymentRefusals.insufficient_credits,
  ],
})

export const decideRefund = endpoint('POST /api/admin/refunds/:id/decide', {
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  summary:
    'Settle a refund: how many `credits` a partial refund at the provider takes, or that a failed one has been dealt with',
  params: PathId,
  body: z.object({ credits: RefundForm.shape.credits.nullish() }),
  response: Purchase,
  refusals: [
    paymentRefusals.refund_not_found,
    paymentRefusals.refund_already_decided,
    paymentRefusals.insufficient_credits,
  ],
})

/** A payment by a method that takes days, made but not yet received. */
export const PaymentUnderway = z
  .object({
    package: z.object({ id: z.int(), name: z.string() }),
    /** It buys a gift voucher. */
    isVoucher: z.boolean(),
    amount: AmountText,
    since: InstantText,
  })
  .meta({ id: 'PaymentUnderway' })
export type PaymentUnderway = z.output<typeof PaymentUnderway>

export const listPaymentsUnderway = endpoint('GET /api/user/payments', {
  who: 'member',
  summary: "The member's payments by a method that takes days, not yet received",
  response: z.array(PaymentUnderway),
})

/** Where the provider posts its signed events. Not an endpoint of the API: its body is the provider's. */
export const WEBHOOK_PATH = '/api/stripe/webhook'
