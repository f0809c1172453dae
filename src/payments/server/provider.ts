import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import type { Pence } from '#foundation/money.ts'
import { refuse } from '#foundation/refusal.ts'
import { currentTimeLimit } from '#platform/http/time-limit.ts'
import type { Gift } from '#vouchers/contract.ts'
import { paymentRefusals } from '../contract.ts'
import {
  type BalanceChange,
  type ProviderPayment,
  type ProviderPayout,
  type ProviderRefund,
  toBalanceChange,
  toProviderDispute,
  toProviderPayout,
  toProviderRefund,
  toProviderWarning,
} from '../provider-state.ts'
import { CURRENCY, findSentRefund, statementSuffix } from '../rules.ts'
import type { RefundRow } from '../tables.ts'

/** A refund of a card payment. */
type CardRefund = RefundRow & { paymentIntentId: string }

/** The card provider. */
export type Provider = {
  /** Creates a payment; the same `attempt` again returns the same one. */
  create(order: {
    userId: string
    package: { id: number; name: string }
    amountPence: Pence
    /** The promotion code used. */
    code?: string | undefined
    /** It buys a gift voucher for this person. */
    gift?: Pick<Gift, 'recipientName' | 'recipientEmail'> | undefined
    attempt: number
    studioName: string
  }): Promise<Stripe.PaymentIntent>
  /** A payment with its charge; undefined if the provider does not know it. */
  find(id: string): Promise<Stripe.PaymentIntent | undefined>
  /** The same with refunds, disputes and warnings, which are fetched if `full`, or if the charge has any. */
  read(id: string, options: { full: boolean }): Promise<ProviderPayment | undefined>
  /** Cancels an unpaid payment. Returns its state: it may have been paid in the meantime. */
  cancel(id: string): Promise<Stripe.PaymentIntent | undefined>
  /** Sends a refund, once however often it is called. Returns it, or why the provider will never make it. */
  refund(decided: CardRefund): Promise<ProviderRefund | { refused: string }>
  /** What moved the account's balance from an instant, before another. */
  balanceChanges(from: Temporal.Instant, until: Temporal.Instant): Promise<BalanceChange[]>
  /** The payouts created since an instant. */
  payouts(since: Temporal.Instant): Promise<ProviderPayout[]>
  /** What an automatic payout contains. */
  linesOfPayout(id: string): Promise<BalanceChange[]>
}

const NOTHING_FOLLOWED = { refunds: [], disputes: [], warnings: [] }
/** Errors after which a retry is useless. */
const PERMANENT_ERRORS = ['charge_already_refunded', 'charge_disputed', 'amount_too_large', 'resource_missing']

/**
 * The provider through Stripe's SDK. What cannot be reached in time is refused and reported to `onError`; a retry
 * carries the same idempotency key.
 *
 * @param options.limitMs for all calls of one HTTP request together; in a job, for each call
 */
export function stripeProvider(
  stripe: Stripe,
  { limitMs, onError }: { limitMs: number; onError: (error: unknown) => void },
): Provider {
  async function attempt<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await withTimeout(limitMs - (currentTimeLimit()?.elapsedMs ?? 0), call)
    } catch (error) {
      onError(error)
      refuse(paymentRefusals.payment_provider_unreachable)
    }
  }
  const retrieve = (id: string) => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })

  async function listFollowUps(id: string) {
    const query = { payment_intent: id, limit: 100 }
    const [refunds, disputes, warnings] = await Promise.all([
      stripe.refunds.list(query),
      stripe.disputes.list(query),
      stripe.radar.earlyFraudWarnings.list(query),
    ])
    return {
      refunds: refunds.data.map(toProviderRefund),
      disputes: disputes.data.map(toProviderDispute),
      warnings: warnings.data.map(toProviderWarning),
    }
  }

  /** All pages of a list, the time limit for each. */
  async function everyPage<Item extends { id: string }>(page: (after: object) => Promise<Stripe.ApiList<Item>>) {
    const items: Item[] = []
    for (let isMore = true; isMore; ) {
      const last = items.at(-1)
      const { data, has_more } = await attempt(() => page(last ? { starting_after: last.id } : {}))
      items.push(...data)
      isMore = has_more && data.length > 0
    }
    return items
  }

  const listChanges = async (query: Stripe.BalanceTransactionListParams) => {
    const order = { ...query, limit: 100, expand: ['data.source'] }
    const lines = await everyPage((after) => stripe.balanceTransactions.list({ ...order, ...after }))
    return lines.flatMap((line) => (line.currency === CURRENCY && toBalanceChange(line)) || [])
  }

  return {
    create: ({ userId, package: bought, amountPence, code, gift, attempt: count, studioName }) => {
      const order = {
        amount: amountPence,
        currency: CURRENCY,
        automatic_payment_methods: { enabled: true },
        description: gift ? `Gift voucher: ${bought.name}` : bought.name,
        // No `receipt_email`: the provider would mail a second receipt. The form sends the payer as billing details.
        statement_descriptor_suffix: statementSuffix(studioName),
        metadata: {
          userId,
          packageId: String(bought.id),
          ...(code && { promotionCode: code }),
          ...(gift && { gift: 'voucher' }),
        },
      } satisfies Stripe.PaymentIntentCreateParams
      return attempt(() => stripe.paymentIntents.create(order, { idempotencyKey: keyOf({ ...order, gift }, count) }))
    },
    find: (id) => attempt(() => ifKnown(() => retrieve(id))),
    read: (id, { full }) =>
      attempt(() =>
        ifKnown(async () => {
          const intent = await retrieve(id)
          const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
          const hasMore = full || Boolean(charge?.amount_refunded || charge?.disputed)
          return { intent, ...(hasMore ? await listFollowUps(id) : NOTHING_FOLLOWED) }
        }),
      ),
    cancel: (id) =>
      attempt(() =>
        ifKnown(async () => {
          try {
            return await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })
          } catch (error) {
            if (!isStripeError(error, 'payment_intent_unexpected_state')) throw error
            return await retrieve(id)
          }
        }),
      ),
    refund: (decided) =>
      attempt(async () => {
        try {
          // The provider forgets idempotency keys after a day, and the job may try for weeks.
          const { data } = await stripe.refunds.list({ payment_intent: decided.paymentIntentId, limit: 100 })
          const made = findSentRefund(decided, data.map(toProviderRefund))
          if (made) return made
          const order = {
            payment_intent: decided.paymentIntentId,
            amount: decided.amountPence,
            reason: 'requested_by_customer',
            metadata: { refundId: decided.reference },
          } satisfies Stripe.RefundCreateParams
          // Not `refund:`, which was once followed by a purchase's number.
          const idempotencyKey = `refund-row:${decided.reference}`
          return toProviderRefund(await stripe.refunds.create(order, { idempotencyKey }))
        } catch (error) {
          const refused = permanentError(error)
          if (refused === undefined) throw error
          return { refused }
        }
      }),
    balanceChanges: (from, until) => listChanges({ created: { gte: secondsOf(from), lt: secondsOf(until) } }),
    linesOfPayout: (payout) => listChanges({ payout }),
    payouts: async (since) => {
      const query = { created: { gte: secondsOf(since) }, limit: 100 }
      return (await everyPage((after) => stripe.payouts.list({ ...query, ...after }))).map(toProviderPayout)
    },
  }
}

const secondsOf = (instant: Temporal.Instant) => Math.floor(instant.epochMilliseconds / 1000)

async function withTimeout<Result>(ms: number, call: () => Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('the card provider did not reply in time')), Math.max(0, ms))
  try {
    return await Promise.race([call(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The provider rejects a key that is reused for another request, e.g. after a package was renamed. Gifts for two people
 * are two payments, and the provider is not told their names.
 */
function keyOf(order: object, attempt: number): string {
  return `begin:${attempt}:${createHash('sha256').update(JSON.stringify(order)).digest('base64url')}`
}

/** Why the provider will never make this refund; undefined if a retry may succeed. */
function permanentError(error: unknown): string | undefined {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return undefined
  return PERMANENT_ERRORS.includes(error.code ?? '') || error.param === 'amount'
    ? (error.code ?? 'amount_too_large')
    : undefined
}

function isStripeError(error: unknown, code: string): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === code
}

async function ifKnown<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await call()
  } catch (error) {
    if (isStripeError(error, 'resource_missing')) return undefined
    throw error
  }
}

/**
 * Stripe's SDK, calling `apiUrl` instead of Stripe if given: the sandbox or a test double. It may have a path, which
 * the SDK cannot express, and may be known only later (a function). A call is tried three times with one idempotency
 * key, each within half of `limitMs`, and is aborted with the HTTP request it belongs to.
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
      const signals = [init?.signal, currentTimeLimit()?.signal].filter((signal) => signal != null)
      // Stripe never redirects: following one would send the key elsewhere.
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
