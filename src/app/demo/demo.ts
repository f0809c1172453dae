import { sql } from 'drizzle-orm'
import fastify from 'fastify'
import type { Logger } from 'pino'
import { stripeSandbox } from '../../../stripe-sandbox/sandbox.ts'
import { users } from '../../accounts/tables.ts'
import type { Clock } from '../../foundation/clock.ts'
import { healthVault } from '../../health/server/health.ts'
import { stripeClient, stripeProvider } from '../../payments/server/payments.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { LIMITS } from '../../platform/limits.ts'
import { studio } from '../../studio.ts'
import type { Settings } from '../settings.ts'
import { seed } from './seed.ts'

export { demoAccounts } from './cast.ts'

/** Any number that nobody else locks. */
const DEMO_LOCK = 7_210_515

/**
 * Loads the sample studio into an empty database, all of it or nothing, through the use cases that real data goes
 * through; no mail is sent. Does nothing where there are users already.
 */
export async function loadDemoData(
  settings: Settings & { databaseUrl: string },
  { clock, log, say }: { clock: Clock; log: Logger; say: (sentence: string) => void },
): Promise<void> {
  // Without `enqueue`: what happened weeks ago is not mailed today.
  const database = openDatabase(settings.databaseUrl, { connections: 4, name: 'studio demo data' })
  try {
    const isEmpty = async () => (await database.db.select({ id: users.id }).from(users).limit(1)).length === 0
    if (!(await isEmpty())) return
    say('Loading sample members, classes and bookings.')
    const bank = await openBank(settings, database.pool, log)
    try {
      await database.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(${DEMO_LOCK})`)
        // Another process may have been quicker.
        if (!(await isEmpty())) return
        await seed(tx, { vault: healthVault(settings.healthDataKeys), bank, now: clock.now() })
      })
    } finally {
      await bank.close()
    }
  } finally {
    await database.close()
  }
}

/** The sandbox on a port of its own, since the site does not listen yet, and a card that always pays. */
async function openBank(settings: Settings, pool: ReturnType<typeof openDatabase>['pool'], log: Logger) {
  const secretKey = settings.payments.kind === 'sandbox' ? settings.payments.secretKey : 'sk_test_sandbox'
  const app = fastify()
  const place = { origin: '' }
  // These payments are recorded right here, so their events need only be heard.
  app.post('/events', async () => ({ received: true }))
  await app.register(
    stripeSandbox({
      pool,
      now: () => new Date(),
      webhookUrl: () => `${place.origin}/events`,
      webhookSecret: 'whsec_unheard',
      secretKey,
      publishableKey: 'pk_test_sandbox',
      log,
    }),
    { prefix: '/sandbox/stripe' },
  )
  place.origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const stripe = stripeClient({ secretKey, apiUrl: `${place.origin}/sandbox/stripe`, limitMs: LIMITS.providerMs })
  return {
    provider: stripeProvider(stripe, {
      limitMs: LIMITS.providerMs,
      onError: (error) => log.error({ err: error }, 'the demo’s bank could not be asked'),
    }),
    /** Pays an amount by card and answers the payment as the provider tells it. */
    pay: (amount: number, metadata: Record<string, string>) =>
      stripe.paymentIntents.create({
        amount,
        currency: studio.currency,
        payment_method: 'pm_card_visa',
        confirm: true,
        metadata,
        // With its charge: what was paid with is on record.
        expand: ['latest_charge'],
      }),
    /** The holder of the card tells the bank that nothing came for the money. */
    dispute: (intentId: string) =>
      stripe.rawRequest('POST', `/v1/payment_intents/${intentId}/dispute`, { reason: 'product_not_received' }),
    /** Part of a payment is sent back at the provider itself, not here. */
    refund: (intentId: string, amount: number) => stripe.refunds.create({ payment_intent: intentId, amount }),
    close: () => app.close(),
  }
}
export type Bank = Omit<Awaited<ReturnType<typeof openBank>>, 'close'>
