import { afterEach, beforeEach, expect, test } from 'vitest'
import { type SandboxUnderTest, scratchDatabase, startSandbox } from './sandbox-under-test.ts'

let database: Awaited<ReturnType<typeof scratchDatabase>>
const running: SandboxUnderTest[] = []

beforeEach(async () => {
  database = await scratchDatabase()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.stop()))
  await database.drop()
})

async function start(clock?: { now: Date }): Promise<SandboxUnderTest> {
  const sandbox = await startSandbox(database.url, clock)
  running.push(sandbox)
  return sandbox
}

async function stop(sandbox: SandboxUnderTest): Promise<void> {
  running.splice(running.indexOf(sandbox), 1)
  await sandbox.stop()
}

const payment = { amount: 4500, currency: 'gbp', metadata: { userId: 'ana' } }
const typesOf = (sandbox: SandboxUnderTest) => sandbox.received.map(({ event }) => event.type)
const makeDueNow = (sandbox: SandboxUnderTest) =>
  sandbox.pool.query('update sandbox.events set due_at = clock_timestamp()')

test('delivers every step to the webhook, signed, with the object at that time', async () => {
  const sandbox = await start()
  const { stripe } = sandbox
  const intent = await stripe.paymentIntents.create(payment)
  await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_chargeDeclined' }).catch(() => undefined)
  await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_authenticationRequired' })
  await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
  await stripe.refunds.create({ payment_intent: intent.id })
  const other = await stripe.paymentIntents.create(payment)
  await stripe.paymentIntents.cancel(other.id)
  await sandbox.deliverDue()

  expect(typesOf(sandbox).sort()).toEqual([
    'charge.refunded',
    'payment_intent.canceled',
    'payment_intent.created',
    'payment_intent.created',
    'payment_intent.payment_failed',
    'payment_intent.succeeded',
    'refund.created',
  ])
  const succeeded = sandbox.received.find(({ event }) => event.type === 'payment_intent.succeeded')
  expect(succeeded?.event).toMatchObject({
    object: 'event',
    livemode: false,
    data: {
      object: { id: intent.id, status: 'succeeded', amount: 4500, currency: 'gbp', metadata: { userId: 'ana' } },
    },
  })
})

test('a refused call causes no event', async () => {
  const sandbox = await start()
  await sandbox.stripe.paymentIntents.create({ ...payment, amount: 1 }).catch(() => undefined)
  await sandbox.stripe.paymentIntents
    .create({ ...payment, payment_method: 'pm_none', confirm: true })
    .catch(() => undefined)
  await sandbox.deliverDue()
  expect(sandbox.received).toEqual([])
})

test('retries what the webhook refuses, and never repeats what it accepted', async () => {
  const sandbox = await start()
  sandbox.respondWith(500)
  await sandbox.stripe.paymentIntents.create(payment)
  await sandbox.deliverDue()
  const { rows } = await sandbox.pool.query('select attempts, due_at > clock_timestamp() as later from sandbox.events')
  expect(rows).toEqual([{ attempts: 1, later: true }])
  sandbox.respondWith(200)
  await makeDueNow(sandbox)
  await sandbox.deliverDue()
  await makeDueNow(sandbox)
  await sandbox.deliverDue()
  expect(typesOf(sandbox)).toEqual(['payment_intent.created'])
})

test('the delay between attempts grows', async () => {
  const sandbox = await start()
  sandbox.respondWith(503)
  await sandbox.stripe.paymentIntents.create(payment)
  const delays: number[] = []
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await makeDueNow(sandbox)
    await sandbox.deliverDue()
    const { rows } = await sandbox.pool.query(
      'select extract(epoch from due_at - clock_timestamp())::float as delay, attempts from sandbox.events',
    )
    delays.push(rows[0].delay)
  }
  expect(delays.at(-1)).toBeGreaterThan((delays[0] ?? 0) + 20)
})

test('payments and undelivered events survive a restart', async () => {
  const before = await start()
  before.respondWith(500)
  const intent = await before.stripe.paymentIntents.create(payment)
  await before.deliverDue()
  await stop(before)
  const after = await start()
  await makeDueNow(after)
  await after.deliverDue()
  expect(typesOf(after)).toEqual(['payment_intent.created'])
  expect(await after.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ id: intent.id })
})

test('two processes that start together on an empty database deliver each event once', async () => {
  const [one, two] = await Promise.all([start(), start()])
  const intents = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      (at % 2 ? one : two).stripe.paymentIntents.create({ ...payment, payment_method: 'pm_card_visa', confirm: true }),
    ),
  )
  await Promise.all([one.deliverDue(), two.deliverDue()])
  await Promise.all([one.deliverDue(), two.deliverDue()])
  const delivered = [...one.received, ...two.received].map(({ event }) => event.id)
  expect(delivered).toHaveLength(intents.length * 2)
  expect(new Set(delivered).size).toBe(delivered.length)
})

test('a frozen clock sets timestamps and does not stop delivery', async () => {
  const sandbox = await start({ now: new Date('2024-02-29T12:00:00Z') })
  const intent = await sandbox.stripe.paymentIntents.create(payment)
  await sandbox.deliverDue()
  expect(intent.created).toBe(1_709_208_000)
  expect(sandbox.received[0]?.event.created).toBe(1_709_208_000)
})

test('delivers a stored event automatically', async () => {
  const sandbox = await start()
  const delivered = new Promise<void>((resolve) => {
    sandbox.received.push = (...events) => {
      resolve()
      return Array.prototype.push.apply(sandbox.received, events)
    }
  })
  await sandbox.stripe.paymentIntents.create(payment)
  await delivered
  expect(typesOf(sandbox)).toEqual(['payment_intent.created'])
})
