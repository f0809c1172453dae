import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Clock } from '#foundation/instants.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { Database } from '#platform/database/database.ts'
import { timedRoute } from '#platform/http/time-limit.ts'
import { WEBHOOK_PATH } from '../contract.ts'
import type { Provider } from './provider.ts'
import { findIntent } from './queries.ts'
import { syncPayment } from './sync-payment.ts'

const SIGNATURE_TOLERANCE_SECONDS = 300
const MAX_EVENT_BYTES = 1_000_000
/** A secret or restricted key for live payments. */
const LIVE_KEY = /^[sr]k_live_/

/** Events about the payment itself. */
const PAYMENT_EVENTS = new Set([
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
])
/** Events about refunds, disputes and fraud warnings: these are fetched as well. */
const HISTORY_EVENTS = new Set([
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'radar.early_fraud_warning.created',
  'radar.early_fraud_warning.updated',
])

/**
 * Receives the provider's signed events. An event only names the payment to read from the provider, as events come
 * late, twice and out of order. Any status but 2xx makes the provider send it again.
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
  const syncBrief = oneAtATime((id) => syncPayment(database, provider, id, clock.now(), { full: false }))
  const syncFull = oneAtATime((id) => syncPayment(database, provider, id, clock.now(), { full: true }))

  await app.register(async (scope) => {
    // The signature is over the raw bytes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_EVENT_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    timedRoute(scope, 'POST', WEBHOOK_PATH, { schema: { hide: true } }, async (request) => {
      const event = verify(request.body, request.headers['stripe-signature'])
      const id = paymentOf(event)
      // An unknown payment belongs to another application on our Stripe account; don't ask for the event again.
      if (!id || isForeign(event) || !(await findIntent(database.db, id))) return { received: true }
      await (HISTORY_EVENTS.has(event.type) ? syncFull(id) : syncBrief(id))
      return { received: true }
    })
  })

  /** For another account, or for the other of test and live mode. */
  function isForeign({ account, livemode }: WebhookEvent): boolean {
    return Boolean(account) || (typeof livemode === 'boolean' && livemode !== isLive)
  }

  function verify(body: unknown, signature: string | string[] | undefined): WebhookEvent {
    if (!Buffer.isBuffer(body) || typeof signature !== 'string') refuse(commonRefusals.validation_failed)
    try {
      const { webhookSecret } = options
      return WebhookEvent.parse(
        stripe.webhooks.constructEvent(body, signature, webhookSecret, SIGNATURE_TOLERANCE_SECONDS),
      )
    } catch {
      refuse(commonRefusals.validation_failed)
    }
  }
}

const WebhookEvent = z.object({
  type: z.string(),
  /** Set on events of a connected account. */
  account: z.string().nullish(),
  livemode: z.boolean().nullish(),
  data: z.object({ object: z.object({ id: z.string().default(''), payment_intent: z.unknown().optional() }) }),
})
type WebhookEvent = z.output<typeof WebhookEvent>

/** The id of the payment an event is about; undefined for events of other kinds. */
function paymentOf({ type, data: { object } }: WebhookEvent): string | undefined {
  if (PAYMENT_EVENTS.has(type)) return object.id
  if (!HISTORY_EVENTS.has(type)) return undefined
  const { payment_intent: payment } = object
  const id = typeof payment === 'object' && payment !== null && 'id' in payment ? payment.id : payment
  return typeof id === 'string' ? id : undefined
}

/** Runs work on a key once at a time. Calls during a run share the next one, so a thousand calls are two runs. */
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
