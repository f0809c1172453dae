import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { rejection, scratchDatabase, startSandbox } from './sandbox-under-test.ts'

test('payments of the time when each kind had a table of its own are taken over', async () => {
  const database = await scratchDatabase()
  onTestFinished(database.drop)
  const before = new pg.Client({ connectionString: database.url })
  await before.connect()
  const kinds = [
    'payment_intents',
    'payment_methods',
    'charges',
    'refunds',
    'disputes',
    'early_fraud_warnings',
    'later',
  ]
  await before.query(`create schema sandbox;
    ${kinds.map((kind) => `create table sandbox.${kind} (seq bigint generated always as identity, id text primary key, object json);`).join('')}
    create table sandbox.idempotency_keys (key text primary key, endpoint text not null, fingerprint text not null,
      request_id text not null, status int not null, body text not null, created_at timestamptz not null default now())`)
  const charge = { id: 'ch_1', object: 'charge', amount: 4500, amount_refunded: 0, paid: true, payment_intent: 'pi_1' }
  const intent = { id: 'pi_1', object: 'payment_intent', amount: 4500, status: 'succeeded', latest_charge: 'ch_1' }
  const debit = { ...intent, id: 'pi_2', status: 'processing', latest_charge: 'ch_2' }
  await before.query('insert into sandbox.payment_intents (id, object) values ($1, $2), ($3, $4)', [
    'pi_1',
    JSON.stringify(intent),
    'pi_2',
    JSON.stringify(debit),
  ])
  const debited = { ...charge, id: 'ch_2', paid: false, payment_intent: 'pi_2' }
  await before.query('insert into sandbox.charges (id, object) values ($1, $2), ($3, $4)', [
    'ch_1',
    JSON.stringify(charge),
    'ch_2',
    JSON.stringify(debited),
  ])
  await before.end()

  for (const _start of ['the first', 'and one more']) {
    const sandbox = await startSandbox(database.url)
    onTestFinished(sandbox.stop)
    const paid = await sandbox.stripe.paymentIntents.retrieve('pi_1', { expand: ['latest_charge'] })
    expect(paid).toMatchObject({ status: 'succeeded', latest_charge: { id: 'ch_1', amount: 4500 } })
    const statusOfDebit = async () => (await sandbox.stripe.paymentIntents.retrieve('pi_2')).status
    await expect.poll(statusOfDebit, { timeout: 10_000 }).toBe('succeeded')
  }
  const sandbox = await startSandbox(database.url)
  onTestFinished(sandbox.stop)
  expect((await sandbox.stripe.refunds.create({ payment_intent: 'pi_1' })).amount).toBe(4500)
  const again = await rejection(sandbox.stripe.refunds.create({ payment_intent: 'pi_1' }))
  expect(again.code).toBe('charge_already_refunded')
})
