import { expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import type { Person } from '#testing/person.ts'
import type { StudioUnderTest } from '#testing/studio-under-test.ts'
import { recordSale } from '../contract-desk.ts'
import { getCardFees } from '../contract-payouts.ts'
import { exportPurchases } from '../contract-receipts.ts'
import { activatePass, type BankUnderTest, openStudioWithBank, startPayment } from './bank-under-test.ts'
import { movementsOf } from './movements.ts'
import { cardFeesLine } from './paper/statement-paper.ts'

const DECEMBER = { from: '2026-12-01', to: '2026-12-31' }
const UNKNOWN = ['not known yet', 'not known yet', 'not known yet', 'not known yet']

/** A studio and its bank, whose clocks agree. */
async function open() {
  const story = await openStudioWithBank({ now: 'Monday 09:00' })
  const { studio, bank, dora } = story
  const at = (when: string) => {
    studio.travelTo(when)
    bank.travelTo(studio.clock.now())
  }
  at('Monday 09:00')
  return {
    ...story,
    travelTo: at,
    /** The nightly job. */
    read: () => studio.server.workers['read-card-fees']({}, 'by hand'),
    /** The cells about card fees of each line of the accountant's file. */
    async cells() {
      const { body } = await dora.call(exportPurchases, { query: DECEMBER })
      const lines = String(body).split('\r\n').slice(1).filter(Boolean)
      return lines.map((line) => [line.split(',')[1], ...line.split(',').slice(13, 17)])
    },
    fees: () => dora.read(getCardFees, { query: DECEMBER }),
  }
}

async function buy(studio: StudioUnderTest, bank: BankUnderTest, member: Person, card?: string): Promise<string> {
  const bought = await studio.createPackage({ price: '100.00' })
  const started = await startPayment(member, bought)
  await bank.pay(started, card)
  await activatePass(member, bought, started)
  return started.body.paymentIntentId
}

test('a card fee is not known until the provider reports it; a desk sale has none', async () => {
  const { studio, bank, ana, boris, dora, cells, fees, read, travelTo } = await open()
  await buy(studio, bank, ana)
  const { id: packageId } = await studio.createPackage({ price: '40.00' })
  await dora.call(recordSale, { params: { id: boris.id }, body: { packageId, method: 'cash' } })
  expect(await cells()).toEqual([
    ['Sale', ...UNKNOWN],
    ['Sale', '', '', '', ''],
  ])
  const words = async () => cardFeesLine(await Array.fromAsync(movementsOf(studio.db, {})))
  expect(await words()).toBe('Card fees: £0.00; for 1 line of 1 by card they are not known yet.')
  expect(await fees()).toMatchObject({ fees: '0.00', lines: 1, notKnown: 1, payouts: [] })

  await read()
  expect(await cells()).toEqual([
    ['Sale', '1.70', '98.30', 'not known yet', 'not known yet'],
    ['Sale', '', '', '', ''],
  ])
  expect(await words()).toBe('Card fees: £1.70.')
  travelTo('Wednesday 09:00')
  await read()
  const { payouts, ...rest } = await fees()
  expect(rest).toEqual({ fees: '1.70', lines: 1, notKnown: 0 })
  const contents = [{ kind: 'charge', count: 1, amount: '100.00', fees: '1.70' }]
  expect(payouts).toEqual([
    { id: expect.stringMatching(/^po_/), amount: '98.30', status: 'paid', arrivesOn: '2026-12-09', contents },
  ])
  expect((await cells())[0]).toEqual(['Sale', '1.70', '98.30', '09/12/2026', payouts[0]?.id])
  // A second run changes nothing.
  await read()
  expect(await fees()).toEqual({ ...rest, payouts })
  expect(await ana.call(getCardFees, { query: DECEMBER })).toBeRefused(commonRefusals.forbidden)
})

test('refunds, lost disputes and other business on the account are in the payout that moved them', async () => {
  const { studio, bank, ana, boris, cells, fees, read, travelTo } = await open()
  const refunded = await buy(studio, bank, ana)
  const disputed = await buy(studio, bank, boris)
  await bank.stripe.refunds.create({ payment_intent: refunded, amount: 2500 })
  const { id } = await bank.simulate('dispute', disputed)
  await bank.decideDispute(id, 'losing_evidence')
  for (const payment of [refunded, disputed]) await bank.deliverEvents(studio, payment)
  await bank.stripe.paymentIntents.create({
    amount: 50_000,
    currency: 'gbp',
    payment_method: 'pm_card_visa',
    confirm: true,
  })
  travelTo('Wednesday 09:00')
  await read()
  const { payouts, ...rest } = await fees()
  const [payout] = payouts
  expect((await cells()).map(([kind, fee, net]) => [kind, fee, net])).toEqual([
    ['Sale', '1.70', '98.30'],
    ['Sale', '1.70', '98.30'],
    ['Refund', '0.00', '-25.00'],
    ['Lost dispute', '20.00', '-120.00'],
  ])
  expect(new Set((await cells()).map((line) => line.at(-1)))).toEqual(new Set([payout?.id]))
  expect(rest).toEqual({ fees: '23.40', lines: 4, notKnown: 0 })
  // Not ours: 500 less 7.70.
  expect(payout).toMatchObject({ amount: '543.90' })
  expect(payout?.contents).toEqual([
    { kind: 'charge', count: 3, amount: '700.00', fees: '11.10' },
    { kind: 'dispute', count: 1, amount: '-100.00', fees: '20.00' },
    { kind: 'refund', count: 1, amount: '-25.00', fees: '0.00' },
  ])
})

test('a settled payment queues the reading, which also catches up after months', async () => {
  const { studio, bank, ana, fees, read, travelTo } = await open()
  await buy(studio, bank, ana)
  expect(await studio.count("select count(*) from pgboss.job where name = 'read-card-fees'")).toBe(1)
  travelTo('2027-03-15 09:00')
  await read()
  expect(await studio.count('select count(*) from balance_changes where payout_id is not null')).toBe(1)
  travelTo('Monday 09:00')
  expect(await fees()).toMatchObject({ fees: '1.70', notKnown: 0 })
})

test('the database refuses an unknown payout, and a fee outlives its erased payment', async () => {
  const { studio, bank, ana, read } = await open()
  await buy(studio, bank, ana)
  await read()
  const { pool } = studio.server.database
  await expect(pool.query("update balance_changes set payout_id = 'po_unknown'")).rejects.toThrow('foreign key')
  await expect(pool.query("update balance_changes set kind = 'gift'")).rejects.toThrow('check constraint')
  await pool.query('update passes set purchase_id = null')
  await pool.query('delete from purchases')
  await pool.query('delete from payment_intents')
  expect(await studio.count('select count(*) from balance_changes where payment_intent_id is null')).toBe(1)
})
