import { expect, test } from 'vitest'
import { activatePass, openStudioWithBank, startPayment } from './bank-under-test.ts'

test('activates a pass by reconciliation alone within a minute', async () => {
  const { studio, bank, ana } = await openStudioWithBank()
  const reconcile = studio.server.workers['reconcile-payments']
  const bought = await studio.createPackage()
  const started = await startPayment(ana, bought)
  await bank.pay(started)
  studio.clock.advance({ seconds: 59 })
  await reconcile({}, 'by hand')
  expect(await studio.creditsOf(ana)).toBe(10)
  studio.clock.advance({ seconds: 1 })
  await reconcile({}, 'by hand')
  await reconcile({}, 'once more')
  expect(await studio.creditsOf(ana)).toBe(18)
  const receipts = (await studio.mailTo(ana)).filter(({ subject }) => subject.includes('receipt'))
  expect(receipts).toHaveLength(1)
  expect((await activatePass(ana, bought, started)).status).toBe(200)
})

test('cancels a payment unpaid for a day at the provider, not an hour earlier', async () => {
  const { studio, bank, ana } = await openStudioWithBank()
  const reconcile = studio.server.workers['reconcile-payments']
  const bought = await studio.createPackage()
  const started = await startPayment(ana, bought)
  const intentId = started.body.paymentIntentId
  studio.clock.advance({ hours: 23 })
  await reconcile({}, 'by hand')
  expect(await bank.statusOf(intentId)).toBe('requires_payment_method')
  expect((await startPayment(ana, bought)).body.paymentIntentId).toBe(intentId)
  studio.clock.advance({ hours: 1, seconds: 1 })
  await reconcile({}, 'by hand')
  expect(await bank.statusOf(intentId)).toBe('canceled')
  expect(await studio.count(`select count(*) from payment_intents where state = 'cancelled'`)).toBe(1)
  expect(await studio.creditsOf(ana)).toBe(10)
  expect((await startPayment(ana, bought)).body.paymentIntentId).not.toBe(intentId)
})

test('activates a payment made at the last moment instead of cancelling it', async () => {
  const { studio, bank, ana } = await openStudioWithBank()
  const bought = await studio.createPackage()
  const started = await startPayment(ana, bought)
  studio.clock.advance({ hours: 25 })
  await bank.pay(started)
  await studio.server.workers['reconcile-payments']({}, 'by hand')
  expect(await studio.creditsOf(ana)).toBe(18)
})

test('closes a payment unknown to the provider; a failure does not hold up others', async () => {
  const { studio, bank, ana, boris } = await openStudioWithBank()
  const { pool } = studio.server.database
  const bought = await studio.createPackage()
  const odd = await startPayment(ana, bought)
  await bank.stripe.paymentIntents.update(odd.body.paymentIntentId, { amount: 100 })
  await bank.pay(odd)
  studio.clock.advance({ seconds: 1 })
  await pool.query(
    `insert into payment_intents (id, user_id, package_id, amount_pence, lines, class_count, validity_months, state, created_at, next_poll_at)
     select 'pi_lost', user_id, package_id, amount_pence, lines, class_count, validity_months, state, created_at, next_poll_at
     from payment_intents`,
  )
  const started = await startPayment(boris, bought)
  await bank.pay(started)
  studio.clock.advance({ minutes: 5 })
  await studio.server.workers['reconcile-payments']({}, 'by hand')
  expect(await studio.creditsOf(boris)).toBe(8)
  expect(await studio.creditsOf(ana)).toBe(10)
  const { rows } = await pool.query('select id, state from payment_intents order by created_at, id')
  expect(rows).toEqual([
    { id: odd.body.paymentIntentId, state: 'mismatched' },
    { id: 'pi_lost', state: 'cancelled' },
    { id: started.body.paymentIntentId, state: 'purchased' },
  ])
})

test('many abandoned checkouts do not hold up a paid one', async () => {
  const { studio, bank, ana } = await openStudioWithBank()
  const bought = await studio.createPackage()
  const crowd = await Promise.all(
    Array.from({ length: 110 }, () => bank.stripe.paymentIntents.create({ amount: 42_400, currency: 'gbp' })),
  )
  await studio.server.database.pool.query(
    `insert into payment_intents (id, user_id, package_id, amount_pence, lines, class_count, validity_months, state, created_at, next_poll_at)
     select id, null, $2, 42400, '[{"amountPence": 42400}]', 8, 4, 'open', $3, $3 from unnest($1::text[]) as id`,
    [crowd.map(({ id }) => id), bought.id, studio.clock.now().toString()],
  )
  studio.clock.advance({ seconds: 1 })
  const started = await startPayment(ana, bought)
  await bank.pay(started)
  studio.clock.advance({ minutes: 5 })
  await studio.server.workers['reconcile-payments']({}, 'by hand')
  expect(await studio.creditsOf(ana)).toBe(18)
})
