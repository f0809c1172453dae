import { z } from 'zod'
import { endpoint } from '../foundation/endpoint.ts'
import { Id, InstantText, Paging, PathId, PoundsText } from '../foundation/fields.ts'
import { refusals } from '../foundation/refusal.ts'
import { packageRefusals } from '../packages/contract.ts'
import { Pass } from '../passes/contract.ts'
import { studio } from '../studio.ts'

export const paymentRefusals = refusals({
  payments_disabled: [503, 'Payment processing is temporarily disabled.'],
  package_hidden: [400, 'This package is not on sale at the moment.'],
  amount_differs: [400, 'The price of this package has changed. Please try again with the new price.'],
  already_held: [400, 'You already hold this package. It can be bought once per member.'],
  provider_unreachable: [503, 'Failed to initialize payment. Please try again.'],
  intent_not_found: [404, 'Payment not found.'],
  not_paid: [400, 'This payment has not been completed.'],
  payment_differs: [400, 'This payment does not match the package. Please contact support.'],
  purchase_not_found: [404, 'Purchase not found.'],
  refunded_before: [400, 'This purchase has been refunded already.'],
  refund_of_used_pass: [400, 'This pass has been used, so it cannot be refunded.'],
  refund_too_late: [400, `A pass can be refunded within ${studio.policies.refundDays} days of buying it.`],
  refund_without_pass: [400, 'The member has been deleted, and the pass with them.'],
  refunded_already_held: [400, 'You already hold this package, so your payment has been refunded in full.'],
})

export const getPaymentSetup = endpoint({
  who: 'anyone',
  method: 'GET',
  path: '/api/payment-setup',
  summary: 'What the checkout needs: Stripe with its publishable key, the sandbox, or nothing (payments disabled)',
  reply: z.object({
    provider: z.enum(['stripe', 'sandbox', 'disabled']),
    publishableKey: z.string().nullable(),
  }),
  refusals: [],
})

const AMOUNT = 'Amount must be greater than 0'
export const createPaymentIntent = endpoint({
  who: 'member',
  method: 'POST',
  path: '/api/create-payment-intent',
  summary: 'Begin (or take up again) the payment of a package; `amount` in pounds must equal its price',
  body: z.object({
    packageId: Id,
    amount: z
      .union([z.number(AMOUNT), z.string(AMOUNT)], { error: AMOUNT })
      .refine((amount) => /^\d{1,9}(\.\d+)?$/.test(String(amount)) && Number(amount) > 0, AMOUNT),
  }),
  reply: z.object({ clientSecret: z.string(), paymentIntentId: z.string() }),
  refusals: [
    packageRefusals.package_not_found,
    paymentRefusals.package_hidden,
    paymentRefusals.amount_differs,
    paymentRefusals.already_held,
    paymentRefusals.payments_disabled,
    paymentRefusals.provider_unreachable,
  ],
})

export const purchasePackage = endpoint({
  who: 'member',
  method: 'POST',
  path: '/api/purchase-package',
  summary: 'Activate the pass of a payment that succeeded: 201 the first time, 200 with the same pass ever after',
  body: z.object({
    packageId: Id,
    paymentIntentId: z.string('Please send the payment').min(1, 'Please send the payment').max(255),
  }),
  reply: Pass,
  status: 201,
  repeats: true,
  refusals: [
    paymentRefusals.intent_not_found,
    paymentRefusals.not_paid,
    paymentRefusals.payment_differs,
    paymentRefusals.refunded_already_held,
    paymentRefusals.payments_disabled,
    paymentRefusals.provider_unreachable,
  ],
})

export const Purchase = z
  .object({
    id: z.int(),
    /** Null once the member is erased. */
    user: z.object({ id: z.string(), firstName: z.string(), lastName: z.string() }).nullable(),
    package: z.object({ id: z.int(), name: z.string() }),
    amount: PoundsText,
    purchasedAt: InstantText,
    refundedAt: InstantText.nullable(),
    refundedAmount: PoundsText.nullable(),
    /** When the card provider took the refund. */
    refundSentAt: InstantText.nullable(),
    /** What a refund would send back and keep now, or why there is none. */
    refund: z.object({ amount: PoundsText.nullable(), fee: PoundsText.nullable(), reason: z.string().nullable() }),
  })
  .meta({ id: 'Purchase' })
export type Purchase = z.output<typeof Purchase>

export const listPurchases = endpoint({
  who: 'admin',
  method: 'GET',
  path: '/api/admin/purchases',
  summary: 'Purchases, newest first, each with what a refund would be now',
  query: Paging,
  reply: z.array(Purchase),
  refusals: [],
})

export const refundPurchase = endpoint({
  who: 'admin',
  method: 'POST',
  path: '/api/admin/purchases/:id/refund',
  summary: 'Refund a purchase: within 14 days, unused pass only, less the fee, once; the card provider sends the money',
  params: PathId,
  reply: Purchase,
  refusals: [
    paymentRefusals.purchase_not_found,
    paymentRefusals.refunded_before,
    paymentRefusals.refund_of_used_pass,
    paymentRefusals.refund_too_late,
    paymentRefusals.refund_without_pass,
    paymentRefusals.payments_disabled,
  ],
})

/** Where the provider posts its signed events. Not an endpoint of the API: its body is the provider's. */
export const WEBHOOK_PATH = '/api/stripe/webhook'
