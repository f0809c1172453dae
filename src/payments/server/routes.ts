import type { FastifyRequest } from 'fastify'
import type { Throttles } from '#accounts/server/accounts.ts'
import { hasRegularBooking } from '#booking/server/booking.ts'
import { isConfirmed } from '#facts/server/facts.ts'
import { Refusal, refuse } from '#foundation/refusal.ts'
import { hasPassFor } from '#passes/server/passes.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type Http, sendPage, serve } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { allVouchers } from '#vouchers/server/vouchers.ts'
import { codeRefusals } from '../code-refusals.ts'
import * as contract from '../contract.ts'
import * as begin from '../contract-begin.ts'
import * as codes from '../contract-codes.ts'
import * as desk from '../contract-desk.ts'
import { isGift } from '../order-rules.ts'
import type { PaymentIntentRow } from '../tables.ts'
import { activatePurchase } from './activate-purchase.ts'
import { releaseCodeForFreeOrder, startOrResumePayment } from './begin-payment.ts'
import { beginOffers, requestBegin, withdrawBeginRequest } from './begin-requests.ts'
import { createPromotionCode, editPromotionCode, endPromotionCode, promotionCodeList } from './codes.ts'
import { confirmOrder, endOrder } from './confirm-order.ts'
import type { Provider } from './provider.ts'
import { allPurchases, countPurchases, soldPackage } from './purchases.ts'
import { findIntent, findPurchase, passOfIntent, paymentsUnderway } from './queries.ts'
import { buyForFree, quoteOrder } from './quote-order.ts'
import { recordSale, sellVoucher, voidSale } from './record-sale.ts'
import { decideRefund, refundPurchase } from './refunds.ts'
import { syncPayment } from './sync-payment.ts'

const { paymentRefusals } = contract

/** @param options.provider undefined if card payments are not set up */
export function paymentRoutes(
  http: Http,
  options: {
    /** A live site takes no payment until its owner has confirmed name, address and contact. */
    mode: 'demo' | 'live'
    provider: Provider | undefined
    vault: Vault
    throttle: Pick<Throttles, 'refuseGuessing' | 'countGuess'>
    setup: { provider: 'stripe' | 'sandbox' | 'disabled'; publishableKey: string | null }
  },
): void {
  const { database, clock } = http
  const { db } = database
  const provider = () => options.provider ?? refuse(paymentRefusals.payments_disabled)

  const mayCharge = () => isConfirmed(db, options.mode)
  serve(http, contract.getPaymentSetup, async ({ db, user }) => ({
    ...((await mayCharge()) ? options.setup : { provider: 'disabled' as const, publishableKey: null }),
    isUsedTonight: user && (await hasRegularBooking(db, user.id)) ? true : undefined,
  }))

  /** Codes can be guessed only so often. */
  const guarded = async <Result>(call: Pick<FastifyRequest, 'ip'>, userId: string, work: () => Promise<Result>) => {
    await options.throttle.refuseGuessing(userId, call.ip)
    try {
      return await work()
    } catch (error) {
      const isGuess = error instanceof Refusal && error.code === codeRefusals.code_unknown.code
      if (isGuess) await options.throttle.countGuess(userId, call.ip)
      throw error
    }
  }

  serve(http, contract.createPaymentIntent, async ({ now, user, body, request }) => {
    if (!(await mayCharge())) refuse(paymentRefusals.payments_disabled)
    const order = { ...body, code: body.code ?? undefined, gift: body.gift ?? undefined }
    const means = { provider: provider(), vault: options.vault }
    const start = () => startOrResumePayment(database, means, user, order, now)
    return await (order.code ? guarded(request, user.id, start) : start())
  })

  serve(http, codes.getQuote, ({ db, now, user, query: { gift, ...wanted }, request }) =>
    guarded(request, user.id, () => quoteOrder(db, { ...wanted, userId: user.id, isVoucher: gift ?? false }, now)),
  )
  const before = async ({ user, body }: { user: { id: string }; body: { code: string; packageId: number } }) => {
    if (options.provider)
      await releaseCodeForFreeOrder(database, options.provider, { ...body, userId: user.id }, clock.now())
  }
  write(
    http,
    codes.buyForFree,
    async ({ tx, now, user, body, request }) => {
      if (!(await mayCharge())) refuse(paymentRefusals.payments_disabled)
      const wanted = { ...body, gift: body.gift ?? undefined, userId: user.id }
      await guarded(request, user.id, () => buyForFree(tx, options.vault, wanted, now))
      return { message: body.gift ? 'Your voucher is ready' : 'Your pass is active' }
    },
    { before },
  )
  serve(http, codes.listPromotionCodes, ({ db }) => promotionCodeList(db))
  write(http, codes.createPromotionCode, ({ tx, now, user, body }) => createPromotionCode(tx, user, body, now))
  write(http, codes.editPromotionCode, ({ tx, now, user, params, body }) =>
    editPromotionCode(tx, user, params.id, body, now),
  )
  write(http, codes.endPromotionCode, ({ tx, now, user, params }) => endPromotionCode(tx, user, params.id, now))

  serve(http, begin.listBeginOffers, ({ db, now, user, query }) => beginOffers(db, user.id, query, now))
  write(http, begin.requestBegin, ({ tx, now, user }) => requestBegin(tx, user.id, now))
  write(http, begin.withdrawBeginRequest, ({ tx, now, user, params }) =>
    withdrawBeginRequest(tx, { id: params.id, userId: user.id }, now),
  )
  serve(http, contract.confirmOrder, ({ now, user, params, body }) =>
    confirmOrder(database, provider(), { ...params, ...body, userId: user.id }, now),
  )
  serve(http, contract.endOrder, ({ now, user, params, query }) =>
    endOrder(database, provider(), { ...params, ...query, userId: user.id }, now),
  )

  serve(http, contract.listPurchases, async ({ db, now, query, reply }) => {
    return await sendPage(reply, query, () => countPurchases(db, query), allPurchases(db, query, now))
  })

  write(http, contract.refundPurchase, async ({ tx, now, user, params, body }) => {
    // Desk sales are refunded at the desk.
    if (!(await findPurchase(tx, params.id))?.deskMethod) provider()
    await refundPurchase(tx, user, params.id, body, now)
    return await purchaseOf(tx, params.id)
  })

  write(http, contract.refundByHand, async ({ tx, now, user, params, body }) => {
    const { method, paidOn, ...order } = body
    await refundPurchase(tx, user, params.id, { ...order, byHand: { method, paidOn } }, now)
    return await purchaseOf(tx, params.id)
  })

  write(http, contract.decideRefund, async ({ tx, now, user, params, body }) =>
    purchaseOf(tx, await decideRefund(tx, user, params.id, body, now)),
  )

  write(http, desk.recordSale, async ({ tx, now, user, params, body }) =>
    purchaseOf(tx, await recordSale(tx, user, { userId: params.id, ...body }, now)),
  )

  write(http, desk.sellVoucher, async ({ tx, now, user, params, body }) => {
    const id = await sellVoucher(tx, options.vault, user, { userId: params.id, ...body }, now)
    const [sold] = await allVouchers(tx, { id }, now)
    return sold ?? refuse(paymentRefusals.purchase_not_found)
  })

  write(http, desk.voidSale, ({ tx, now, user, params: { id, purchaseId } }) =>
    voidSale(tx, user, { userId: id, purchaseId }, now),
  )

  async function purchaseOf(tx: Tx, id: number) {
    const [purchase] = await allPurchases(tx, { id }, clock.now())
    return purchase ?? refuse(paymentRefusals.purchase_not_found)
  }

  serve(http, contract.listPaymentsUnderway, async ({ db, user }) => {
    const underway = await paymentsUnderway(db, user.id)
    return underway.map((payment) => ({
      package: soldPackage(payment),
      isVoucher: isGift(payment),
      amount: payment.amountPence,
      since: payment.createdAt,
    }))
  })

  serve(http, contract.purchasePackage, async ({ user, body, reply }) => {
    const intent = await findIntent(db, body.paymentIntentId)
    if (intent?.userId !== user.id) refuse(paymentRefusals.payment_not_found)
    if (intent.packageId !== body.packageId) refuse(paymentRefusals.payment_mismatch)
    if (intent.state === 'refunded') refuse(await returnRefusal(db, intent))
    if (intent.state === 'mismatched') refuse(paymentRefusals.payment_mismatch_returned)
    const before = intent.state === 'purchased' ? await boughtWith(db, user.id, intent) : undefined
    if (before) {
      reply.code(200)
      return before
    }
    const paid = (await provider().find(intent.id)) ?? refuse(paymentRefusals.payment_not_found)
    if (paid.status === 'processing') {
      await syncPayment(database, provider(), intent.id, clock.now(), { full: false })
      refuse(paymentRefusals.payment_processing)
    }
    if (paid.status !== 'succeeded') refuse(paymentRefusals.payment_incomplete)
    // Pass or voucher is read in the same transaction: after the commit nothing is left that can fail.
    const { outcome, bought } = await database.transaction(async (tx) => {
      const activation = await activatePurchase(tx, intent.id, paid, clock.now())
      return { ...activation, bought: await boughtWith(tx, user.id, intent) }
    })
    if (outcome === 'mismatched') refuse(paymentRefusals.payment_mismatch_returned)
    if (!bought) refuse(await returnRefusal(db, intent))
    if (outcome === 'was_active') reply.code(200)
    return bought
  })

  /** The pass or the voucher that a payment has bought. */
  async function boughtWith(reader: Reader, userId: string, intent: PaymentIntentRow) {
    if (isGift(intent)) {
      const [voucher] = await allVouchers(reader, { buyerId: userId, paymentIntentId: intent.id }, clock.now())
      return voucher
    }
    return await passOfIntent(reader, userId, intent.id)
  }
}

/** Why a payment was returned: the package is already held, or the member is blocked. */
async function returnRefusal(reader: Reader, intent: PaymentIntentRow) {
  const { userId, packageId } = intent
  const isHeld = userId !== null && !isGift(intent) && (await hasPassFor(reader, userId, packageId))
  return isHeld ? paymentRefusals.duplicate_purchase_refunded : paymentRefusals.blocked_purchase_refunded
}
