import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import { toPence } from '#foundation/amounts.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Package } from '#packages/contract.ts'
import { currentAnswer } from '#platform/http/answer.ts'
import { studio } from '#studio.ts'
import { paymentRefusals } from '../contract.ts'
import {
  type ProviderPayment,
  type ProviderRefund,
  toProviderDispute,
  toProviderRefund,
  toProviderWarning,
} from '../provider-state.ts'
import { alreadyMade, CURRENCY, statementSuffix } from '../rules.ts'
import type { RefundRow } from '../tables.ts'

/** A refund of a payment, which a sale at the desk is not. */
type DecidedRefund = RefundRow & { paymentIntentId: string }

/** The card provider, as far as we need it. */
export type Provider = {
  /** Asks for a payment; the same `attempt` twice is one payment. */
  begin(order: { userId: string; package: Package; attempt: number }): Promise<Stripe.PaymentIntent>
  /** How a payment stands, with its charge; undefined when the provider does not know it. */
  look(id: string): Promise<Stripe.PaymentIntent | undefined>
  /**
   * All that the provider knows of a payment. Refunds, disputes and warnings are asked for when `whole`, or when the
   * charge says that there are some.
   */
  read(id: string, options: { whole: boolean }): Promise<ProviderPayment | undefined>
  /** Ends a payment that nobody will make any more. Answers how it stands then: it may have been paid meanwhile. */
  abandon(id: string): Promise<Stripe.PaymentIntent | undefined>
  /**
   * Sends money back, once for each of our refunds however often it is asked.
   *
   * @returns the refund, or why the provider will never make it
   */
  refund(decided: DecidedRefund): Promise<ProviderRefund | { refused: string }>
}

const NOTHING_FOLLOWED = { refunds: [], disputes: [], warnings: [] }
/** Answers of the provider after which asking again is useless. */
const NEVER = ['charge_already_refunded', 'charge_disputed', 'amount_too_large', 'resource_missing']

/**
 * The provider through Stripe's SDK. What cannot be reached in time is refused in words and told to `onError`; a repeat
 * comes with the same idempotency key, so that what was done unheard is not done twice.
 *
 * @param options.limitMs all calls of one answer together; of a job each
 */
export function stripeProvider(
  stripe: Stripe,
  { limitMs, onError }: { limitMs: number; onError: (error: unknown) => void },
): Provider {
  async function reach<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await within(limitMs - (currentAnswer()?.elapsedMs ?? 0), call)
    } catch (error) {
      onError(error)
      refuse(paymentRefusals.payment_provider_unreachable)
    }
  }
  const lookAt = (id: string) => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })

  async function whatFollowed(id: string) {
    const asked = { payment_intent: id, limit: 100 }
    const [refunds, disputes, warnings] = await Promise.all([
      stripe.refunds.list(asked),
      stripe.disputes.list(asked),
      stripe.radar.earlyFraudWarnings.list(asked),
    ])
    return {
      refunds: refunds.data.map(toProviderRefund),
      disputes: disputes.data.map(toProviderDispute),
      warnings: warnings.data.map(toProviderWarning),
    }
  }

  return {
    begin: ({ userId, package: bought, attempt }) => {
      const wanted = {
        amount: toPence(bought.price),
        currency: CURRENCY,
        automatic_payment_methods: { enabled: true },
        description: bought.name,
        // Who pays is told by the form, as billing details; `receipt_email` would have the provider mail a second receipt.
        statement_descriptor_suffix: statementSuffix(studio.name),
        metadata: { userId, packageId: String(bought.id) },
      }
      return reach(() => stripe.paymentIntents.create(wanted, { idempotencyKey: keyOf(wanted, attempt) }))
    },
    look: (id) => reach(() => unlessUnknown(() => lookAt(id))),
    read: (id, { whole }) =>
      reach(() =>
        unlessUnknown(async () => {
          const intent = await lookAt(id)
          const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
          const hasMore = whole || Boolean(charge?.amount_refunded || charge?.disputed)
          return { intent, ...(hasMore ? await whatFollowed(id) : NOTHING_FOLLOWED) }
        }),
      ),
    abandon: (id) =>
      reach(() =>
        unlessUnknown(async () => {
          try {
            return await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })
          } catch (error) {
            if (!isStripeError(error, 'payment_intent_unexpected_state')) throw error
            return await lookAt(id)
          }
        }),
      ),
    refund: (decided) =>
      reach(async () => {
        try {
          // The key alone is not enough: the provider forgets keys after a day, and the job may try for weeks.
          const { data } = await stripe.refunds.list({ payment_intent: decided.paymentIntentId, limit: 100 })
          const made = alreadyMade(decided, data.map(toProviderRefund))
          if (made) return made
          const wanted = {
            payment_intent: decided.paymentIntentId,
            amount: decided.amountPence,
            reason: 'requested_by_customer' as const,
            metadata: { refundId: decided.reference },
          }
          // Not `refund:`: that was followed by a purchase's number once.
          const idempotencyKey = `refund-row:${decided.reference}`
          return toProviderRefund(await stripe.refunds.create(wanted, { idempotencyKey }))
        } catch (error) {
          const refused = neverMade(error)
          if (refused === undefined) throw error
          return { refused }
        }
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

/** Why the provider will never make this refund; undefined when it may yet. */
function neverMade(error: unknown): string | undefined {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return undefined
  return NEVER.includes(error.code ?? '') || error.param === 'amount' ? (error.code ?? 'amount_too_large') : undefined
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

/**
 * Stripe's SDK, talking to `apiUrl` instead of Stripe when given: the sandbox
 * (`http://127.0.0.1:3000/sandbox/stripe`) or a test double. The address may have a path, which the SDK itself
 * cannot express, and may be known only later (a function).
 *
 * A call is tried three times with one idempotency key, each within half of `limitMs`, so that one connection that
 * hangs leaves time for another. What an answer needs ends with that answer.
 */
export function stripeClient({
  secretKey,
  apiUrl,
  limitMs,
}: {
  secretKey: string
  apiUrl?: string | (() => string)
  limitMs: number
}): Stripe {
  return new Stripe(secretKey, {
    maxNetworkRetries: 2,
    timeout: Math.ceil(limitMs / 2),
    telemetry: !apiUrl,
    httpClient: Stripe.createFetchHttpClient((url: string | URL | Request, init?: RequestInit) => {
      const signals = [init?.signal, currentAnswer()?.signal].filter((signal) => signal != null)
      // Stripe's API never sends a caller elsewhere: what does would be given the key and the payment.
      return fetch(addressOf(url, apiUrl), { ...init, redirect: 'error', signal: AbortSignal.any(signals) })
    }),
  })
}

function addressOf(url: string | URL | Request, apiUrl: string | (() => string) | undefined): string {
  const called = new URL(url instanceof Request ? url.url : url)
  if (!apiUrl) return called.href
  const base = typeof apiUrl === 'string' ? apiUrl : apiUrl()
  return base.replace(/\/+$/, '') + called.pathname + called.search
}
