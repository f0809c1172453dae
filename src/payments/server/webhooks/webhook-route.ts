import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import type { Clock } from '#foundation/clock.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { Database } from '#platform/database/database.ts'
import { WEBHOOK_PATH } from '../../contract.ts'
import type { Provider } from '../provider.ts'
import { findIntent } from '../queries.ts'
import { syncPayment } from '../sync-payment.ts'
import { chargeDispute } from './charge-dispute.ts'
import { earlyFraudWarning } from './early-fraud-warning.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { paymentIntent } from './payment-intent.ts'
import { refund } from './refund.ts'
import { type Listener, ToldEvent } from './told-event.ts'

const SIGNATURE_TOLERANCE_SECONDS = 300
const BIGGEST_EVENT = 1_000_000
/** A secret key, or a restricted one, of real money. */
const LIVE_KEY = /^[sr]k_live_/

const listeners = new Map<string, Listener>(
  [paymentIntent, refund, chargeDispute, earlyFraudWarning].flatMap((listener) =>
    listener.events.map((event) => [event, listener] as const),
  ),
)

/**
 * Takes the provider's signed events. An event only says that something happened; how the payment stands now is asked of
 * the provider, since events come late, twice and out of order. Anything but a 2xx makes the provider send it again.
 */
export async function webhookRoute(
  app: FastifyInstance,
  options: {
    stripe: Stripe
    provider: Provider
    database: Database
    clock: Clock
    webhookSecret: string
    secretKey: string
  },
): Promise<void> {
  const { stripe, provider, database, clock } = options
  const isLive = LIVE_KEY.test(options.secretKey)
  const sync = {
    whole: oneAtATime((id) => syncPayment(database, provider, id, clock.now(), { whole: true })),
    brief: oneAtATime((id) => syncPayment(database, provider, id, clock.now(), { whole: false })),
  }

  await app.register(async (scope) => {
    // The signature is over the bytes as they came.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BIGGEST_EVENT }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(WEBHOOK_PATH, { schema: { hide: true } }, async (request) => {
      const event = verify(request.body, request.headers['stripe-signature'])
      const listener = listeners.get(event.type)
      const id = listener?.paymentOf(event.data.object)
      // Of another application that shares our account: not for us, and no reason to send it again.
      if (!listener || !id || isForeign(event) || !(await findIntent(database.db, id))) return { received: true }
      await (listener.whole ? sync.whole : sync.brief)(id)
      return { received: true }
    })
  })

  /** Another account's, or of test mode where money is real, or the other way round. */
  function isForeign({ account, livemode }: ToldEvent): boolean {
    return Boolean(account) || (typeof livemode === 'boolean' && livemode !== isLive)
  }

  function verify(body: unknown, signature: string | string[] | undefined): ToldEvent {
    if (!Buffer.isBuffer(body) || typeof signature !== 'string') refuse(commonRefusals.validation_failed)
    try {
      const { webhookSecret } = options
      return ToldEvent.parse(
        stripe.webhooks.constructEvent(body, signature, webhookSecret, SIGNATURE_TOLERANCE_SECONDS),
      )
    } catch {
      refuse(commonRefusals.validation_failed)
    }
  }
}
