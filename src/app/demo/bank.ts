import fastify from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '#foundation/instants.ts'
import { WEBHOOK_PATH } from '#payments/contract.ts'
import { stripeClient, stripeProvider } from '#payments/server/payments.ts'
import type { openDatabase } from '#platform/database/database.ts'
import { LIMITS } from '#platform/limits.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { studio } from '#studio.ts'
import type { Settings } from '../settings.ts'
import { demoSandbox } from './sandbox.ts'

/** The sandbox on its own port, since the site does not listen yet. */
export async function openBank(
  settings: Settings,
  { pool, log, clock }: { pool: ReturnType<typeof openDatabase>['pool']; log: Logger; clock: Clock },
) {
  const secretKey = settings.payments.kind === 'sandbox' ? settings.payments.secretKey : 'sk_test_sandbox'
  const app = fastify()
  const place: { origin: string; now?: Temporal.Instant } = { origin: '' }
  const movable = { now: () => place.now ?? clock.now() }
  // Seeding records these payments itself, so their events are ignored.
  app.post(WEBHOOK_PATH, async () => ({ received: true }))
  const keys = { secretKey, publishableKey: 'pk_test_sandbox', webhookSecret: 'whsec_unheard' }
  const sandbox = demoSandbox(keys, { pool, clock: movable, log, origin: () => place.origin })
  await app.register(sandbox, { prefix: '/sandbox/stripe' })
  place.origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const stripe = stripeClient({ secretKey, apiUrl: `${place.origin}/sandbox/stripe`, limitMs: LIMITS.providerMs })
  return {
    provider: stripeProvider(stripe, {
      limitMs: LIMITS.providerMs,
      onError: (error) => log.error({ err: error }, 'the demo’s sandbox could not be reached'),
    }),
    /** Pays by card at a time in the past and returns the provider's payment. */
    pay: async (amount: number, metadata: Record<string, string>, at: Temporal.Instant) => {
      place.now = at
      const paid = await stripe.paymentIntents.create({
        amount,
        currency: studio.currency,
        payment_method: 'pm_card_visa',
        confirm: true,
        metadata,
        // With the charge, which records the payment method.
        expand: ['latest_charge'],
      })
      place.now = undefined
      return paid
    },
    /** The cardholder disputes the payment. */
    dispute: (intentId: string) =>
      stripe.rawRequest('POST', `/v1/payment_intents/${intentId}/dispute`, { reason: 'product_not_received' }),
    /** Refunds part of a payment at the provider, not here. */
    refund: (intentId: string, amount: number) => stripe.refunds.create({ payment_intent: intentId, amount }),
    close: () => app.close(),
  }
}
export type Bank = Omit<Awaited<ReturnType<typeof openBank>>, 'close'>

export type SeedContext = { vault: Vault; bank: Bank; now: Temporal.Instant }
