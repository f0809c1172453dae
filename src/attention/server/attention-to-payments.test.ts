import { expect, test } from 'vitest'
import type { PackageRow } from '#packages/tables.ts'
import { refundPurchase } from '#payments/contract.ts'
import { activatePass, openStudioWithBank, startPayment } from '#payments/server/bank-under-test.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { type AttentionItem, listAttention, markDone } from '../contract.ts'

const itemsOf = async (dora: Person): Promise<AttentionItem[]> => (await dora.call(listAttention)).body

/** Boris pays the wrong amount, which is returned. */
async function payOnePound(
  { studio, bank, boris }: Awaited<ReturnType<typeof openStudioWithBank>>,
  bought: PackageRow,
) {
  const started = await startPayment(boris, bought)
  await bank.stripe.paymentIntents.update(started.body.paymentIntentId, { amount: 100 })
  await bank.pay(started)
  await activatePass(boris, bought, started)
  await studio.runQueue('send-refund')
  await studio.mailbox()
  return started
}

test('lists a fee kept from a refund until the rest is refunded, and a payment of the wrong amount', async () => {
  const story = await openStudioWithBank()
  const { studio, bank, ana, dora } = story
  const { pool } = studio.server.database
  const bought = await studio.createPackage()
  const started = await startPayment(ana, bought)
  await bank.pay(started)
  await activatePass(ana, bought, started)
  const { rows } = await pool.query('select id from purchases')
  await dora.call(refundPurchase, { params: { id: rows[0].id }, body: {} })
  await studio.runQueue('send-refund')
  const odd = await payOnePound(story, bought)
  const items = await itemsOf(dora)
  expect(items.map(({ kind }) => kind)).toEqual(['payment_mismatched', 'fee_in_cooling_off'])
  expect(items[1]).toMatchObject({
    title: expect.stringMatching(/^A fee of £\d/),
    text: expect.stringContaining('Ana Cast'),
  })
  expect(items[0]?.text).toContain('We have emailed you both')

  const done = { kind: 'payment_mismatched', about: odd.body.paymentIntentId } as const
  expect((await dora.call(markDone, { body: done })).body).toMatchObject([{ kind: 'fee_in_cooling_off' }])
  const most = await pool.query('select amount_pence - refunded_pence as rest from purchases')
  const amount = (most.rows[0].rest / 100).toFixed(2)
  await dora.call(refundPurchase, { params: { id: rows[0].id }, body: { amount, reason: 'The fee', credits: 0 } })
  expect(await itemsOf(dora)).toEqual([])

  // A failed refund of a purchase is decided with the purchase.
  await pool.query(
    `update refunds set status = 'failed', failure = 'declined', settled_at = created_at where reason = 'The fee'`,
  )
  const [undecided, ...others] = await itemsOf(dora)
  expect(undecided).toMatchObject({ kind: 'purchases_undecided', text: expect.stringContaining('did not arrive') })
  expect(others).toMatchObject([{ kind: 'fee_in_cooling_off' }])
})

test('lists the fee kept from a sale by bank transfer, but not from a sale face to face', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const sold = await studio.createPackage({ name: 'Ten', price: '100.00' })
  const sellsAndRefunds = async (member: Person, method: string) => {
    const sale = { packageId: sold.id, method }
    const { body } = await dora.request('POST', `/api/admin/users/${member.id}/purchases`, sale)
    await dora.call(refundPurchase, { params: { id: body.id }, body: {} })
  }
  await sellsAndRefunds(ana, 'bank_transfer')
  await sellsAndRefunds(boris, 'cash')
  const items = await itemsOf(dora)
  expect(items).toMatchObject([{ kind: 'fee_in_cooling_off', title: 'A fee of £10.00 was kept from a refund' }])
  expect(items[0]?.text).toContain('Ana Cast, Ten')
})

test('lists a payment that neither created a pass nor could be returned until the owner marks it as done', async () => {
  const story = await openStudioWithBank()
  const { studio, dora } = story
  const bought = await studio.createPackage()
  await payOnePound(story, bought)
  const { rows } = await studio.server.database.pool.query(
    `update refunds set status = 'failed', failure = 'lost_or_stolen_card' returning id::text`,
  )
  const [item] = await itemsOf(dora)
  expect(item).toMatchObject({ kind: 'return_failed', about: rows[0].id, title: '£1.00 could not be returned' })
  expect(item?.text).toContain('“lost or stolen card”')
  const { body } = await dora.call(markDone, { body: { kind: 'return_failed', about: rows[0].id } })
  expect(body).toMatchObject([{ kind: 'payment_mismatched' }])
  await dora.request('DELETE', `/api/admin/users/${story.boris.id}`)
  const [gone] = await itemsOf(dora)
  expect(gone?.text).toContain('A deleted user')
  expect(gone?.text).toContain('We have emailed you.')
})
