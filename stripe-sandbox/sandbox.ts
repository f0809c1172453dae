import type { FastifyInstance } from 'fastify'
import { eventDelivery, type Receiver } from './delivery.ts'
import { StripeRefusal } from './errors.ts'
import { addCalls, type HttpOptions } from './http.ts'
import { settlePaymentIntent } from './payment-intents.ts'
import { settleRefund } from './refunds.ts'
import { createSchema, idsDue, inTransaction } from './store.ts'
import { addThreeDSecure } from './three-d-secure.ts'

export type SandboxOptions = Receiver & Omit<HttpOptions, 'onChange'>
export type StripeSandbox = {
  (app: FastifyInstance): Promise<void>
  /** Resolves when every event due now has been posted once. What was refused is due again later. */
  deliverDue(): Promise<void>
}

const LOOK_EVERY_MS = 500

/**
 * Stripe as far as we call it, for demo and tests (README.md): `app.register(stripeSandbox(…), { prefix: '/sandbox/stripe' })`.
 * Its state lives in the schema `sandbox` of the pool's database and survives a crash.
 */
export function stripeSandbox(options: SandboxOptions): StripeSandbox {
  const delivery = eventDelivery(options)
  let looking: Promise<void> = Promise.resolve()
  const look = () => {
    looking = goOn(options)
      .catch((err) => options.log.warn({ err }, 'sandbox: nothing happens by itself'))
      .then(delivery.deliverDue)
  }
  const plugin = async (app: FastifyInstance): Promise<void> => {
    let timer: NodeJS.Timeout | undefined
    app.addHook('onReady', async () => {
      await createSchema(options.pool)
      timer = setInterval(look, LOOK_EVERY_MS).unref()
    })
    app.addHook('preClose', async () => {
      clearInterval(timer)
      await delivery.stop()
      await looking
    })
    const http: HttpOptions = { ...options, onChange: () => void delivery.deliverDue() }
    addCalls(app, http)
    addThreeDSecure(app, http)
  }
  return Object.assign(plugin, { deliverDue: delivery.deliverDue })
}

/** What happens without a request: bank debits arrive or fail, refunds fail. */
async function goOn({ pool, now }: SandboxOptions): Promise<void> {
  for (const id of await idsDue(pool)) {
    const settle = id.startsWith('re_') ? settleRefund : settlePaymentIntent
    await inTransaction(pool, (tx) => settle({ tx, id, now: now(), form: {}, isServer: true, baseUrl: '' })).catch(
      ignoreRefusal,
    )
  }
}

/** Another process was quicker. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof StripeRefusal)) throw error
}
