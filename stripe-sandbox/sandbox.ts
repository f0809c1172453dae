/**
 * A sandbox of Stripe inside the app, for demo and tests: a fake at the edge of the world that speaks Stripe's wire
 * format, so that server and browser use it as they would use Stripe. Live mode never registers it.
 *
 * Covered, under the prefix it is registered with (`/sandbox/stripe`):
 *
 *   POST /v1/payment_intents                      create (also with confirm=true)
 *   GET  /v1/payment_intents, /v1/payment_intents/:id          list; retrieve (a browser: ?client_secret=…)
 *   POST /v1/payment_intents/:id, …/cancel        update, cancel
 *   POST /v1/payment_intents/:id/confirm          with the secret key, or as a browser with client_secret
 *   POST /v1/payment_intents/:id/authenticate     not Stripe's: answers 3-D Secure without a browser,
 *                                                 outcome=succeeded | failed, with secret key or client_secret
 *   POST /v1/payment_methods, GET /v1/payment_methods/:id
 *   POST /v1/refunds, GET /v1/refunds, /v1/refunds/:id, /v1/charges/:id, /v1/events, /v1/events/:id
 *   GET  /v1/disputes, /v1/disputes/:id, POST /v1/disputes/:id (evidence decides), …/close
 *   GET  /v1/radar/early_fraud_warnings, /v1/radar/early_fraud_warnings/:id
 *   POST /v1/payment_intents/:id/settle, …/dispute, …/warn, /v1/refunds/:id/settle       not Stripe's: what banks do
 *   GET and POST /3d-secure/:id                   the bank's page
 *
 * with form-encoded bodies, Stripe's keys, error objects, `expand[]`, pages of lists, idempotency keys, its published
 * test cards (test-cards.ts) and signed events. State lives in the PostgreSQL schema `sandbox` and survives a crash.
 *
 * Not covered: customers, manual capture, other ways to pay than cards and Bacs debits, balance transactions, webhook
 * endpoints (there is one, from the options), rate limits. Kinder than Stripe: `return_url` is never required,
 * since only 3-D Secure redirects, and requests at once with one idempotency key wait instead of getting a 409.
 */
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { EventDelivery, type Log } from './delivery.ts'
import { addRoutes } from './routes.ts'
import { createSchema } from './schema.ts'

export interface SandboxOptions {
  pool: pg.Pool
  now: () => Date
  /** Where events go; asked at every delivery, since a port may be known only after listening. */
  webhookUrl: () => string
  webhookSecret: string
  secretKey: string
  publishableKey: string
  log: Log & { error(details: object, message: string): void }
}

export interface StripeSandbox {
  (app: FastifyInstance): Promise<void>
  /** Resolves when every event due now has been posted once. What was refused is due again later. */
  deliverDue(): Promise<void>
}

/** `const sandbox = stripeSandbox(…); app.register(sandbox, { prefix: '/sandbox/stripe' })` */
export function stripeSandbox(options: SandboxOptions): StripeSandbox {
  const delivery = new EventDelivery(options)
  const plugin = async (app: FastifyInstance): Promise<void> => {
    app.addHook('onReady', async () => {
      await createSchema(options.pool)
      await delivery.start()
    })
    app.addHook('preClose', () => delivery.stop())
    app.addHook('onClose', () => delivery.stop())
    addRoutes(app, { ...options, onChange: () => delivery.kick() })
  }
  return Object.assign(plugin, { deliverDue: () => delivery.deliverDue() })
}
