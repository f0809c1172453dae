import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { AmountText, DateText, InstantText, PathId } from '#foundation/fields.ts'
import { paymentRefusals } from './contract.ts'

/** A purchase as its member sees it. */
export const OwnPurchase = z
  .object({
    id: z.int(),
    receiptNumber: z.int(),
    package: z.object({ id: z.int(), name: z.string() }),
    amount: AmountText,
    method: z.string().nullable(),
    purchasedAt: InstantText,
    /** The sum of what went back; null where nothing did. */
    refundedAmount: AmountText.nullable(),
    voidedAt: InstantText.nullable(),
    /** When the member asked to begin within the days in which they can cancel, and whether that can still be withdrawn. */
    beginRequestedAt: InstantText.nullable(),
    mayWithdrawBeginRequest: z.boolean(),
  })
  .meta({ id: 'OwnPurchase' })
export type OwnPurchase = z.output<typeof OwnPurchase>

export const listOwnPurchases = endpoint('GET /api/user/purchases', {
  who: 'member',
  summary: 'What the member bought, newest first',
  reply: z.array(OwnPurchase),
})

export const ownReceipt = endpoint('GET /api/user/purchases/:id/receipt.pdf', {
  who: 'member',
  summary: 'The receipt of an own purchase as PDF',
  params: PathId,
  file: 'application/pdf',
  reply: z.string(),
  refusals: [paymentRefusals.purchase_not_found],
})

export const receiptForAdmin = endpoint('GET /api/admin/purchases/:id/receipt.pdf', {
  who: 'admin',
  summary: 'The receipt of a purchase as PDF',
  params: PathId,
  file: 'application/pdf',
  reply: z.string(),
  refusals: [paymentRefusals.purchase_not_found],
})

const WHICH_MONTH = 'Please say which month, as 2026-12'
const aMonth = z.object({ month: z.string(WHICH_MONTH).regex(/^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/, WHICH_MONTH) })

export const ownStatement = endpoint('GET /api/user/statement.pdf', {
  who: 'member',
  summary: "The member's purchases and refunds of a month (`2026-12`) as PDF",
  query: aMonth,
  file: 'application/pdf',
  reply: z.string(),
})

export const monthStatement = endpoint('GET /api/admin/statement.pdf', {
  who: 'admin',
  summary: "The studio's sales and refunds of a month (`2026-12`) as PDF: sums by way of paying, then every line",
  query: aMonth,
  file: 'application/pdf',
  reply: z.string(),
})

/** Ours, as of reports. */
const MOST_YEARS = 10
const period = z
  .object({ from: DateText().optional(), to: DateText().optional() })
  .refine(({ from = '', to }) => to === undefined || from <= to, {
    path: ['to'],
    message: 'Please choose an end that is not before the start',
  })
  .refine(({ from, to }) => !from || !to || Number(to.slice(0, 4)) - Number(from.slice(0, 4)) <= MOST_YEARS, {
    path: ['to'],
    message: `Please choose at most ${MOST_YEARS} years`,
  })

export const exportPurchases = endpoint('GET /api/admin/purchases.csv', {
  who: 'admin',
  summary:
    'A line per sale, refund and lost dispute of a period, the oldest first, with VAT as set; for the accountant',
  query: period,
  file: 'text/csv',
  reply: z.string(),
})
