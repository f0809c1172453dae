import { expect, test } from 'vitest'
import { editPackage, listAllPackages, listPackages, packageRefusals } from '#packages/contract.ts'
import type { Person } from '#testing/person.ts'
import { paymentRefusals } from '../contract.ts'
import { activatePass, openStudioWithBank, startPayment } from './bank-under-test.ts'

const editAs = (admin: Person, id: number, body: object) => admin.call(editPackage, { params: { id }, body })
const NEXT = { price: '50', from: '2026-12-08' }

/** Monday 7 December, ten minutes before midnight; the pass costs £45, and £50 from Tuesday on. */
async function beforeMidnight() {
  const story = await openStudioWithBank()
  const { studio, dora, ana } = story
  const bought = await studio.createPackage({ name: 'Winter Pass', price: '45.00' })
  expect((await editAs(dora, bought.id, { nextPrice: NEXT })).body).toMatchObject({
    price: '45.00',
    nextPrice: { price: '50.00', from: '2026-12-08' },
  })
  studio.travelTo('Monday 23:50')
  const priceOf = async () => (await studio.visitor().read(listPackages)).find(({ id }) => id === bought.id)?.price
  const reconcile = () => studio.server.workers['reconcile-payments']({}, 'by hand')
  return { ...story, ana, bought, priceOf, reconcile }
}

test('a new price counts from midnight for the shop, checkout and the desk', async () => {
  const { studio, dora, ana, boris, bought, priceOf } = await beforeMidnight()
  expect(await priceOf()).toBe('45.00')
  expect(await startPayment(ana, bought, '50.00')).toBeRefused(paymentRefusals.price_changed)
  studio.travelTo('Tuesday 00:00')
  expect(await priceOf()).toBe('50.00')
  expect(await startPayment(boris, bought, '45.00')).toBeRefused(paymentRefusals.price_changed)
  expect((await startPayment(boris, bought, '50.00')).status).toBe(200)
  await studio.logIn(dora)
  const sale = { packageId: bought.id, method: 'cash' }
  expect(await dora.request('POST', `/api/admin/users/${boris.id}/purchases`, sale)).toMatchObject({ status: 201 })
  expect(await studio.count('select amount_pence as count from purchases')).toBe(5000)
  // The nightly job stores it, and nobody sees a difference.
  await studio.server.workers['expire-passes']({}, 'by hand')
  expect(await studio.count('select price_pence as count from packages where id = $1', [bought.id])).toBe(5000)
  const listed = (await dora.read(listAllPackages)).find(({ id }) => id === bought.id)
  expect(listed).toMatchObject({ price: '50.00', nextPrice: null })
})

test.each([['before the nightly job'], ['after it']])(
  'a payment started before keeps its price for 30 minutes, then is cancelled: %s',
  async (when) => {
    const { studio, bank, ana, bought, reconcile } = await beforeMidnight()
    const started = await startPayment(ana, bought, '45.00')
    studio.travelTo('Tuesday 00:29')
    if (when === 'after it') await studio.server.workers['expire-passes']({}, 'by hand')
    await reconcile()
    expect((await startPayment(ana, bought, '45.00')).body).toEqual(started.body)
    studio.travelTo('Tuesday 00:30')
    await reconcile()
    expect(await bank.statusOf(started.body.paymentIntentId)).toBe('canceled')
    expect(await startPayment(ana, bought, '45.00')).toBeRefused(paymentRefusals.price_changed)
    expect((await startPayment(ana, bought, '50.00')).status).toBe(200)
  },
)

test('a payment at the former price that was paid first is honoured, and a closed one starts no other at it', async () => {
  const { studio, bank, ana, boris, bought, reconcile } = await beforeMidnight()
  const [paid, closed] = [await startPayment(ana, bought, '45.00'), await startPayment(boris, bought, '45.00')]
  studio.travelTo('Tuesday 00:10')
  await bank.stripe.paymentIntents.cancel(closed.body.paymentIntentId)
  expect(await startPayment(boris, bought, '45.00')).toBeRefused(paymentRefusals.price_changed)
  studio.travelTo('Tuesday 00:40')
  await bank.pay(paid)
  await reconcile()
  expect((await activatePass(ana, bought, paid)).status).toBe(200)
  expect(await studio.count('select amount_pence as count from purchases')).toBe(4500)
})

test('an edit keeps, replaces or removes the next price; its day must be ahead', async () => {
  const { studio, dora, bought } = await beforeMidnight()
  await studio.logIn(dora)
  const nextOf = async (body: object) => (await editAs(dora, bought.id, body)).body.nextPrice
  expect(await nextOf({ name: 'Renamed' })).toEqual({ price: '50.00', from: '2026-12-08' })
  expect(await nextOf({ nextPrice: { price: '£55', from: '2026-12-09' } })).toEqual({
    price: '55.00',
    from: '2026-12-09',
  })
  const today = await editAs(dora, bought.id, { nextPrice: { price: '55', from: '2026-12-07' } })
  expect(today).toBeRefused(packageRefusals.next_price_not_ahead)
  expect(today.body.errors).toMatchObject([{ path: 'nextPrice.from' }])
  expect(await editAs(dora, bought.id, { nextPrice: { price: '0.29', from: '2026-12-09' } })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'nextPrice.price' }] },
  })
  studio.travelTo('Wednesday 09:00')
  await studio.logIn(dora)
  // The new price is in force; renaming the package keeps it, an edit of the price replaces it.
  expect((await editAs(dora, bought.id, { name: 'Again' })).body).toMatchObject({ price: '55.00', nextPrice: null })
  expect((await editAs(dora, bought.id, { price: '60' })).body).toMatchObject({ price: '60.00', nextPrice: null })
  expect(await nextOf({ nextPrice: NEXT_YEAR })).toEqual({ price: '70.00', from: '2027-01-01' })
  expect(await nextOf({ nextPrice: null })).toBeNull()
  const { pool } = studio.server.database
  await expect(pool.query('update packages set next_price_pence = 5000')).rejects.toMatchObject({
    constraint: 'a_next_price_has_a_day',
  })
})

const NEXT_YEAR = { price: '70', from: '2027-01-01' }
