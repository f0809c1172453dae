import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'

/** Receives delivery receipts from the provider of text messages. */
export const TEXT_RECEIPTS = '/api/texts/receipts'

export const TextUse = z
  .object({
    /** Whether a provider is set up. */
    isOn: z.boolean(),
    /** In this calendar month. */
    sent: z.int(),
    /** Decimal, as far as the provider has priced them; null before the first price. */
    cost: z.string().nullable(),
    currency: z.string().nullable(),
    monthlyLimit: z.int(),
  })
  .meta({ id: 'TextUse' })
export type TextUse = z.output<typeof TextUse>

export const getTextUse = endpoint('GET /api/admin/texts', {
  summary: 'This month’s text messages: how many, what they cost, and the limit',
  response: TextUse,
})
