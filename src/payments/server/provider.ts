import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import { toPence } from '../../foundation/money.ts'
import { refuse } from '../../foundation/refusal.ts'
import type { Package } from '../../packages/contract.ts'
import { currentAnswer } from '../../server/http/answer.ts'
import { paymentRefusals } from '../contract.ts'
import { CURRENCY } from '../rules.ts'

/** The card provider, as far as we need it. */
export type Provider = {
  /** Asks for a payment; the same `attempt` twice is one payment. */
  begin(order: { userId: string; package: Package; attempt: number }): Promise<Stripe.PaymentIntent>
  /** How a payment stands; undefined when the provider does not know it. */
  look(id: string): Promise<Stripe.PaymentIntent | undefined>
  /** Ends a payment that nobody will make any more. Answers how it stands then: it may have been paid meanwhile. */
  abandon(id: string): Promise<Stripe.PaymentIntent | undefined>
  /** Sends back all that was paid, once. */
  giveBack(id: string): Promise<void>
  /** Sends back part of what was paid for a purchase, in pence; the same purchase twice is one refund. */
  refund(order: { intentId: string; purchaseId: number; amount: number }): Promise<void>
}

/**
 * The provider through Stripe's SDK. What cannot be reached in time is refused in words and told to `onError`; a repeat
 * comes with the same idempotency key, so that what was done unheard is not done twice.
 *
 * @param options.limitMs all calls of one answer together; of a job each
 */
export function stripeProvider(
  stripe: Stripe,
  { limitMs, onError }: { limitMs: number; onError: (error: Error) => void },
): Provider {
  async function reach<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await within(limitMs - (currentAnswer()?.elapsedMs ?? 0), call)
    } catch (error) {
      onError(error as Error)
      refuse(paymentRefusals.provider_unreachable)
    }
  }
  return {
    begin: ({ userId, package: bought, attempt }) => {
      const wanted = {
        amount: toPence(bought.price),
        currency: CURRENCY,
        automatic_payment_methods: { enabled: true },
        description: bought.name,
        metadata: { userId, packageId: String(bought.id) },
      }
      return reach(() => stripe.paymentIntents.create(wanted, { idempotencyKey: keyOf(wanted, attempt) }))
    },
    look: (id) => reach(() => unlessUnknown(() => stripe.paymentIntents.retrieve(id))),
    abandon: (id) =>
      reach(() =>
        unlessUnknown(async () => {
          try {
            return await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })
          } catch (error) {
            if (!isStripeError(error, 'payment_intent_unexpected_state')) throw error
            return await stripe.paymentIntents.retrieve(id)
          }
        }),
      ),
    giveBack: (id) =>
      reach(async () => {
        try {
          await stripe.refunds.create({ payment_intent: id }, { idempotencyKey: `give-back:${id}` })
        } catch (error) {
          if (!isStripeError(error, 'charge_already_refunded')) throw error
        }
      }),
    refund: ({ intentId, purchaseId, amount }) =>
      reach(async () => {
        // The key alone is not enough: the provider forgets keys after a day, and the job may try for weeks.
        const { data } = await stripe.refunds.list({ payment_intent: intentId, limit: 100 })
        if (data.some(({ metadata, status }) => metadata?.purchaseId === String(purchaseId) && status !== 'failed'))
          return
        await stripe.refunds.create(
          {
            payment_intent: intentId,
            amount,
            reason: 'requested_by_customer',
            metadata: { purchaseId: String(purchaseId) },
          },
          { idempotencyKey: `refund:${purchaseId}` },
        )
      }),
  }
}

async function within<Result>(ms: number, call: () => Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('the card provider did not answer in time')), Math.max(0, ms))
  try {
    return await Promise.race([call(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The provider refuses a key that comes back with something else, such as a package's new name: so a key is of one wish. */
function keyOf(wanted: object, attempt: number): string {
  return `begin:${attempt}:${createHash('sha256').update(JSON.stringify(wanted)).digest('base64url')}`
}

function isStripeError(error: unknown, code: string): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === code
}

async function unlessUnknown<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await call()
  } catch (error) {
    if (isStripeError(error, 'resource_missing')) return undefined
    throw error
  }
}
