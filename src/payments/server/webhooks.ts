import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Clock } from '#foundation/instants.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { Database } from '#platform/database/database.ts'
import { timedRoute } from '#platform/http/answer.ts'
import { WEBHOOK_PATH } from '../contract.ts'
import type { Provider } from './provider.ts'
import { findIntent } from './queries.ts'
import { syncPayment } from './sync-payment.ts'

const SIGNATURE_TOLERANCE_SECONDS = 300
const BIGGEST_EVENT = 1_000_000
/** A secret key, or a restricted one, of real money. */
const LIVE_KEY = /^[sr]k_live_/

/** A payment was made, is on its way, failed or ended. */
const paymentIntent: Listener = {
  events: [
    'payment_intent.succeeded',
    'payment_intent.processing',
    'payment_intent.payment_failed',
    'payment_intent.canceled',
  ],
  paymentOf: ({ id }) => id,
  whole: false,
}

/** A refund was made, here or there, arrived or failed. */
const refund: Listener = {
  events: ['refund.created', 'refund.updated', 'refund.failed', 'charge.refunded'],
  paymentOf: paymentBehind,
  whole: true,
}

/** A bank asks back what its customer paid, or has decided; money went with it. */
const chargeDispute: Listener = {
  events: [
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.closed',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.funds_reinstated',
  ],
  paymentOf: paymentBehind,
  whole: true,
}

/** A card network believes that the card's holder did not pay: a dispute may follow. */
const earlyFraudWarning: Listener = {
  events: ['radar.early_fraud_warning.created', 'radar.early_fraud_warning.updated'],
  paymentOf: paymentBehind,
  whole: true,
}

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
    timedRoute(scope, 'POST', WEBHOOK_PATH, { schema: { hide: true } }, async (request) => {
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

/** As much of an event as is needed: which payment it is about. The provider itself is asked for the rest. */
const ToldEvent = z.object({
  type: z.string(),
  /** Another account's event, told to a platform. */
  account: z.string().nullish(),
  /** Of real money, or of the provider's test mode. */
  livemode: z.boolean().nullish(),
  data: z.object({ object: z.object({ id: z.string().default(''), payment_intent: z.unknown().optional() }) }),
})
type ToldEvent = z.output<typeof ToldEvent>
type ToldObject = ToldEvent['data']['object']

/** Which events are listened to, and which payment one is about. `whole`: refunds and disputes are asked for as well. */
type Listener = {
  events: readonly string[]
  paymentOf: (object: ToldObject) => string | undefined
  whole: boolean
}

/** The payment that a charge, refund, dispute or warning belongs to, as an id or the payment itself. */
function paymentBehind({ payment_intent: payment }: ToldObject): string | undefined {
  const id = typeof payment === 'object' && payment !== null && 'id' in payment ? payment.id : payment
  return typeof id === 'string' ? id : undefined
}

/**
 * Runs work on the same thing one after the other. Whoever comes while it runs shares the one run that follows: it begins
 * later than all of them came, so a thousand calls at once are two runs.
 */
export function oneAtATime(work: (key: string) => Promise<void>): (key: string) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const following = new Map<string, Promise<void>>()

  function run(key: string): Promise<void> {
    const run = work(key).finally(() => running.delete(key))
    running.set(key, run)
    return run
  }

  return (key) => {
    const current = running.get(key)
    if (!current) return run(key)
    const waiting = following.get(key)
    if (waiting) return waiting
    const next = current
      .catch(() => undefined)
      .then(() => {
        following.delete(key)
        return run(key)
      })
    following.set(key, next)
    return next
  }
}
