import { describe, expect, test } from 'vitest'
import { bookClass } from '#booking/contract.ts'
import { addCompanion, cancelCompanion } from '#booking/contract-companions.ts'
import { setRegularBooking } from '#booking/contract-regular.ts'
import { bookingRefusals } from '#booking/refusals.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { listClasses } from '#timetable/contract.ts'
import { confirmOrder, createPaymentIntent, listPurchases, paymentRefusals } from '../contract.ts'
import { beginRefusals, listBeginOffers, requestBegin, withdrawBeginRequest } from '../contract-begin.ts'
import { recordSale } from '../contract-desk.ts'
import { listOwnPurchases } from '../contract-receipts.ts'
import { activatePass, openStudioWithBank, startPayment } from './bank-under-test.ts'
import { receiptWords } from './paper/receipt-paper.ts'
import { receiptOf } from './receipts.ts'

const confirm = (who: Person, id: string, isBeginRequested: boolean) =>
  who.call(confirmOrder, { params: { id }, body: { tab: 'a', isBeginRequested } })

describe('at the checkout', () => {
  test('a request ticked before paying is in the receipt, by email and as PDF, and not offered again', async () => {
    const { studio, bank, ana, boris, dora } = await openStudioWithBank()
    const bought = await studio.createPackage({ price: '45.00' })
    const started = await startPayment(ana, bought)
    const id = started.body.paymentIntentId
    expect(await confirm(boris, id, true)).toBeRefused(paymentRefusals.payment_not_found)
    expect((await confirm(ana, id, true)).status).toBe(200)
    await bank.pay(started)
    await activatePass(ana, bought, started)
    const receipt = (await studio.mailTo(ana)).find(({ subject }) => subject.includes('receipt'))
    expect(receipt?.text).toContain('You asked us on 07/12/2026 to begin')
    expect(receipt?.text).not.toContain('Without that request')
    const purchase = await receiptOf(studio.db, { id: await studio.count('select id from purchases') })
    expect(receiptWords(purchase, null).facts).toContainEqual([
      'Within 14 days',
      'Asked on 07/12/2026 to begin before they are over',
    ])
    expect(await ana.read(listBeginOffers)).toEqual([])
    expect(await dora.read(listPurchases)).toMatchObject([
      { cancellableUntil: '2026-12-21', beginRequestedAt: '2026-12-07T09:00:00Z' },
    ])
    // Unticked in a tab left open.
    expect(await confirm(ana, id, false)).toBeRefused(paymentRefusals.payment_already_completed)
    expect((await dora.read(listPurchases))[0]?.beginRequestedAt).not.toBeNull()
  })

  test('is as of the last press; opening the checkout again changes nothing', async () => {
    const { studio, bank, ana, dora } = await openStudioWithBank()
    const bought = await studio.createPackage({ price: '45.00' })
    const started = await startPayment(ana, bought)
    await confirm(ana, started.body.paymentIntentId, true)
    const again = await ana.call(createPaymentIntent, { body: { packageId: bought.id, amount: '45.00' } })
    expect(again.body.paymentIntentId).toBe(started.body.paymentIntentId)
    await bank.pay(started)
    await activatePass(ana, bought, started)
    expect(await dora.read(listPurchases)).toMatchObject([{ beginRequestedAt: '2026-12-07T09:00:00Z' }])
    const second = await startPayment(ana, bought)
    await confirm(ana, second.body.paymentIntentId, true)
    await bank.pay(second, 'pm_card_chargeDeclined')
    await confirm(ana, second.body.paymentIntentId, false)
    await bank.pay(second)
    await activatePass(ana, bought, second)
    expect((await dora.read(listPurchases))[0]).toMatchObject({ beginRequestedAt: null })
    const receipt = (await studio.mailTo(ana)).findLast(({ subject }) => subject.includes('receipt'))
    expect(receipt?.text).toContain('Without that request you pay nothing for them.')
  })
})

test('is offered with a booking until the fourteenth day, for remote purchases, once', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const { id: packageId } = await studio.createPackage({ name: 'Four' })
  const sell = (method: string) =>
    dora.call(recordSale, { params: { id: ana.id }, body: { packageId, method, amount: '40.00' } })
  // Desk sales have no right to cancel.
  await sell('cash')
  expect(await ana.read(listBeginOffers)).toEqual([])
  const { body: bought } = await sell('bank_transfer')
  const offer = { purchaseId: bought.id, package: { id: packageId, name: 'Four' }, until: '2026-12-21' }
  expect(await ana.read(listBeginOffers)).toEqual([offer])
  expect(await boris.read(listBeginOffers)).toEqual([])
  studio.travelTo('2026-12-21 23:59')
  expect(await ana.read(listBeginOffers)).toEqual([offer])
  studio.travelTo('2026-12-22 00:00')
  expect(await ana.read(listBeginOffers)).toEqual([])
  await ana.call(requestBegin)
  const asked = async () => (await dora.read(listPurchases)).map(({ beginRequestedAt }) => beginRequestedAt)
  expect(await asked()).toEqual([null, null])
  studio.travelTo('2026-12-20 09:00')
  expect((await ana.call(requestBegin)).status).toBe(200)
  studio.travelTo('2026-12-20 10:00')
  await Promise.all([ana.call(requestBegin), boris.call(requestBegin)])
  expect(await asked()).toEqual(['2026-12-20T09:00:00Z', null])
  expect(await studio.visitor().call(requestBegin)).toBeRefused(commonRefusals.unauthorized)
})

describe('sent with a booking', () => {
  const startPayment = (person: Person, classId: number, purchaseId: number) =>
    person.call(bookClass, { body: { classId, beginRequest: { purchaseId } } })

  /** Boris has bought two passes remotely; the shorter one pays. */
  async function twoPasses() {
    const cast = await openStudio()
    const { studio, boris, dora } = cast
    await studio.completeHealth(boris)
    const sell = async (name: string, validityMonths: number) => {
      const { id: packageId } = await studio.createPackage({ name, validityMonths })
      const body = { packageId, method: 'bank_transfer', amount: '40.00' }
      return (await dora.call(recordSale, { params: { id: boris.id }, body })).body.id as number
    }
    const longer = await sell('Longer', 6)
    const shorter = await sell('Shorter', 1)
    const requested = async () =>
      (await boris.read(listOwnPurchases)).map(({ id, beginRequestedAt, mayWithdrawBeginRequest }) => [
        id,
        beginRequestedAt,
        mayWithdrawBeginRequest,
      ])
    return { ...cast, longer, shorter, requested }
  }

  test('offers the purchase whose pass pays for the class, until its last day', async () => {
    const { studio, ana, boris, shorter, longer } = await twoPasses()
    const offered = async (person: Person, classId: number) =>
      (await person.read(listBeginOffers, { query: { classId } })).map(({ purchaseId }) => purchaseId)
    expect((await boris.read(listBeginOffers)).map(({ purchaseId }) => purchaseId)).toEqual([shorter, longer])
    const soon = await studio.createClass('2026-12-21 18:00')
    expect(await offered(boris, soon)).toEqual([shorter])
    expect(await offered(boris, await studio.createClass('2026-12-22 18:00'))).toEqual([])
    expect(await offered(ana, soon)).toEqual([])
    expect(await offered(boris, 999_999)).toEqual([])
  })

  test('records the request for the paying purchase and no other', async () => {
    const { studio, ana, boris, dora, shorter, longer, requested } = await twoPasses()
    const [first, second, third] = [
      await studio.createClass('Tuesday 18:00'),
      await studio.createClass('Wednesday 18:00'),
      await studio.createClass('Thursday 18:00'),
    ]
    expect((await startPayment(boris, first, longer)).status).toBe(201)
    const onBehalf = { classId: second, userId: boris.id, beginRequest: { purchaseId: shorter } }
    expect((await dora.call(bookClass, { body: onBehalf })).status).toBe(201)
    expect((await startPayment(ana, first, shorter)).status).toBe(201)
    expect(await requested()).toEqual([
      [shorter, null, false],
      [longer, null, false],
    ])
    expect((await startPayment(boris, third, shorter)).status).toBe(201)
    expect(await requested()).toEqual([
      [shorter, '2026-12-07T09:00:00Z', true],
      [longer, null, false],
    ])
    expect((await boris.read(listBeginOffers)).map(({ purchaseId }) => purchaseId)).toEqual([longer])
  })

  test('records nothing if the booking is refused', async () => {
    const { studio, ana, boris, shorter, requested } = await twoPasses()
    const full = await studio.createClass({ at: 'Tuesday 18:00', places: 1 })
    await ana.book(full)
    expect(await startPayment(boris, full, shorter)).toBeRefused(bookingRefusals.class_full)
    expect((await requested())[0]).toEqual([shorter, null, false])
  })

  test('can be withdrawn until a class of the purchase was taken', async () => {
    const { studio, ana, boris, shorter, longer, requested } = await twoPasses()
    const withdraws = (person: Person, id: number) => person.call(withdrawBeginRequest, { params: { id } })
    const evening = await studio.createClass('Tuesday 18:00')
    const { body: booking } = await startPayment(boris, evening, shorter)
    expect(await withdraws(ana, shorter)).toBeRefused(paymentRefusals.purchase_not_found)
    expect((await withdraws(boris, longer)).status).toBe(200)
    expect((await withdraws(boris, shorter)).status).toBe(200)
    expect((await requested())[0]).toEqual([shorter, null, false])

    await boris.cancel(booking.id)
    await startPayment(boris, evening, shorter)
    studio.travelTo('Tuesday 17:59')
    expect((await requested())[0]?.[2]).toBe(true)
    studio.travelTo('Tuesday 18:00')
    expect((await requested())[0]?.[2]).toBe(false)
    expect(await withdraws(boris, shorter)).toBeRefused(beginRefusals.class_already_taken)
    expect((await requested())[0]?.[1]).toBe('2026-12-07T09:00:00Z')
  })
})

describe('for a companion’s place', () => {
  const companion = { firstName: 'Otto', lastName: 'Ott', email: 'otto@friends.example' }

  /** Boris has bought two single classes remotely; the first one bought pays first. */
  async function twoSingles() {
    const cast = await openStudio()
    const { studio, boris, dora } = cast
    await studio.completeHealth(boris)
    const { id: packageId } = await studio.createPackage({ name: 'Single', classCount: 1 })
    const buy = async () => {
      const body = { packageId, method: 'bank_transfer', amount: '40.00' }
      return (await dora.call(recordSale, { params: { id: boris.id }, body })).body.id as number
    }
    const [own, second] = [await buy(), await buy()]
    const classId = await studio.createClass('2026-12-14 18:00')
    const offered = async (isSecond: 'true' | 'false' = 'false') =>
      (await boris.read(listBeginOffers, { query: { classId, isSecond } })).map(({ purchaseId }) => purchaseId)
    const requested = async () =>
      (await boris.read(listOwnPurchases)).flatMap(({ id, beginRequestedAt }) => (beginRequestedAt ? [id] : [])).sort()
    return { ...cast, own, second, classId, offered, requested }
  }

  test('offers and records the purchase that pays the second place', async () => {
    const { boris, own, second, classId, offered, requested } = await twoSingles()
    expect([await offered(), await offered('true')]).toEqual([[own], [second]])
    const body = { classId, companion, beginRequest: { purchaseId: own, otherPurchaseId: second } }
    expect((await boris.call(bookClass, { body })).status).toBe(201)
    expect(await requested()).toEqual([own, second])
  })

  test('records only what was asked for', async () => {
    const { boris, second, classId, requested } = await twoSingles()
    const body = { classId, companion, beginRequest: { purchaseId: second } }
    expect((await boris.call(bookClass, { body })).status).toBe(201)
    expect(await requested()).toEqual([second])
  })

  test('is offered and recorded when a companion is added later', async () => {
    const { boris, dora, own, second, classId, offered, requested } = await twoSingles()
    const { body: booking } = await boris.book(classId)
    expect([await offered(), await offered('true')]).toEqual([[second], []])
    const add = (person: Person, purchaseId: number) =>
      person.call(addCompanion, { params: { id: booking.id }, body: { ...companion, beginRequest: { purchaseId } } })
    expect((await add(dora, second)).status).toBe(201)
    expect(await requested()).toEqual([])
    await boris.call(cancelCompanion, { params: { id: booking.id } })
    expect((await add(boris, second)).status).toBe(201)
    expect(await requested()).toEqual([second])
    expect(await offered()).toEqual([])
    expect(own).toBeLessThan(second)
  })

  test('is recorded for the purchases that pay for the first dates of a regular booking', async () => {
    const { studio, boris, dora, own, second, requested } = await twoSingles()
    const repeat = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '2026-12-29' }
    const times = { date: '2026-12-15', startTime: '08:00', endTime: '08:45' }
    const series = await dora.request('POST', '/api/classes', {
      title: 'Weekly',
      maxParticipants: 2,
      ...times,
      ...repeat,
    })
    expect(series.status).toBe(201)
    const weekly = (await dora.read(listClasses)).find(({ date }) => date === times.date)?.id
    const beginRequest = { purchaseId: own, otherPurchaseId: second }
    const body = { classId: weekly ?? 0, withCompanion: true, companion, beginRequest }
    expect((await boris.call(setRegularBooking, { body })).status).toBe(201)
    expect(await requested()).toEqual([own, second])
    expect(await studio.count('select count(*) from bookings where status = $1', ['held'])).toBe(1)
  })
})
