import { z } from 'zod'

/** As much of an event as is needed: which payment it is about. The provider itself is asked for the rest. */
export const ToldEvent = z.object({
  type: z.string(),
  /** Another account's event, told to a platform. */
  account: z.string().nullish(),
  /** Of real money, or of the provider's test mode. */
  livemode: z.boolean().nullish(),
  data: z.object({ object: z.object({ id: z.string().default(''), payment_intent: z.unknown().optional() }) }),
})
export type ToldEvent = z.output<typeof ToldEvent>
export type ToldObject = ToldEvent['data']['object']

/** Which events are listened to, and which payment one is about. `whole`: refunds and disputes are asked for as well. */
export type Listener = {
  events: readonly string[]
  paymentOf: (object: ToldObject) => string | undefined
  whole: boolean
}

/** The payment that a charge, refund, dispute or warning belongs to, as an id or the payment itself. */
export function paymentBehind({ payment_intent: payment }: ToldObject): string | undefined {
  const id = typeof payment === 'object' && payment !== null && 'id' in payment ? payment.id : payment
  return typeof id === 'string' ? id : undefined
}
