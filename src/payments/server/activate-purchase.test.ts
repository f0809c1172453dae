import { expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { initialFacts } from '#studio.ts'
import type { Person } from '#testing/person.ts'
import type { StudioUnderTest } from '#testing/studio-under-test.ts'
import { paymentRefusals } from '../contract.ts'
import { activatePass, openStudioWithBank, shareStudioWithBank, startPayment } from './bank-under-test.ts'

const story = shareStudioWithBank()

const passesOf = async (person: Person) => (await person.request('GET', '/api/user/passes')).body
const receiptsOf = async (person: Person) =>
  (await story.studio.mailTo(person)).filter(({ subject }) => subject.toLowerCase().includes('receipt'))
/** The owner's emails about payments. */
const noticesOf = async (studio: StudioUnderTest) =>
  (await studio.mailTo({ email: initialFacts.ownerEmail })).filter(({ subject }) => subject.includes('returned'))
const purchasesOf = (person: Person) =>
  story.studio.count('select count(*) from purchases where user_id = $1', [person.id])

test('activates a paid package: 201, then 200 with the same pass', async () => {
  const { studio, bank, ana } = story
  const member = await studio.member('Clara')
  const bought = await studio.createPackage({ name: 'Winter Pass', price: '45.50', classCount: 3, validityMonths: 2 })
  const started = await startPayment(member, bought)
  expect((await bank.pay(started)).status).toBe('succeeded')
  const first = await activatePass(member, bought, started)
  expect(first).toMatchObject({
    status: 201,
    body: {
      userId: member.id,
      packageId: bought.id,
      creditsRemaining: 3,
      creditsTotal: 3,
      // 7 December plus two months, until the end of that day.
      expiresAt: '2027-02-07T23:59:59Z',
      package: { name: 'Winter Pass', price: '45.50' },
      classPass: { name: 'Winter Pass' },
    },
  })
  const again = await activatePass(member, bought, started)
  expect(again).toMatchObject({ status: 200, body: first.body })
  expect(await passesOf(member)).toEqual([first.body])
  expect(await passesOf(ana)).not.toContainEqual(expect.objectContaining({ packageId: bought.id }))

  const [receipt, ...others] = await receiptsOf(member)
  expect(others).toEqual([])
  expect(receipt?.text).toContain('£45.50')
  expect(receipt?.text).toContain('Winter Pass')
})

test('activates nothing for an unpaid, declined or unauthenticated payment', async () => {
  const { studio, bank } = story
  const member = await studio.member('Declan')
  const bought = await studio.createPackage()
  const started = await startPayment(member, bought)
  expect(await activatePass(member, bought, started)).toBeRefused(paymentRefusals.payment_incomplete)
  const declined = await bank.pay(started, 'pm_card_chargeDeclined')
  expect(declined.error).toMatchObject({ code: 'card_declined' })
  expect(await activatePass(member, bought, started)).toBeRefused(paymentRefusals.payment_incomplete)
  expect((await bank.pay(started, 'pm_card_authenticationRequired')).status).toBe('requires_action')
  expect(await activatePass(member, bought, started)).toBeRefused(paymentRefusals.payment_incomplete)
  expect(await passesOf(member)).toEqual([])
  expect(await purchasesOf(member)).toBe(0)
  // The same payment with a valid card.
  expect((await bank.pay(started)).status).toBe('succeeded')
  expect((await activatePass(member, bought, started)).status).toBe(201)
})

test('3-D Secure: a failed attempt can be retried, a successful one pays', async () => {
  const { studio, bank } = story
  const member = await studio.member('Thea')
  const bought = await studio.createPackage()
  const started = await startPayment(member, bought)
  await bank.pay(started, 'pm_card_authenticationRequired')
  await bank.browser(started, 'authenticate', { outcome: 'failed' })
  expect(await activatePass(member, bought, started)).toBeRefused(paymentRefusals.payment_incomplete)
  expect((await startPayment(member, bought)).body).toEqual(started.body)
  await bank.pay(started, 'pm_card_authenticationRequired')
  await bank.browser(started, 'authenticate', { outcome: 'succeeded' })
  expect((await activatePass(member, bought, started)).status).toBe(201)
})

test('accepts a payment for its own member and package only', async () => {
  const { studio, bank, boris } = story
  const member = await studio.member('Olga')
  const [small, big] = [await studio.createPackage({ price: '45.00' }), await studio.createPackage({ price: '600.00' })]
  const started = await startPayment(member, small)
  await bank.pay(started)
  expect(await activatePass(boris, small, started)).toBeRefused(paymentRefusals.payment_not_found)
  expect(await activatePass(studio.visitor(), small, started)).toBeRefused(commonRefusals.unauthorized)
  expect(await activatePass(member, big, started)).toBeRefused(paymentRefusals.payment_mismatch)
  expect((await activatePass(member, small, started)).status).toBe(201)
  expect(await activatePass(boris, small, started)).toBeRefused(paymentRefusals.payment_not_found)
  expect(await passesOf(boris)).toEqual([])
})

test.each(['pi_unknown', '../../v1/refunds', 'x'.repeat(255)])('does not find the payment %s', async (id) => {
  const { studio, ana } = story
  const bought = await studio.createPackage()
  const response = await activatePass(ana, bought, {
    status: 200,
    headers: new Headers(),
    body: { paymentIntentId: id },
  })
  expect(response).toBeRefused(paymentRefusals.payment_not_found)
})

test.each([{}, { paymentIntentId: 5 }, { paymentIntentId: '' }, { paymentIntentId: null }])(
  'a payment sent as %j is refused with a message at its field',
  async (sent) => {
    const response = await story.ana.request('POST', '/api/purchase-package', { packageId: 1, ...sent })
    const errors = [{ path: 'paymentIntentId', message: 'Enter the id of the payment' }]
    expect(response).toMatchObject({ status: 400, body: { errors } })
  },
)

test('rejects a payment the provider has for another member', async () => {
  const { studio, bank, boris } = story
  const member = await studio.member('Mallory')
  const bought = await studio.createPackage()
  const started = await startPayment(member, bought)
  await bank.stripe.paymentIntents.update(started.body.paymentIntentId, { metadata: { userId: boris.id } })
  await bank.pay(started)
  expect(await activatePass(member, bought, started)).toBeRefused(paymentRefusals.payment_mismatch_returned)
  expect(await passesOf(member)).toEqual([])
})

test('rejects a smaller amount at the provider', async () => {
  const { studio, bank } = story
  const member = await studio.member('Penny')
  const bought = await studio.createPackage({ price: '45.00' })
  const started = await startPayment(member, bought)
  await bank.stripe.paymentIntents.update(started.body.paymentIntentId, { amount: 4499 })
  await bank.pay(started)
  expect(await activatePass(member, bought, started)).toBeRefused(paymentRefusals.payment_mismatch_returned)
  expect(await passesOf(member)).toEqual([])
})

test('honours the price, size and validity from when the payment started', async () => {
  const { studio, bank, dora } = story
  const member = await studio.member('Edith')
  const bought = await studio.createPackage({ price: '45.00', classCount: 4, validityMonths: 1 })
  const started = await startPayment(member, bought)
  await dora.request('PUT', `/api/packages/${bought.id}`, { price: '99', classCount: 1, validityMonths: 12 })
  await bank.pay(started)
  const pass = await activatePass(member, bought, started)
  expect(pass).toMatchObject({
    status: 201,
    body: { creditsRemaining: 4, expiresAt: '2027-01-07T23:59:59Z', package: { price: '99.00' } },
  })
  const [receipt] = await receiptsOf(member)
  expect(receipt?.text).toContain('£45.00')
})

test('activates a package deleted after the payment started', async () => {
  const { studio, bank, dora } = story
  const member = await studio.member('Delia')
  const bought = await studio.createPackage({ name: 'Gone Pass' })
  const started = await startPayment(member, bought)
  await dora.request('DELETE', `/api/packages/${bought.id}`)
  await bank.pay(started)
  expect(await activatePass(member, bought, started)).toMatchObject({
    status: 201,
    body: { package: { name: 'Gone Pass' } },
  })
})

test('concurrent browser calls, webhooks and reconciliation create one pass, one purchase, one receipt', async () => {
  const { studio, bank, ana } = await openStudioWithBank()
  const bought = await studio.createPackage({ classCount: 5 })
  const started = await startPayment(ana, bought)
  await bank.pay(started)
  studio.clock.advance({ minutes: 5 })
  const intentId = started.body.paymentIntentId
  const [first, second, third, ...others] = await Promise.all([
    activatePass(ana, bought, started),
    activatePass(ana, bought, started),
    activatePass(ana, bought, started),
    bank.deliverEvent(studio, 'payment_intent.succeeded', intentId),
    bank.deliverEvent(studio, 'payment_intent.succeeded', intentId),
    studio.runQueue('reconcile-payments'),
    // Runs the scheduled job by hand.
    studio.server.workers['reconcile-payments']({}, 'by hand'),
  ])
  for (const response of [first, second, third]) {
    expect([200, 201], studio.faults()).toContain(response.status)
  }
  expect([first, second, third].filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1)
  expect(new Set([first, second, third].map(({ body }) => body.id)).size).toBe(1)
  expect(others.slice(0, 2)).toMatchObject([{ status: 200 }, { status: 200 }])
  expect(await studio.creditsOf(ana)).toBe(15)
  expect(await studio.count('select count(*) from purchases')).toBe(1)
  expect(await studio.count(`select count(*) from credit_ledger where kind = 'purchase'`)).toBe(1)
  const subjects = (await studio.mailTo(ana)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.includes('receipt'))).toHaveLength(1)
})

test('refunds the second payment of a once-only package in full, once, and emails both sides', async () => {
  const { studio, bank, ana, boris } = await openStudioWithBank()
  const bought = await studio.createPackage({ name: 'First Steps', price: '129.00', purchaseOncePerUser: true })
  const one = await startPayment(ana, bought)
  // Closed here, but not at the provider, as if the browser still had the form.
  await studio.server.database.pool.query(`update payment_intents set state = 'cancelled', settled_at = created_at`)
  const two = await startPayment(ana, bought)
  await Promise.all([bank.pay(one), bank.pay(two)])
  expect((await activatePass(ana, bought, one)).status).toBe(201)
  studio.clock.advance({ minutes: 5 })
  const [again, once, webhook] = await Promise.all([
    activatePass(ana, bought, two),
    activatePass(ana, bought, two),
    bank.deliverEvent(studio, 'payment_intent.succeeded', two.body.paymentIntentId),
    studio.server.workers['reconcile-payments']({}, 'by hand'),
  ])
  for (const response of [again, once, await activatePass(ana, bought, two)]) {
    expect(response).toBeRefused(paymentRefusals.duplicate_purchase_refunded)
  }
  expect(webhook.status).toBe(200)
  // The job may run twice.
  await studio.runQueue('send-refund')
  const refundId = await studio.count('select id from refunds')
  await studio.server.workers['send-refund']({ refundId }, 'once more')
  expect(await bank.refundsOf(two.body.paymentIntentId)).toEqual([12_900])
  expect(await bank.refundsOf(one.body.paymentIntentId)).toEqual([])

  expect(await studio.creditsOf(ana)).toBe(18)
  expect(await studio.count('select count(*) from purchases')).toBe(1)
  const returned = (await studio.mailTo(ana)).filter(({ subject }) => subject.includes('returned'))
  expect(returned).toHaveLength(1)
  expect(returned[0]?.text).toContain('£129.00')
  const [notice, ...more] = await noticesOf(studio)
  expect(more).toEqual([])
  expect(notice?.text).toContain(ana.email)
  expect(notice?.text).toContain('First Steps')
  expect(notice?.text).not.toContain('You paid for')
  expect((await studio.mailTo(boris)).map(({ subject }) => subject)).not.toContainEqual(
    expect.stringMatching('returned'),
  )
})

test('refunds the payment of a deleted account, and emails the owner without a name', async () => {
  const { studio, bank, dora } = await openStudioWithBank()
  const bought = await studio.createPackage({ name: 'Farewell Pass', price: '65.00' })
  const leaving = await studio.member('Lena')
  const started = await startPayment(leaving, bought)
  await dora.request('DELETE', `/api/admin/users/${leaving.id}`)
  await bank.pay(started)
  await bank.deliverEvent(studio, 'payment_intent.succeeded', started.body.paymentIntentId)
  await studio.runQueue('send-refund')
  expect(await bank.refundsOf(started.body.paymentIntentId)).toEqual([6500])
  expect(await studio.count('select count(*) from purchases')).toBe(0)
  const [notice] = await noticesOf(studio)
  expect(notice?.text).toContain('Farewell Pass')
  expect(notice?.text).not.toContain('Lena')
})
