import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Clock } from '../../../foundation/clock.ts'
import { commonRefusals, refuse } from '../../../foundation/refusal.ts'
import type { Database } from '../../../server/database/database.ts'
import { WEBHOOK_PATH } from '../../contract.ts'
import type { Provider } from '../provider.ts'
import { onPaymentIntent } from './payment-intent.ts'

const SIGNATURE_TOLERANCE_SECONDS = 300
const BIGGEST_EVENT = 1_000_000

/** As much of an event as is needed: the provider itself is asked for the rest. */
const ToldEvent = z.object({ type: z.string(), data: z.object({ object: z.object({ id: z.string().default('') }) }) })
type ToldEvent = z.output<typeof ToldEvent>
type EventDoer = (event: ToldEvent) => Promise<void>

/** Takes the provider's signed events. Anything but a 2xx makes the provider send the event again later. */
export async function webhookRoute(
  app: FastifyInstance,
  options: { stripe: Stripe; provider: Provider; database: Database; clock: Clock; webhookSecret: string },
): Promise<void> {
  const { stripe, provider, database, clock } = options
  const settle: EventDoer = (event) => onPaymentIntent(database, provider, event.data.object.id, clock.now())
  const doers = new Map<string, EventDoer>([
    ['payment_intent.succeeded', settle],
    ['payment_intent.canceled', settle],
  ])

  await app.register(async (scope) => {
    // The signature is over the bytes as they came.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BIGGEST_EVENT }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(WEBHOOK_PATH, { schema: { hide: true } }, async (request) => {
      const event = verify(request.body, request.headers['stripe-signature'])
      await doers.get(event.type)?.(event)
      return { received: true }
    })
  })

  function verify(body: unknown, signature: string | string[] | undefined): ToldEvent {
    if (!Buffer.isBuffer(body) || typeof signature !== 'string') refuse(commonRefusals.invalid)
    try {
      const { webhookSecret } = options
      return ToldEvent.parse(
        stripe.webhooks.constructEvent(body, signature, webhookSecret, SIGNATURE_TOLERANCE_SECONDS),
      )
    } catch {
      refuse(commonRefusals.invalid)
    }
  }
}
