import { expect, test } from 'vitest'
import { activatePass, shareStudioWithBank, startPayment } from './bank-under-test.ts'

const story = shareStudioWithBank()
const SUCCEEDED = 'payment_intent.succeeded'

async function paidBy(name: string) {
  const { studio, bank } = story
  const member = await studio.member(name)
  const bought = await studio.createPackage()
  const started = await startPayment(member, bought)
  await bank.pay(started)
  return { member, bought, started, intentId: started.body.paymentIntentId as string }
}

test('activates a pass and mails the receipt by webhook alone', async () => {
  const { studio, bank } = story
  const { member, bought, started, intentId } = await paidBy('Wilma')
  expect(await bank.deliverEvent(studio, SUCCEEDED, intentId)).toMatchObject({ status: 200 })
  expect(await studio.creditsOf(member)).toBe(8)
  expect((await studio.mailTo(member)).map(({ subject }) => subject)).toContainEqual(expect.stringContaining('receipt'))
  // The browser returns after all.
  expect((await activatePass(member, bought, started)).status).toBe(200)
})

test('ignores duplicate and late events', async () => {
  const { studio, bank } = story
  const { member, intentId } = await paidBy('Tabea')
  for (const type of [SUCCEEDED, SUCCEEDED, 'payment_intent.created', SUCCEEDED]) {
    expect((await bank.deliverEvent(studio, type, intentId)).status).toBe(200)
  }
  expect(await studio.creditsOf(member)).toBe(8)
  expect(await studio.count('select count(*) from purchases where user_id = $1', [member.id])).toBe(1)
  const subjects = (await studio.mailTo(member)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.includes('receipt'))).toHaveLength(1)
})

test('handles a failure event that arrives after the success', async () => {
  const { studio, bank } = story
  const member = await studio.member('Oskar')
  const bought = await studio.createPackage()
  const started = await startPayment(member, bought)
  await bank.pay(started, 'pm_card_chargeDeclined')
  await bank.pay(started)
  const intentId = started.body.paymentIntentId
  expect((await bank.deliverEvent(studio, SUCCEEDED, intentId)).status).toBe(200)
  expect((await bank.deliverEvent(studio, 'payment_intent.payment_failed', intentId)).status).toBe(200)
  expect(await studio.creditsOf(member)).toBe(8)
})

test('trusts an event only as far as the provider confirms it', async () => {
  const { studio, bank } = story
  const member = await studio.member('Ellen')
  const bought = await studio.createPackage()
  const started = await startPayment(member, bought)
  const { paymentIntentId } = started.body
  const object = { id: paymentIntentId, object: 'payment_intent', status: 'succeeded', amount_received: 42_400 }
  const event = { id: 'evt_1', object: 'event', type: SUCCEEDED, data: { object } }
  expect((await bank.postWebhook(studio, JSON.stringify(event))).status).toBe(200)
  expect(await studio.creditsOf(member)).toBe(0)
  expect((await startPayment(member, bought)).body.paymentIntentId).toBe(paymentIntentId)
})

test.each<[string, string, Parameters<typeof story.bank.deliverEvent>[3]]>([
  ['Nora', 'without a signature', { signature: null }],
  ['Emil', 'with an empty signature', { signature: '' }],
  ['Nina', 'with nonsense for a signature', { signature: 't=1,v1=abc' }],
  ['Sven', 'signed with another secret', { signedWith: 'whsec_somebody_else' }],
  ['Lars', 'signed six minutes ago', { signedSecondsAgo: 360 }],
])("refuses the event of %s's payment, %s", async (name, _how, telling) => {
  const { studio, bank } = story
  const { member, intentId } = await paidBy(name)
  const response = await bank.deliverEvent(studio, SUCCEEDED, intentId, telling)
  expect(response).toMatchObject({ status: 400, body: { message: expect.any(String) } })
  expect(await studio.creditsOf(member)).toBe(0)
  expect((await bank.deliverEvent(studio, SUCCEEDED, intentId, { signedSecondsAgo: 200 })).status).toBe(200)
  expect(await studio.creditsOf(member)).toBe(8)
})

test('accepts a signature for its own body only', async () => {
  const { studio, bank } = story
  const { member, intentId } = await paidBy('Marta')
  const signature = bank.sign('{"type":"customer.created"}')
  expect((await bank.deliverEvent(studio, SUCCEEDED, intentId, { signature })).status).toBe(400)
  expect(await studio.creditsOf(member)).toBe(0)
})

test.each([
  ['of a payment we do not know', { type: SUCCEEDED, data: { object: { id: 'pi_of_another_shop' } } }],
  ['without an id', { type: SUCCEEDED, data: { object: {} } }],
  ['of a kind we do not need', { type: 'customer.created', data: { object: { id: 'cus_1' } } }],
  ['named like something every object has', { type: '__proto__', data: { object: { id: 'pi_1' } } }],
])('accepts and ignores an event %s', async (_what, event) => {
  const { studio, bank } = story
  const body = JSON.stringify({ id: 'evt_1', object: 'event', ...event })
  expect((await bank.postWebhook(studio, body)).status).toBe(200)
})

test.each([
  ['Conny', 'of another account', { account: 'acct_of_somebody_else' }],
  ['Livia', 'of real money, where ours is not', { livemode: true }],
])("accepts and ignores the event of %s's payment, well signed but %s", async (name, _what, foreign) => {
  const { studio, bank } = story
  const { member, intentId } = await paidBy(name)
  const object = { id: intentId, object: 'payment_intent', status: 'succeeded' }
  const event = { id: 'evt_1', object: 'event', type: SUCCEEDED, livemode: false, data: { object } }
  expect((await bank.postWebhook(studio, JSON.stringify({ ...event, ...foreign }))).status).toBe(200)
  expect(await studio.creditsOf(member)).toBe(0)
  expect((await bank.postWebhook(studio, JSON.stringify(event))).status).toBe(200)
  expect(await studio.creditsOf(member)).toBe(8)
})

test.each(['', 'not json', '[]', 'null', '{}', '{"type":"payment_intent.succeeded","data":{"object":{"id":[]}}}'])(
  'a signed body that is no event (%j) is a 400',
  async (body) => {
    expect((await story.bank.postWebhook(story.studio, body)).status).toBe(400)
  },
)

test('closes a payment cancelled at the provider, and the next visit starts another', async () => {
  const { studio, bank } = story
  const member = await studio.member('Zoe')
  const bought = await studio.createPackage()
  const started = await startPayment(member, bought)
  await bank.stripe.paymentIntents.cancel(started.body.paymentIntentId)
  await bank.deliverEvent(studio, 'payment_intent.canceled', started.body.paymentIntentId)
  const states = `select count(*) from payment_intents where state = 'open' and user_id = $1`
  expect(await studio.count(states, [member.id])).toBe(0)
  expect((await startPayment(member, bought)).body.paymentIntentId).not.toBe(started.body.paymentIntentId)
})
