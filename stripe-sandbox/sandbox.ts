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
  /** Resolves when everything due now is settled and every event due now has been posted once. */
  deliverDue(): Promise<void>
}

/** For bank debits, and for events whose receiver failed: others are posted at once. */
const POLL_INTERVAL_MS = 30_000

/**
 * A stand-in for the part of Stripe that we call, as a Fastify plugin (README.md). Its state is in the schema `sandbox`
 * of the pool's database.
 */
export function stripeSandbox(options: SandboxOptions): StripeSandbox {
  const delivery = eventDelivery(options)
  let polling: Promise<void> = Promise.resolve()
  const deliverDue = () =>
    settleDue(options)
      .catch((err) => options.log.warn({ err }, 'sandbox: settling failed'))
      .then(delivery.deliverDue)
  const poll = () => {
    polling = deliverDue()
  }
  const plugin = async (app: FastifyInstance): Promise<void> => {
    let timer: NodeJS.Timeout | undefined
    app.addHook('onReady', async () => {
      await createSchema(options.pool)
      timer = setInterval(poll, POLL_INTERVAL_MS).unref()
    })
    app.addHook('preClose', async () => {
      clearInterval(timer)
      await delivery.stop()
      await polling
    })
    const http: HttpOptions = { ...options, onChange: () => void delivery.deliverDue() }
    addCalls(app, http)
    addThreeDSecure(app, http)
  }
  return Object.assign(plugin, { deliverDue })
}

/** Settles pending bank debits and failing refunds that are due. */
async function settleDue({ pool, now }: SandboxOptions): Promise<void> {
  for (const id of await idsDue(pool)) {
    const settle = id.startsWith('re_') ? settleRefund : settlePaymentIntent
    await inTransaction(pool, (tx) => settle({ tx, id, now: now(), form: {}, isServer: true, baseUrl: '' })).catch(
      ignoreRefusal,
    )
  }
}

/** Another process has settled it already. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof StripeRefusal)) throw error
}
