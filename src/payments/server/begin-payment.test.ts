import { drizzle } from 'drizzle-orm/node-postgres'
import type { QueryConfig } from 'pg'
import { expect, test } from 'vitest'
import { defined } from '#foundation/collections.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import { createVault } from '#platform/vault/vault.ts'
import type { TestResponse } from '#testing/person.ts'
import { countStatements, planOf } from '#testing/statements.ts'
import { getPaymentSetup, paymentRefusals } from '../contract.ts'
import { activatePass, shareStudioWithBank, startPayment } from './bank-under-test.ts'
import { startOrResumePayment } from './begin-payment.ts'
import { paymentsSoFar } from './queries.ts'

const story = shareStudioWithBank()
const edit = (id: number, body: object) => story.dora.request('PUT', `/api/packages/${id}`, body)
const intentsOf = (packageId: number) =>
  story.studio.count('select count(*) from payment_intents where package_id = $1', [packageId])

test('starts a payment of the price for this member and package', async () => {
  const { studio, bank, ana } = story
  const bought = await studio.createPackage({ price: '45.50', name: 'Winter Pass' })
  const started = await startPayment(ana, bought)
  expect(started.status).toBe(200)
  const asked = await bank.stripe.paymentIntents.retrieve(started.body.paymentIntentId)
  expect(asked).toMatchObject({
    amount: 4550,
    currency: 'gbp',
    description: 'Winter Pass',
    status: 'requires_payment_method',
    client_secret: started.body.clientSecret,
    metadata: { userId: ana.id, packageId: String(bought.id) },
  })
  expect(await startPayment(studio.visitor(), bought)).toBeRefused(commonRefusals.unauthorized)
})

test('says to members with a regular booking alone that it uses new credits from tonight', async () => {
  const { studio } = story
  const [nora, rosa] = [await studio.member('Nora'), await studio.member('Rosa')]
  await studio.server.database.pool.query(
    `insert into regular_bookings (user_id, weekday, start_time, from_date, created_at, mailed_at)
     values ($1, 5, '06:20', '2026-12-11', now(), now())`,
    [rosa.id],
  )
  expect(await rosa.read(getPaymentSetup)).toMatchObject({ isUsedTonight: true })
  for (const person of [nora, studio.visitor()])
    expect(await person.read(getPaymentSetup)).not.toHaveProperty('isUsedTonight')
})

test.each(['45.00', '45', '45.0', 45])('accepts £45 sent as %j', async (amount) => {
  const bought = await story.studio.createPackage({ price: '45.00' })
  expect((await startPayment(story.ana, bought, amount)).status).toBe(200)
})

test.each(['44.99', 45.01, '45.001', 4500])('rejects %j for £45', async (amount) => {
  const bought = await story.studio.createPackage({ price: '45.00' })
  expect(await startPayment(story.ana, bought, amount)).toBeRefused(paymentRefusals.price_changed)
  expect(await intentsOf(bought.id)).toBe(0)
})

test.each([
  0,
  '0',
  '0.00',
  -45,
  '-45',
  null,
  '',
  'forty-five',
  '45,00',
  ['45'],
  { pounds: 45 },
  true,
  '1e2',
  '9'.repeat(400),
])('refuses an amount of %j next to its field', async (amount) => {
  const bought = await story.studio.createPackage({ price: '45.00' })
  const body = { packageId: bought.id, amount }
  const response = await story.ana.request('POST', '/api/create-payment-intent', body)
  const message = 'Amount must be greater than 0'
  expect(response).toMatchObject({ status: 400, body: { message, errors: [{ path: 'amount', message }] } })
})

test('requires an amount and a package', async () => {
  const bought = await story.studio.createPackage({})
  const amount = await story.ana.request('POST', '/api/create-payment-intent', { packageId: bought.id })
  expect(amount).toMatchObject({ status: 400, body: { message: 'Amount must be greater than 0' } })
  const nothing = await story.ana.request('POST', '/api/create-payment-intent')
  expect(nothing.body.errors.map(({ path }: { path: string }) => path)).toEqual(['packageId', 'amount'])
})

test('does not sell a hidden package, and does not find a deleted or unknown one', async () => {
  const { studio, ana, dora } = story
  const bought = await studio.createPackage({})
  await dora.request('PATCH', `/api/admin/packages/${bought.id}/toggle-visibility`)
  expect(await startPayment(ana, bought)).toBeRefused(paymentRefusals.package_not_on_sale)
  await dora.request('PATCH', `/api/admin/packages/${bought.id}/toggle-visibility`)
  expect((await startPayment(ana, bought)).status).toBe(200)
  await dora.request('DELETE', `/api/packages/${bought.id}`)
  expect(await startPayment(ana, bought)).toBeRefused(packageRefusals.package_not_found)
  for (const id of [987_654, 0, -1, 3_000_000_000]) {
    expect(await startPayment(ana, { ...bought, id })).toBeRefused(packageRefusals.package_not_found)
  }
})

test('resumes an open payment, which belongs to its member only', async () => {
  const { studio, bank, ana, boris } = story
  const bought = await studio.createPackage({})
  const first = await startPayment(ana, bought)
  await bank.pay(first, 'pm_card_chargeDeclined')
  expect((await startPayment(ana, bought)).body).toEqual(first.body)
  expect((await startPayment(boris, bought)).body.paymentIntentId).not.toBe(first.body.paymentIntentId)
  expect(await intentsOf(bought.id)).toBe(2)
})

test('concurrent tabs share one payment', async () => {
  const bought = await story.studio.createPackage({})
  const started = await Promise.all(Array.from({ length: 8 }, () => startPayment(story.ana, bought)))
  expect(new Set(started.map((response) => response.body.clientSecret)).size).toBe(1)
  expect(await intentsOf(bought.id)).toBe(1)
})

test.each([1, 2, 3, 4])(
  'another tab that comes and goes just before question %i to the database shares it too',
  async (at) => {
    const { studio, ana } = story
    const { database, provider } = studio.server
    const bought = await studio.createPackage({})
    const otherTab: { started?: TestResponse } = {}
    let asked = 0
    const pool = Object.create(database.pool)
    pool.query = async (question: QueryConfig, values: unknown[]) => {
      if (++asked === at) otherTab.started = await startPayment(ana, bought)
      return database.pool.query(question, values)
    }
    const interrupted = { ...database, db: drizzle({ client: pool }) }
    const member = (await ana.request('GET', '/api/auth/user')).body
    const order = { packageId: bought.id, amount: '424.00' }
    const means = { provider: defined(provider), vault: createVault([Buffer.alloc(32, 1)]) }
    const started = await startOrResumePayment(interrupted, means, member, order, studio.clock.now())
    expect(otherTab.started?.body).toEqual(started)
    expect(await intentsOf(bought.id)).toBe(1)
  },
)

test('starts a new payment after a price change, and cancels the old one', async () => {
  const { studio, bank, ana } = story
  const bought = await studio.createPackage({ price: '45.00' })
  const old = await startPayment(ana, bought)
  await edit(bought.id, { price: '50' })
  expect(await startPayment(ana, bought)).toBeRefused(paymentRefusals.price_changed)
  const renewed = await startPayment(ana, bought, '50.00')
  expect(renewed.body.paymentIntentId).not.toBe(old.body.paymentIntentId)
  expect(await bank.statusOf(old.body.paymentIntentId)).toBe('canceled')
  // And back again: not the first payment, which is closed.
  await edit(bought.id, { price: '45' })
  const again = await startPayment(ana, bought)
  expect(await bank.statusOf(again.body.paymentIntentId)).toBe('requires_payment_method')
})

test('with and without a code are two orders; of a package sold once per member, the latest order is the only one', async () => {
  const { studio, bank, ana, dora } = story
  const code = { code: 'TABS', kind: 'percent', value: 10, oncePerMember: false, firstPurchaseOnly: false }
  await dora.request('POST', '/api/admin/promotion-codes', code)
  const start = (bought: { id: number }, more: object) =>
    ana.request('POST', '/api/create-payment-intent', { packageId: bought.id, ...more })
  for (const [purchaseOncePerUser, ended] of [
    [false, 'requires_payment_method'],
    [true, 'canceled'],
  ] as const) {
    const bought = await studio.createPackage({ price: '50.00', purchaseOncePerUser })
    const plain = await start(bought, { amount: '50.00' })
    const cheaper = await start(bought, { amount: '45.00', code: 'TABS' })
    expect(cheaper.body.paymentIntentId).not.toBe(plain.body.paymentIntentId)
    expect(await bank.statusOf(plain.body.paymentIntentId)).toBe(ended)
    expect((await start(bought, { amount: '45.00', code: 'TABS' })).body).toEqual(cheaper.body)
  }
})

test('a package renamed in the meantime can still be paid', async () => {
  const { studio, ana } = story
  const bought = await studio.createPackage({ name: 'Old name' })
  // The provider created the payment, but its response was lost.
  await startPayment(ana, bought)
  await studio.server.database.pool.query('delete from payment_intents where package_id = $1', [bought.id])
  await edit(bought.id, { name: 'New name' })
  expect((await startPayment(ana, bought)).status).toBe(200)
})

test('activates a payment made in another tab or before a reload, and starts no second one unasked', async () => {
  const { studio, bank } = story
  const clara = await studio.member('Clara')
  const bought = await studio.createPackage({})
  const first = await startPayment(clara, bought)
  await bank.pay(first)
  expect(await startPayment(clara, bought)).toBeRefused(paymentRefusals.payment_already_completed)
  expect(await intentsOf(bought.id)).toBe(1)
  expect(await studio.creditsOf(clara)).toBe(8)
  // A member who starts another payment after seeing the pass wants a second one.
  const second = await startPayment(clara, bought)
  expect(second.body.paymentIntentId).not.toBe(first.body.paymentIntentId)
  expect(await studio.creditsOf(clara)).toBe(8)
})

test('refuses a second payment of a once-only package: bought, gifted, used and expired passes count', async () => {
  const { studio, bank, dora } = story
  const bought = await studio.createPackage({ purchaseOncePerUser: true, classCount: 1 })
  const [emma, felix, grace] = await Promise.all(['Emma', 'Felix', 'Grace'].map((name) => studio.member(name)))
  if (!emma || !felix || !grace) throw new Error('a member is missing')

  const started = await startPayment(emma, bought)
  expect((await startPayment(emma, bought)).body).toEqual(started.body)
  await bank.pay(started)
  // Paid without an event yet: the second visit finds out.
  expect(await startPayment(emma, bought)).toBeRefused(paymentRefusals.payment_already_completed)
  expect(await startPayment(emma, bought)).toBeRefused(paymentRefusals.package_already_held)
  expect((await activatePass(emma, bought, started)).status).toBe(200)

  const gift = { packageId: bought.id, creditsToGift: 1, userId: felix.id }
  const pass = (await dora.request('POST', `/api/admin/users/${felix.id}/gift-credits`, gift)).body
  await dora.request('DELETE', `/api/admin/user-passes/${pass.id}`)
  expect(await startPayment(felix, bought)).toBeRefused(paymentRefusals.package_already_held)
  expect((await startPayment(grace, bought)).status).toBe(200)
})

test('sends no statements about codes and gifts for a plain order', async () => {
  const { studio, bank } = story
  const member = await studio.member('Plain')
  const bought = await studio.createPackage({})
  let started: TestResponse | undefined
  const start = async () => {
    started = await startPayment(member, bought)
  }
  expect(await countStatements(start)).toBe(5)
  await bank.pay(defined(started))
  expect(await countStatements(() => activatePass(member, bought, defined(started)))).toBe(12)
  expect(await studio.creditsOf(member)).toBe(bought.classCount)
})

test("counts a member's payments by an index", async () => {
  const { studio, ana } = story
  const plan = await planOf(studio.server.database, (reader) => paymentsSoFar(reader, ana.id, 1))
  expect(plan).toContain('Index Cond')
  expect(plan).not.toContain('Seq Scan')
})
