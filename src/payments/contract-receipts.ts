import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { AmountText, DateText, InstantText, PathId } from '#foundation/fields.ts'
import { Voucher } from '#vouchers/contract.ts'
import { OrderLines, paymentRefusals } from './contract.ts'

/** A purchase as its member sees it. */
export const OwnPurchase = z
  .object({
    id: z.int(),
    receiptNumber: z.int(),
    package: z.object({ id: z.int(), name: z.string() }),
    amount: AmountText,
    lines: OrderLines,
    /** The gift voucher it bought; null for a pass. */
    voucher: Voucher.nullable(),
    method: z.string().nullable(),
    purchasedAt: InstantText,
    /** The total refunded; null if nothing was. */
    refundedAmount: AmountText.nullable(),
    voidedAt: InstantText.nullable(),
    /** When the member asked to start within the cancellation period, and whether they can still withdraw that. */
    beginRequestedAt: InstantText.nullable(),
    mayWithdrawBeginRequest: z.boolean(),
  })
  .meta({ id: 'OwnPurchase' })
export type OwnPurchase = z.output<typeof OwnPurchase>

export const listOwnPurchases = endpoint('GET /api/user/purchases', {
  who: 'member',
  summary: 'The member’s purchases, newest first',
  response: z.array(OwnPurchase),
})

export const ownReceipt = endpoint('GET /api/user/purchases/:id/receipt.pdf', {
  who: 'member',
  summary: 'The receipt of one of the member’s purchases as PDF',
  params: PathId,
  file: 'application/pdf',
  response: z.string(),
  refusals: [paymentRefusals.purchase_not_found],
})

export const receiptForAdmin = endpoint('GET /api/admin/purchases/:id/receipt.pdf', {
  summary: 'The receipt of a purchase as PDF',
  params: PathId,
  file: 'application/pdf',
  response: z.string(),
  refusals: [paymentRefusals.purchase_not_found],
})

const WHICH_MONTH = 'Please choose a month, such as 2026-12'
const Month = z.string(WHICH_MONTH).regex(/^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/, WHICH_MONTH)
const aMonth = z.object({ month: Month })

export const ownStatement = endpoint('GET /api/user/statement.pdf', {
  who: 'member',
  summary: "The member's purchases and refunds of a month (`2026-12`) as PDF",
  query: aMonth,
  file: 'application/pdf',
  response: z.string(),
})

/** A file is streamed; a statement is laid out in memory. */
export const MAX_YEARS = { file: 10, statement: 2 }
const Span = z.object({ from: DateText().optional(), to: DateText().optional() })

/** A query whose days are in order and span at most so many years. */
export function withinYears<Query extends z.ZodType<z.output<typeof Span>>>(query: Query, years: number) {
  return query
    .refine(({ from = '', to }) => to === undefined || from <= to, {
      path: ['to'],
      message: 'Please choose an end that is not before the start',
    })
    .refine(({ from, to }) => !from || !to || Temporal.PlainDate.from(from).add({ years }).toString() > to, {
      path: ['to'],
      message: `Please choose at most ${years} years`,
    })
}

export const studioStatement = endpoint('GET /api/admin/statement.pdf', {
  summary:
    "The studio's sales and refunds of a month (`2026-12`), or of the days `from` to `to` in at most two years, as PDF: totals by payment method, then every line",
  query: withinYears(Span.extend({ month: Month.optional() }), MAX_YEARS.statement).refine(
    ({ month, from, to }) => month || (from && to),
    { path: ['month'], message: `${WHICH_MONTH}, or the first and the last day` },
  ),
  file: 'application/pdf',
  response: z.string(),
})

export const exportPurchases = endpoint('GET /api/admin/purchases.csv', {
  summary:
    'A line per sale, refund and lost dispute of a period, oldest first, with the VAT of the day; for the accountant',
  query: withinYears(Span, MAX_YEARS.file),
  file: 'text/csv',
  response: z.string(),
})
