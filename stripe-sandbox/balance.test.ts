import type Stripe from 'stripe'
import { expect, onTestFinished, test } from 'vitest'
import { rejection, scratchDatabase, startSandbox } from './sandbox-under-test.ts'

async function openSandbox(now: string) {
  const database = await scratchDatabase()
  const clock = { now: new Date(now) }
  const sandbox = await startSandbox(database.url, clock)
  onTestFinished(async () => {
    await sandbox.stop()
    await database.drop()
  })
  const travelTo = (to: string) => {
    clock.now = new Date(to)
  }
  return { ...sandbox, travelTo }
}

const linesOf = ({ data }: Stripe.ApiList<Stripe.BalanceTransaction>) =>
  data.map(({ type, amount, fee, net }) => [type, amount, fee, net])

test('records charges with their fee, refunds and disputes, newest first', async () => {
  const { stripe, paid, call, travelTo } = await openSandbox('2026-12-07T09:00Z')
  const intent = await paid('pm_card_visa')
  travelTo('2026-12-07T10:00Z')
  const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 1000 })
  await rejection(paid('pm_card_chargeDeclined'))
  travelTo('2026-12-07T11:00Z')
  await paid('pm_card_createDispute')
  const all = await stripe.balanceTransactions.list({ expand: ['data.source'] })
  expect(linesOf(all)).toEqual([
    ['adjustment', -4500, 2000, -6500],
    ['charge', 4500, 88, 4412],
    ['refund', -1000, 0, -1000],
    ['charge', 4500, 88, 4412],
  ])
  expect(all.data.map(({ source }) => typeof source === 'object' && source?.object)).toEqual([
    'dispute',
    'charge',
    'refund',
    'charge',
  ])
  expect(all.data[2]?.source).toMatchObject({ id: refund.id, payment_intent: intent.id })

  const span = { created: { gte: Date.parse('2026-12-07T10:00Z') / 1000, lt: Date.parse('2026-12-07T11:00Z') / 1000 } }
  expect(linesOf(await stripe.balanceTransactions.list(span))).toEqual([['refund', -1000, 0, -1000]])
  const everyPage = await Array.fromAsync(stripe.balanceTransactions.list({ limit: 3 }))
  expect(everyPage.map(({ id }) => id)).toEqual(all.data.map(({ id }) => id))
  expect((await call('/v1/balance_transactions')).status).toBe(401)
})

test('pays out each day’s money after two days, and carries a loss over', async () => {
  const { stripe, paid, travelTo } = await openSandbox('2026-12-07T23:59Z')
  const first = await paid('pm_card_visa')
  travelTo('2026-12-08T00:00Z')
  await stripe.refunds.create({ payment_intent: first.id })
  travelTo('2026-12-08T23:59Z')
  expect((await stripe.payouts.list()).data).toEqual([])
  travelTo('2026-12-09T00:00Z')
  const [payout] = (await stripe.payouts.list()).data
  expect(payout).toMatchObject({ amount: 4412, status: 'paid', automatic: true, reconciliation_status: 'completed' })
  // The refund alone would be a loss.
  travelTo('2026-12-10T12:00Z')
  expect((await stripe.payouts.list()).data).toHaveLength(1)
  await paid('pm_card_visa')
  await paid('pm_card_visa')
  travelTo('2026-12-12T00:00Z')
  const [second] = (await stripe.payouts.list()).data
  expect(second?.amount).toBe(4412 * 2 - 4500)
  const lines = await stripe.balanceTransactions.list({ payout: second?.id ?? '' })
  expect(lines.data.map(({ type }) => type)).toEqual(['charge', 'charge', 'refund'])
  expect(await rejection(stripe.balanceTransactions.list({ payout: 'po_none' }))).toMatchObject({
    code: 'resource_missing',
  })
})
