import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { AmountText, InstantText } from '#foundation/fields.ts'

/** A payment by a method that takes days, paid but not arrived. */
export const PaymentUnderway = z
  .object({ package: z.object({ id: z.int(), name: z.string() }), amount: AmountText, since: InstantText })
  .meta({ id: 'PaymentUnderway' })
export type PaymentUnderway = z.output<typeof PaymentUnderway>

export const listPaymentsUnderway = endpoint('GET /api/user/payments', {
  who: 'member',
  summary: 'Payments of the member that are on their way: made by a method that takes days',
  reply: z.array(PaymentUnderway),
})
