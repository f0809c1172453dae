import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { throttles } from '#accounts/server/accounts.ts'
import { defined } from '#foundation/collections.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import type { Person } from '#testing/person.ts'
import { codeRefusals } from '../code-refusals.ts'
import { paymentRefusals } from '../contract.ts'
import { promotionCodes } from '../tables.ts'
import { activatePass, shareStudioWithBank } from './bank-under-test.ts'
import { saveIntent } from './begin-payment.ts'
import { takeUse } from './codes.ts'

const story = shareStudioWithBank()

type Wish = Record<string, unknown>
async function createCode(wish: Wish = {}, admin = story.dora): Promise<{ id: number; code: string; uses: number }> {
  const code = `CODE${Math.random().toString(36).slice(2, 10).toUpperCase()}`
  const body = { code, kind: 'percent', value: 10, oncePerMember: false, firstPurchaseOnly: false, ...wish }
  const response = await admin.request('POST', '/api/admin/promotion-codes', body)
  if (response.status !== 201) throw new Error(JSON.stringify(response.body))
  return response.body
}
const start = (person: Person, bought: { id: number }, amount: string, code?: string) =>
  person.request('POST', '/api/create-payment-intent', { packageId: bought.id, amount, code })
const quote = (person: Person, bought: { id: number }, code?: string) =>
  person.request('GET', `/api/checkout/quote?packageId=${bought.id}${code ? `&code=${encodeURIComponent(code)}` : ''}`)
const codeOf = async (id: number, admin = story.dora) =>
  (await admin.request('GET', '/api/admin/promotion-codes')).body.find((code: { id: number }) => code.id === id)
const reconcile = () => story.studio.server.workers['reconcile-payments']({}, 'by hand')

test('a member pays an order with a code: receipt, lists and refund know its lines', async () => {
  const { studio, bank, ana, dora } = story
  const bought = await studio.createPackage({ price: '40.00', name: 'Four Pass' })
  const { id, code } = await createCode({ code: 'Spring-10' })
  expect(code).toBe('SPRING-10')
  const lines = [
    { label: 'Four Pass', amount: '40.00' },
    { label: 'Code SPRING-10, 10% off', amount: '-4.00' },
  ]
  expect((await quote(ana, bought, ' spring-10 ')).body).toEqual({ lines, total: '36.00' })
  expect((await quote(ana, bought)).body).toEqual({ lines: [lines[0]], total: '40.00' })
  expect(await start(ana, bought, '40.00', code)).toBeRefused(paymentRefusals.price_changed)

  const started = await start(ana, bought, '36.00', 'spring-10')
  expect(started.status).toBe(200)
  const asked = await bank.stripe.paymentIntents.retrieve(started.body.paymentIntentId)
  expect(asked).toMatchObject({ amount: 3600, metadata: { promotionCode: 'SPRING-10' } })
  expect((await start(ana, bought, '36.00', code)).body).toEqual(started.body)
  expect(await codeOf(id)).toMatchObject({ uses: 1, reserved: 1 })

  await bank.pay(started)
  expect((await activatePass(ana, bought, started)).status).toBe(201)
  expect(await codeOf(id)).toMatchObject({ uses: 1, reserved: 0 })
  const [own] = (await ana.request('GET', '/api/user/purchases')).body
  expect(own).toMatchObject({ amount: '36.00', lines })
  const [purchase] = (await dora.request('GET', `/api/admin/purchases?userId=${ana.id}`)).body
  expect(purchase).toMatchObject({ amount: '36.00', lines, refund: { amount: '32.40', most: '36.00' } })
  const csv = await dora.request('GET', '/api/admin/purchases.csv')
  expect(csv.body).toContain('40.00,-4.00,"Code SPRING-10, 10% off"')
})

test('the last use is sold once, and comes back when its payment is over', async () => {
  const { studio, bank, ana, boris } = story
  const bought = await studio.createPackage({ price: '40.00' })
  const { id, code } = await createCode({ kind: 'amount', value: 5.5, maxUses: 1 })
  const responses = await Promise.all([ana, boris].map((person) => start(person, bought, '34.50', code)))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
  const [first, second] = responses[0]?.status === 200 ? [ana, boris] : [boris, ana]
  expect(await start(second, bought, '34.50', code)).toBeRefused(codeRefusals.code_used_up)
  expect(await quote(second, bought, code)).toBeRefused(codeRefusals.code_used_up)

  studio.clock.set(studio.clock.now().add({ minutes: 31 }))
  await reconcile()
  expect(await codeOf(id)).toMatchObject({ uses: 0 })
  const started = await start(second, bought, '34.50', code)
  expect(started.status).toBe(200)
  await bank.pay(started)
  expect((await activatePass(second, bought, started)).status).toBe(201)
  expect(await start(first, bought, '34.50', code)).toBeRefused(codeRefusals.code_used_up)
})

test('two payments with a code, saved at the same moment, do not wait for each other', async () => {
  const { studio, ana, boris } = story
  const bought = await studio.createPackage({ price: '40.00' })
  const { id } = await createCode()
  const { clock, server } = studio
  const { database } = server
  const [code] = await database.db.select().from(promotionCodes).where(eq(promotionCodes.id, id))
  const saved = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const reserve = async (person: Person, turn: number) =>
    await database.transaction(async (tx) => {
      const payment = { userId: person.id, bought, code: defined(code) }
      await saveIntent(tx, `pi_of_${person.id}`, payment, clock.now())
      saved[turn]?.resolve()
      await Promise.all(saved.map(({ promise }) => promise))
      const use = { code: defined(code), packageId: bought.id, userId: person.id }
      await takeUse(tx, use, { paymentIntentId: `pi_of_${person.id}` }, clock.now())
      throw new Error('rolled back')
    })
  const ended = await Promise.allSettled([reserve(ana, 0), reserve(boris, 1)])
  expect(ended.map((each) => each.status === 'rejected' && String(each.reason))).toEqual(
    Array(2).fill('Error: rolled back'),
  )
})

test('a payment keeps its code for 30 minutes, also when the code has ended or the price has changed', async () => {
  const { studio, bank, dora } = story
  const eve = await studio.member('Eve')
  const bought = await studio.createPackage({ price: '40.00' })
  const { id, code } = await createCode()
  const started = await start(eve, bought, '36.00', code)
  expect((await dora.request('DELETE', `/api/admin/promotion-codes/${id}`)).status).toBe(200)
  await dora.request('PUT', `/api/packages/${bought.id}`, { price: '44.00' })
  expect(await quote(eve, bought, code)).toBeRefused(codeRefusals.code_ended)
  expect((await start(eve, bought, '36.00', code)).body).toEqual(started.body)

  studio.clock.set(studio.clock.now().add({ minutes: 30 }))
  await reconcile()
  expect(await bank.statusOf(started.body.paymentIntentId)).toBe('canceled')
  expect(await start(eve, bought, '36.00', code)).toBeRefused(codeRefusals.code_ended)
})

test('once per member: another checkout of the member takes the reservation over', async () => {
  const { studio, bank } = story
  const flo = await studio.member('Flo')
  const [four, eight] = [await studio.createPackage({ price: '40.00' }), await studio.createPackage({ price: '80.00' })]
  const { code } = await createCode({ oncePerMember: true })
  const first = await start(flo, four, '36.00', code)
  const second = await start(flo, eight, '72.00', code)
  expect(second.status).toBe(200)
  expect(await bank.statusOf(first.body.paymentIntentId)).toBe('canceled')
  await bank.pay(second)
  expect((await activatePass(flo, eight, second)).status).toBe(201)
  expect(await start(flo, four, '36.00', code)).toBeRefused(codeRefusals.code_already_used)
})

test('a code for a first purchase is refused after any purchase, and reserved by one payment at a time', async () => {
  const { studio, bank } = story
  const gus = await studio.member('Gus')
  const bought = await studio.createPackage({ price: '40.00' })
  const [one, other] = [await createCode({ firstPurchaseOnly: true }), await createCode({ firstPurchaseOnly: true })]
  const another = await studio.createPackage({ price: '80.00' })
  const first = await start(gus, bought, '36.00', one.code)
  // The last checkout takes over, also with another code.
  expect((await start(gus, another, '72.00', other.code)).status).toBe(200)
  expect(await bank.statusOf(first.body.paymentIntentId)).toBe('canceled')
  expect(await codeOf(one.id)).toMatchObject({ uses: 0 })
  await story.dora.request('POST', `/api/admin/users/${gus.id}/purchases`, { packageId: another.id, method: 'cash' })
  const fresh = await createCode({ firstPurchaseOnly: true })
  expect(await quote(gus, bought, fresh.code)).toBeRefused(codeRefusals.code_for_first_purchase)
})

test('an order that a code makes free is bought once, without a payment', async () => {
  const { studio, dora } = story
  const hal = await studio.member('Hal')
  const bought = await studio.createPackage({ price: '40.00', classCount: 4 })
  const { code, id } = await createCode({ value: 100 })
  expect((await quote(hal, bought, code)).body.total).toBe('0.00')
  expect(await start(hal, bought, '36.00', code)).toBeRefused(codeRefusals.nothing_to_pay)
  const buy = () => hal.request('POST', '/api/checkout/free', { packageId: bought.id, code })
  const responses = await Promise.all([buy(), buy()])
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 400])
  expect(await buy()).toBeRefused(codeRefusals.code_already_used)
  expect(await studio.creditsOf(hal)).toBe(4)
  expect(await codeOf(id)).toMatchObject({ uses: 1, reserved: 0 })
  const [purchase] = (await dora.request('GET', `/api/admin/purchases?userId=${hal.id}`)).body
  expect(purchase).toMatchObject({ amount: '0.00', refund: { amount: null, most: '0.00' } })
  const refund = { amount: '1.00', reason: 'A mistake', credits: 0 }
  const path = `/api/admin/purchases/${purchase.id}/refund`
  expect(await dora.request('POST', path, refund)).toBeRefused(paymentRefusals.refund_of_nothing)
  expect(await dora.request('POST', path)).toBeRefused(paymentRefusals.refund_of_nothing)
  const paid = await createCode()
  const payFor = { packageId: bought.id, code: paid.code }
  expect(await hal.request('POST', '/api/checkout/free', payFor)).toBeRefused(codeRefusals.payment_needed)
})

test('a free order takes over the code that the member’s own unpaid checkout has reserved', async () => {
  const { studio, bank } = story
  const ivo = await studio.member('Ivo')
  const [dear, cheap] = [await studio.createPackage({ price: '45.00' }), await studio.createPackage({ price: '20.00' })]
  const { code, id } = await createCode({ kind: 'amount', value: 20, maxUses: 1, oncePerMember: true })
  const unpaid = await start(ivo, dear, '25.00', code)
  const buy = (bought: { id: number }) =>
    ivo.request('POST', '/api/checkout/free', { packageId: bought.id, code }, { 'idempotency-key': 'ivo-1' })
  expect(await buy(dear)).toBeRefused(codeRefusals.payment_needed)
  expect(await bank.statusOf(unpaid.body.paymentIntentId)).toBe('requires_payment_method')
  expect((await buy(cheap)).status).toBe(201)
  expect((await buy(cheap)).status).toBe(201)
  expect(await bank.statusOf(unpaid.body.paymentIntentId)).toBe('canceled')
  expect(await codeOf(id)).toMatchObject({ uses: 1, reserved: 0 })
})

test('the owner’s mistakes are refused with a sentence', async () => {
  const { studio, dora, ana } = story
  const bought = await studio.createPackage({ price: '40.00' })
  const { code, id } = await createCode()
  const post = (wish: Wish) =>
    dora.request('POST', '/api/admin/promotion-codes', {
      code: 'AUTUMN',
      kind: 'percent',
      value: 10,
      oncePerMember: false,
      firstPurchaseOnly: false,
      ...wish,
    })
  expect(await post({ code: code.toLowerCase() })).toBeRefused(codeRefusals.code_exists)
  expect(await post({ packageIds: [2_000_000] })).toBeRefused(packageRefusals.package_not_found)
  for (const [wish, path] of [
    [{ value: 101 }, 'value'],
    [{ value: 12.5 }, 'value'],
    [{ value: 0 }, 'value'],
    [{ kind: 'amount', value: 1.005 }, 'value'],
    [{ code: 'a b' }, 'code'],
    [{ code: '💐💐💐' }, 'code'],
    [{ from: '2026-12-02', until: '2026-12-01' }, 'until'],
    [{ maxUses: 0 }, 'maxUses'],
  ] as const) {
    expect((await post(wish)).body.errors).toMatchObject([{ path }])
  }
  expect(await start(ana, bought, '36.00', 'NO-SUCH-CODE')).toBeRefused(codeRefusals.code_unknown)
  const nearlyFree = await createCode({ kind: 'amount', value: 39.8 })
  expect(await quote(ana, bought, nearlyFree.code)).toBeRefused(codeRefusals.total_too_low)
  expect(await start(ana, bought, '0.20', nearlyFree.code)).toBeRefused(codeRefusals.total_too_low)
  // Letters of an ended code can be used again.
  await dora.request('DELETE', `/api/admin/promotion-codes/${id}`)
  expect((await post({ code })).status).toBe(201)
  expect(await dora.request('DELETE', `/api/admin/promotion-codes/${id}`)).toBeRefused(codeRefusals.code_not_found)
})

test('a limit lowered below the uses so far stops further use, also of one that comes back', async () => {
  const { studio, bank, dora } = story
  const bought = await studio.createPackage({ price: '40.00' })
  const { id, code } = await createCode({ maxUses: 3 })
  const [paying, waiting, third] = await Promise.all(['Pat', 'Wim', 'Tess'].map((name) => studio.member(name)))
  const started = await start(defined(paying), bought, '36.00', code)
  await bank.pay(started)
  await activatePass(defined(paying), bought, started)
  await start(defined(waiting), bought, '36.00', code)
  const form = { code, kind: 'percent', value: 10, oncePerMember: false, firstPurchaseOnly: false, maxUses: 1 }
  expect((await dora.request('PUT', `/api/admin/promotion-codes/${id}`, form)).body).toMatchObject({ maxUses: 1 })
  studio.clock.set(studio.clock.now().add({ minutes: 31 }))
  await reconcile()
  expect(await codeOf(id)).toMatchObject({ uses: 1, maxUses: 1 })
  expect(await start(defined(third), bought, '36.00', code)).toBeRefused(codeRefusals.code_used_up)
})

test('a payment that was made before its reservation ended is honoured', async () => {
  const { studio, bank } = story
  const ida = await studio.member('Ida')
  const bought = await studio.createPackage({ price: '40.00' })
  const { id, code } = await createCode({ maxUses: 1 })
  const started = await start(ida, bought, '36.00', code)
  await bank.payByDebit(started)
  studio.clock.set(studio.clock.now().add({ minutes: 45 }))
  await reconcile()
  expect(await codeOf(id)).toMatchObject({ uses: 1 })
  await bank.simulate('settle', started.body.paymentIntentId)
  await bank.deliverEvents(studio, started.body.paymentIntentId)
  expect((await activatePass(ida, bought, started)).status).toBe(200)
  expect(await codeOf(id)).toMatchObject({ uses: 1, reserved: 0 })
})

test('guesses are limited on a live site, for a member and for a network', async () => {
  const limits = throttles(story.studio.server.database.limited, 'live')
  for (let i = 0; i < 30; i++) await limits.countGuess('ana', '192.0.2.1')
  await expect(limits.refuseGuessing('ana', '192.0.2.2')).rejects.toThrow(commonRefusals.too_many_requests.message)
  await expect(limits.refuseGuessing('boris', '192.0.2.1')).rejects.toThrow(commonRefusals.too_many_requests.message)
  await limits.refuseGuessing('boris', '192.0.2.2')
})
