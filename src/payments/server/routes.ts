import type { Clock } from '../../foundation/clock.ts'
import { refuse } from '../../foundation/refusal.ts'
import { passOf } from '../../passes/server/passes.ts'
import type { Database } from '../../server/database/database.ts'
import { type Http, serve, tellTotal } from '../../server/http/serve.ts'
import * as contract from '../contract.ts'
import { activatePurchase } from './activate-purchase.ts'
import { beginPayment } from './begin-payment.ts'
import type { Provider } from './provider.ts'
import { allPurchases, countPurchases } from './purchases.ts'
import { findIntent, passIdOfIntent } from './queries.ts'
import { refundPurchase } from './refund-purchase.ts'

const { paymentRefusals } = contract

/** @param options.provider absent when card payments are not set up: everything else works */
export function paymentRoutes(
  http: Http,
  options: {
    database: Database
    clock: Clock
    provider: Provider | undefined
    setup: { provider: 'stripe' | 'sandbox' | 'disabled'; publishableKey: string | null }
  },
): void {
  const { database, clock } = options
  const { db } = database
  const provider = () => options.provider ?? refuse(paymentRefusals.payments_disabled)

  serve(http, contract.getPaymentSetup, async () => options.setup)

  serve(http, contract.createPaymentIntent, async ({ user, body }) =>
    beginPayment(database, provider(), user, body, clock.now()),
  )

  serve(http, contract.listPurchases, async ({ query, reply }) => {
    if (query.limit !== undefined) tellTotal(reply, await countPurchases(db, query))
    return await allPurchases(db, query, clock.now())
  })

  serve(http, contract.refundPurchase, async ({ user, params }) => {
    provider()
    return await database.transaction(async (tx) => {
      await refundPurchase(tx, user, params.id, clock.now())
      const [refunded] = await allPurchases(tx, { id: params.id }, clock.now())
      return refunded ?? refuse(paymentRefusals.purchase_not_found)
    })
  })

  serve(http, contract.purchasePackage, async ({ user, body, reply }) => {
    const intent = await findIntent(db, body.paymentIntentId)
    if (intent?.userId !== user.id) refuse(paymentRefusals.intent_not_found)
    if (intent.packageId !== body.packageId) refuse(paymentRefusals.payment_differs)
    if (intent.state === 'refunded') refuse(paymentRefusals.refunded_already_held)
    const before = await passIdOfIntent(db, intent.id)
    if (before !== undefined) {
      reply.code(200)
      return await passOf(db, user.id, before)
    }
    const paid = (await provider().look(intent.id)) ?? refuse(paymentRefusals.intent_not_found)
    if (paid.status !== 'succeeded') refuse(paymentRefusals.not_paid)
    // The pass is read in the same transaction: once it is committed there is nothing left to fail.
    const { outcome, pass } = await database.transaction(async (tx) => {
      const activation = await activatePurchase(tx, intent.id, paid, clock.now())
      if (activation.outcome === 'given_back') return { outcome: activation.outcome, pass: undefined }
      return { outcome: activation.outcome, pass: await passOf(tx, user.id, activation.passId) }
    })
    if (!pass) refuse(paymentRefusals.refunded_already_held)
    if (outcome === 'was_active') reply.code(200)
    return pass
  })
}
