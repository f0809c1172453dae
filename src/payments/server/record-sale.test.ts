import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { accountRefusals } from '#accounts/contract.ts'
import { LEGAL } from '#content/build/front-matter.ts'
import { defined } from '#foundation/collections.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { getReport } from '#insights/contract.ts'
import { packageRefusals } from '#packages/contract.ts'
import { exportOwnData } from '#privacy/contract.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import type { Person } from '#testing/person.ts'
import { shareStudio } from '#testing/studio-under-test.ts'
import { listPurchases, paymentRefusals, refundPurchase } from '../contract.ts'
import { deskRefusals, voidSale } from '../contract-desk.ts'
import { activatePass, openStudioWithBank, startPayment } from './bank-under-test.ts'

const story = shareStudio({ now: 'Monday 09:00' })

const sell = (admin: Person, member: { id: string }, body: object, key?: string) =>
  admin.request('POST', `/api/admin/users/${member.id}/purchases`, body, key ? { 'idempotency-key': key } : {})
const voidSaleAs = (admin: Person, member: { id: string }, purchaseId: number) =>
  admin.call(voidSale, { params: { id: member.id, purchaseId } })
const refund = (admin: Person, id: number, body: object = {}) => admin.call(refundPurchase, { params: { id }, body })
const DECEMBER = { from: '2026-12-01', to: '2026-12-31' }
const decemberRevenue = async () => {
  const { revenue, byMethod } = await story.dora.read(getReport, { query: DECEMBER })
  return { ...defined(revenue[0]), byMethod }
}

describe('a sale at the desk', () => {
  test('creates a pass, a receipt, revenue by payment method and an audit line', async () => {
    const { studio, dora } = story
    const carl = await studio.member('Carl', { health: true })
    const sold = await studio.createPackage({ name: 'Eight', price: '424.00' })
    const before = await decemberRevenue()
    const response = await sell(dora, carl, { packageId: sold.id, method: 'cash', note: ' Change from 450 ' })
    expect(response).toMatchObject({
      status: 201,
      body: {
        user: { id: carl.id, isByPhone: false },
        package: { name: 'Eight' },
        amount: '424.00',
        method: 'Cash',
        deskMethod: 'cash',
        note: 'Change from 450',
        mayVoid: true,
        creditsRemaining: 8,
        refund: { amount: '381.60', most: '424.00' },
      },
    })
    expect((await carl.book(await studio.createClass('Tuesday 10:00'))).status).toBe(201)
    const [receipt] = (await studio.mailTo(carl)).filter(({ subject }) => subject === 'Your receipt for Eight')
    expect(receipt?.text).toMatch(/Paid\s+£424\.00\s+Paid with\s+Cash/)
    // A face-to-face sale carries no right to cancel.
    expect(receipt?.text).not.toContain('Your right to cancel')
    const after = await decemberRevenue()
    expect(Number(after.revenue) - Number(before.revenue)).toBe(424)
    expect(after.purchases - before.purchases).toBe(1)
    expect(after.byMethod.find(({ method }) => method === 'cash')).toMatchObject({ revenue: '424.00', purchases: 1 })
    const [line] = (await dora.request('GET', `/api/admin/audit?subject=purchase:${response.body.id}`)).body
    expect(line).toMatchObject({
      action: 'sold',
      changes: { package: { after: 'Eight' }, amount: { after: '424.00' }, method: { after: 'Cash' } },
    })
    const { ledger } = (await dora.request('GET', `/api/admin/users/${carl.id}`)).body
    expect(ledger.at(-1)).toMatchObject({ kind: 'purchase', credits: 8, causedBy: { by: 'admin' } })
    const { purchases } = await carl.read(exportOwnData)
    expect(purchases).toMatchObject([{ method: 'Cash', amount: '424.00', note: 'Change from 450', voidedAt: null }])
  })

  test('accepts another amount and a hidden package; a remote payment carries the right to cancel', async () => {
    const { studio, dora } = story
    const tom = await studio.member('Tom')
    const hidden = await studio.createPackage({ name: 'Friends', price: '100.00', isActive: false } as object)
    const response = await sell(dora, tom, { packageId: hidden.id, method: 'bank_transfer', amount: '£1,045.5' })
    expect(response.body).toMatchObject({ amount: '1045.50', method: 'Bank transfer', note: null })
    const [receipt] = (await studio.mailTo(tom)).filter(({ subject }) => subject === 'Your receipt for Friends')
    expect(receipt?.text).toContain('Your right to cancel')
  })

  test('states the same fee on the receipt as in the refund policy', async () => {
    const { studio, dora } = story
    const sold = await studio.createPackage({ name: 'Feed', price: '50.00' })
    const receiptTextFor = async (method: string) => {
      const member = await studio.member(`Fay${method.slice(0, 4)}`)
      await sell(dora, member, { packageId: sold.id, method })
      const [mail] = (await studio.mailTo(member)).filter(({ subject }) => subject === 'Your receipt for Feed')
      return defined(mail).text.replaceAll(/\s+/g, ' ')
    }
    const refundRule = 'You can get a refund for an unused pass within 14 days, less a 10% processing fee.'
    const legalException = 'The 10% processing fee in our refund policy does not apply to it.'
    const [inPerson, remote] = [await receiptTextFor('cash'), await receiptTextFor('bank_transfer')]
    for (const text of [inPerson, remote]) expect(text).toContain(refundRule)
    expect([inPerson.includes(legalException), remote.includes(legalException)]).toEqual([false, true])
    const policy = await readFile(join(LEGAL, 'refund-policy.mdx'), 'utf8')
    expect(policy).toContain('If you cancel in this way, we do not charge a processing fee.')
  })

  test('requires a member, an existing package, a valid amount and a payment method', async () => {
    const { studio, ana, boris, dora } = story
    const sold = await studio.createPackage({ name: 'Plain', price: '40.00' })
    const good = { packageId: sold.id, method: 'other' }
    expect(await sell(dora, { id: 'nobody' }, good)).toBeRefused(accountRefusals.user_not_found)
    expect(await sell(dora, boris, { ...good, packageId: 2_000_000_000 })).toBeRefused(
      packageRefusals.package_not_found,
    )
    for (const wrong of [
      { method: 'barter' },
      { method: undefined },
      { amount: '45,50' },
      { amount: 0 },
      { amount: -1 },
      { amount: '1000000' },
      { note: 'x'.repeat(501) },
    ])
      expect([wrong, (await sell(dora, boris, { ...good, ...wrong })).status]).toEqual([wrong, 400])
    expect(await sell(ana, boris, good)).toBeRefused(commonRefusals.forbidden)
    expect(await voidSaleAs(ana, boris, 1)).toBeRefused(commonRefusals.forbidden)
    expect(await studio.creditsOf(boris)).toBe(0)
  })

  test('is recorded once per key; concurrent sales of a once-only package create one', async () => {
    const { studio, dora } = story
    const kim = await studio.member('Kim')
    const sold = await studio.createPackage({ name: 'Kim’s', price: '40.00' })
    const body = { packageId: sold.id, method: 'card_reader' }
    const [first, second] = await Promise.all([sell(dora, kim, body, 'one'), sell(dora, kim, body, 'one')])
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(await studio.creditsOf(kim)).toBe(8)

    const intro = await studio.createPackage({ name: 'Intro', price: '30.00', purchaseOncePerUser: true })
    const once = { packageId: intro.id, method: 'cash' }
    const responses = await Promise.all(['a', 'b', 'c'].map((key) => sell(dora, kim, once, key)))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    expect(await sell(dora, kim, once)).toBeRefused(deskRefusals.package_already_held)
    // Once voided, it can be sold again.
    const { body: sale } = defined(responses.find(({ status }) => status === 201))
    expect((await voidSaleAs(dora, kim, sale.id)).status).toBe(200)
    expect((await sell(dora, kim, once)).status).toBe(201)
  })
})

describe('voiding', () => {
  test('voids the pass and the revenue once, emails the member and keeps the purchase listed', async () => {
    const { studio, boris, dora } = story
    const vic = await studio.member('Vic', { health: true })
    const sold = await studio.createPackage({ name: 'Wrong one', price: '77.00' })
    const before = await decemberRevenue()
    const { id } = (await sell(dora, vic, { packageId: sold.id, method: 'cash' })).body
    expect(await voidSaleAs(dora, boris, id)).toBeRefused(paymentRefusals.purchase_not_found)
    expect(await voidSaleAs(dora, vic, id)).toMatchObject({ status: 200, body: { message: 'Sale voided' } })
    expect(await voidSaleAs(dora, vic, id)).toBeRefused(deskRefusals.already_voided)
    expect(await refund(dora, id)).toBeRefused(paymentRefusals.refund_sale_voided)
    expect(await refund(dora, id, { amount: '1', reason: 'No' })).toBeRefused(paymentRefusals.refund_sale_voided)
    expect(await studio.creditsOf(vic)).toBe(0)
    expect((await vic.book(await studio.createClass('Tuesday 11:00'))).status).toBe(400)
    expect(await decemberRevenue()).toEqual(before)
    const [mail] = (await studio.mailTo(vic)).filter(({ subject }) => subject.includes('no longer valid'))
    expect(mail?.text).toMatch(/sale for you today by mistake.*Wrong one.*£77\.00/s)
    const [line] = await dora.read(listPurchases, { query: { userId: vic.id } })
    expect(line).toMatchObject({ mayVoid: false, refund: { amount: null, most: '0.00' } })
    expect(line?.voidedAt).not.toBeNull()
    const [ledger] = (await dora.request('GET', `/api/admin/users/${vic.id}`)).body.ledger
    expect(ledger).toMatchObject({ kind: 'correction', credits: -8, reason: 'The sale was voided' })
    const [audit] = (await dora.request('GET', `/api/admin/audit?subject=purchase:${id}`)).body
    expect(audit).toMatchObject({ action: 'voided', changes: { amount: { before: '77.00', after: '0.00' } } })
  })

  test('is allowed after the pass was deleted, and the package can be sold again', async () => {
    const { studio, dora } = story
    const pia = await studio.member('Pia', { health: true })
    const once = await studio.createPackage({ name: 'Once', price: '30.00', purchaseOncePerUser: true })
    const sale = { packageId: once.id, method: 'cash' }
    const { id } = (await sell(dora, pia, sale)).body
    const [pass] = (await pia.request('GET', '/api/user/passes')).body
    expect((await dora.request('DELETE', `/api/admin/user-passes/${pass.id}`)).status).toBe(200)
    expect(await dora.read(listPurchases, { query: { userId: pia.id } })).toMatchObject([{ mayVoid: true }])
    expect((await voidSaleAs(dora, pia, id)).status).toBe(200)
    expect(await studio.creditsOf(pia)).toBe(0)
    expect((await sell(dora, pia, sale)).status).toBe(201)
    expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
  })

  test('is refused for a used pass, after a partial refund, and on another London day', async () => {
    const { studio, dora } = story
    const una = await studio.member('Una', { health: true })
    const sold = await studio.createPackage({ name: 'Used', price: '50.00' })
    const sale = async () => (await sell(dora, una, { packageId: sold.id, method: 'cash' })).body.id as number
    const first = await sale()
    const booking = (await una.book(await studio.createClass('Tuesday 12:00'))).body
    expect(await voidSaleAs(dora, una, first)).toBeRefused(deskRefusals.void_pass_used)
    await una.cancel(booking.id)
    await refund(dora, first, { amount: '5', reason: 'A kindness' })
    expect(await voidSaleAs(dora, una, first)).toBeRefused(deskRefusals.void_after_refund)
    const second = await sale()
    studio.travelTo('2026-12-07 23:59')
    expect((await voidSaleAs(dora, una, second)).status).toBe(200)
    const third = await sale()
    studio.travelTo('2026-12-08 00:00')
    expect(await voidSaleAs(dora, una, third)).toBeRefused(deskRefusals.void_too_late)
    studio.travelTo('Monday 09:00')
  })

  test('lets either the sale be voided or the pass be used when both happen concurrently', async () => {
    const { studio, dora } = story
    const sold = await studio.createPackage({ name: 'Raced', price: '50.00' })
    for (const round of [1, 2, 3, 4]) {
      const member = await studio.member(`Hasty${round}`, { health: true })
      const { id } = (await sell(dora, member, { packageId: sold.id, method: 'cash' })).body
      const classId = await studio.createClass('Wednesday 12:00')
      const [voided, booked] = await Promise.all([voidSaleAs(dora, member, id), member.book(classId)])
      expect([voided.status, booked.status].sort()).toEqual(voided.status === 200 ? [200, 400] : [201, 400])
    }
  })
})

describe('a desk refund', () => {
  test('is recorded, by policy or at discretion, and not sent to the provider', async () => {
    const { studio, dora } = story
    const rita = await studio.member('Rita')
    const sold = await studio.createPackage({ name: 'Rita’s', price: '50.00', classCount: 5 })
    const { id } = (await sell(dora, rita, { packageId: sold.id, method: 'cash' })).body
    const part = await refund(dora, id, { amount: '10', reason: 'Moved away', credits: 1 })
    expect(part.body).toMatchObject({
      refundedAmount: '10.00',
      creditsRemaining: 4,
      refunds: [{ status: 'succeeded', origin: 'owner', creditsTaken: 1 }],
    })
    expect(part.body.refundSentAt).not.toBeNull()
    expect(await refund(dora, id, { amount: '40.01', reason: 'Too much' })).toBeRefused(
      paymentRefusals.refund_exceeds_payment,
    )
    await refund(dora, id, { amount: '40', reason: 'The rest' })
    expect(await studio.creditsOf(rita)).toBe(0)
    const mails = (await studio.mailTo(rita)).filter(({ subject }) => subject.includes('refund'))
    expect(mails.map(({ text }) => text.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringContaining('We have given back £10.00 for Rita’s in cash.'),
      expect.stringContaining('We have given back £40.00 for Rita’s in cash.'),
    ])

    const tess = await studio.member('Tess')
    const other = (await sell(dora, tess, { packageId: sold.id, method: 'bank_transfer' })).body.id
    expect((await refund(dora, other)).body).toMatchObject({
      refundedAmount: '45.00',
      refunds: [{ origin: 'rule', status: 'succeeded', creditsTaken: 5 }],
    })
    expect(await studio.count(`select count(*) from refunds where payment_intent_id is null`)).toBeGreaterThan(2)
    expect(await studio.count(`select count(*) from pgboss.job where name = 'send-refund'`)).toBe(0)
    await studio.server.workers['reconcile-payments']({}, 'by hand')
    expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
  })

  test('needs no decision; erasing the member keeps the sale but removes the note and the name', async () => {
    const { studio, dora } = story
    const zoe = await studio.member('Zoe')
    const sold = await studio.createPackage({ name: 'Zoe’s', price: '50.00' })
    const { id } = (await sell(dora, zoe, { packageId: sold.id, method: 'other', note: 'Zoe’s mother paid' })).body
    const { refunds: made } = (await refund(dora, id, { amount: '10', reason: 'Moved away' })).body
    expect(await dora.request('POST', `/api/admin/refunds/${made[0].id}/decide`, {})).toBeRefused(
      paymentRefusals.refund_already_decided,
    )
    expect((await dora.request('DELETE', `/api/admin/users/${zoe.id}`)).status).toBe(200)
    const [line] = await dora.read(listPurchases, { query: { search: 'Zoe’s' } })
    expect(line).toMatchObject({ id, user: null, note: null, amount: '50.00', refundedAmount: '10.00', mayVoid: false })
    expect(await sell(dora, zoe, { packageId: sold.id, method: 'cash' })).toBeRefused(accountRefusals.user_not_found)
  })
})

test('a concurrent card payment and sale of a once-only package create one pass; the later payment is returned', async () => {
  const { studio, bank, dora } = await openStudioWithBank()
  const olga = await studio.member('Olga')
  const intro = await studio.createPackage({ name: 'Intro', price: '45.00', purchaseOncePerUser: true })
  const started = await startPayment(olga, intro)
  await bank.pay(started)
  const [sold, paid] = await Promise.all([
    sell(dora, olga, { packageId: intro.id, method: 'cash' }),
    activatePass(olga, intro, started),
  ])
  expect([sold.status, paid.status].sort()).toEqual([201, 400])
  expect(await studio.creditsOf(olga)).toBe(8)
  const [purchase] = await dora.read(listPurchases, { query: { userId: olga.id } })
  if (sold.status === 201) await studio.runQueue('send-refund')
  expect(await bank.refundsOf(started.body.paymentIntentId)).toEqual(sold.status === 201 ? [4500] : [])
  if (paid.status === 201) {
    expect(await voidSaleAs(dora, olga, defined(purchase).id)).toBeRefused(deskRefusals.void_card_payment)
  }
})
