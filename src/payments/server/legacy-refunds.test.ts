/** Refunds that may have been sent by earlier versions, matched by the marks those wrote. */
import { expect, test } from 'vitest'
import { listPurchases, refundPurchase } from '../contract.ts'
import { activatePass, shareStudioWithBank, startPayment } from './bank-under-test.ts'

const story = shareStudioWithBank()

/** A member who paid twice for a once-only package: the second payment is not yet returned. */
async function payTwice(name: string) {
  const { studio, bank } = story
  const member = await studio.member(name, { health: true })
  const bought = await studio.createPackage({ name: `Pass of ${name}`, price: '45.50', purchaseOncePerUser: true })
  const first = await startPayment(member, bought)
  // Closed here, but not at the provider, as if the browser still had the form.
  const close = `update payment_intents set state = 'cancelled', settled_at = created_at where id = $1`
  await studio.server.database.pool.query(close, [first.body.paymentIntentId])
  const second = await startPayment(member, bought)
  for (const started of [first, second]) {
    await bank.pay(started)
    await activatePass(member, bought, started)
  }
  const intentId: string = second.body.paymentIntentId
  return { member, intentId }
}

const refundsOf = async (intentId: string) => {
  const query = 'select origin, status, failure from refunds where payment_intent_id = $1 order by id'
  return (await story.studio.server.database.pool.query(query, [intentId])).rows
}
const mailSubjectsTo = async (person: { email: string }) =>
  (await story.studio.mailTo(person)).map(({ subject }) => subject)
const GIVEN_BACK = [{ origin: 'given_back', status: 'succeeded', failure: null }]

test('returns a payment refunded without a reference once, by webhook or poll', async () => {
  const { studio, bank } = story
  for (const isTold of [true, false]) {
    const { member, intentId } = await payTwice(isTold ? 'Tolda' : 'Aska')
    await bank.stripe.refunds.create({ payment_intent: intentId })
    if (isTold) await bank.deliverEvents(studio, intentId)
    await studio.runQueue('send-refund')
    await bank.deliverEvents(studio, intentId)
    expect(await refundsOf(intentId)).toEqual(GIVEN_BACK)
    expect(await bank.refundsOf(intentId)).toEqual([4550])
    expect((await mailSubjectsTo(member)).filter((subject) => /refund/.test(subject))).toEqual([])
  }
})

test('does not also refund a payment that was refunded there in parts', async () => {
  const { studio, bank } = story
  const { member, intentId } = await payTwice('Parta')
  for (const amount of [4000, 550]) await bank.stripe.refunds.create({ payment_intent: intentId, amount })
  await bank.deliverEvents(studio, intentId)
  await studio.runQueue('send-refund')
  expect((await refundsOf(intentId))[0]).toEqual({
    origin: 'given_back',
    status: 'failed',
    failure: 'refunded_at_the_provider',
  })
  expect((await mailSubjectsTo(member)).filter((subject) => /did not arrive/.test(subject))).toEqual([])
})

test('assigns a refund to the purchase it names, by webhook or poll', async () => {
  const { studio, bank, dora } = story
  for (const isTold of [true, false]) {
    const name = isTold ? 'Tilda' : 'Asta'
    const member = await studio.member(name)
    const bought = await studio.createPackage({ name: `Pass of ${name}`, price: '45.50' })
    const started = await startPayment(member, bought)
    await bank.pay(started)
    await activatePass(member, bought, started)
    const intentId: string = started.body.paymentIntentId
    const { id } = (await dora.call(listPurchases, { query: { search: name } })).body[0]
    await dora.call(refundPurchase, { params: { id }, body: {} })
    const metadata = { purchaseId: String(id) }
    await bank.stripe.refunds.create({ payment_intent: intentId, amount: 4095, metadata })
    if (isTold) await bank.deliverEvents(studio, intentId)
    await studio.runQueue('send-refund')
    await bank.deliverEvents(studio, intentId)
    expect(await refundsOf(intentId)).toEqual([{ origin: 'rule', status: 'succeeded', failure: null }])
    expect((await mailSubjectsTo(member)).filter((subject) => /refund/.test(subject))).toHaveLength(1)
  }
})
