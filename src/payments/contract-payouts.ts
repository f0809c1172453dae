import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { AmountText, DateText } from '#foundation/fields.ts'
import { MAX_YEARS, withinYears } from './contract-receipts.ts'

/** The kinds of movements in a payout. */
export const PAYOUT_KINDS = {
  charge: 'Card payments',
  refund: 'Refunds',
  dispute: 'Disputes',
  other: 'Other',
} as const

/** A transfer from the card provider to the studio's bank account. */
export const Payout = z
  .object({
    id: z.string(),
    amount: AmountText,
    status: z.enum(['pending', 'in_transit', 'paid', 'failed', 'canceled']),
    arrivesOn: DateText(),
    /** What is in it, before fees; empty if the provider has not said yet. */
    contents: z.array(
      z.object({
        kind: z.enum(['charge', 'refund', 'dispute', 'other']),
        count: z.int(),
        amount: AmountText,
        fees: AmountText,
      }),
    ),
  })
  .meta({ id: 'Payout' })
export type Payout = z.output<typeof Payout>

/** The card fees of a period's sales, refunds and disputes, and the payouts that arrive in it. */
export const CardFees = z
  .object({
    /** The fees that are known. */
    fees: AmountText,
    /** Sales, refunds and disputes by card in the period, and how many of them have no known fee yet. */
    lines: z.int(),
    notKnown: z.int(),
    /** The latest first. */
    payouts: z.array(Payout),
  })
  .meta({ id: 'CardFees' })
export type CardFees = z.output<typeof CardFees>

export const getCardFees = endpoint('GET /api/admin/card-fees', {
  summary: 'The card provider’s fees of a period in at most two years, and the payouts that arrive in it',
  query: withinYears(z.object({ from: DateText(), to: DateText() }), MAX_YEARS.statement),
  response: CardFees,
})
