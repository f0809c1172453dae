import { describe, expect, test } from 'vitest'
import { defined } from '#foundation/collections.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import type { Person } from '#testing/person.ts'
import { paymentRefusals, refundPurchase } from '../contract.ts'
import { activatePass, openStudioWithBank, shareStudioWithBank, startPayment } from './bank-under-test.ts'
import type { Provider } from './provider.ts'
import { sendRefund } from './refunds.ts'

type Story = ReturnType<typeof shareStudioWithBank>

/** A member who has just bought a pass. */
async function buy({ studio, bank, dora }: Story, name: string, price = '45.55', more: object = {}) {
  const member = await studio.member(name, { health: true })
  const bought = await studio.createPackage({ name: `Pass of ${name}`, price, classCount: 3, ...more })
  const started = await startPayment(member, bought)
  await bank.pay(started)
  const pass = (await activatePass(member, bought, started)).body
  const list = (await dora.request('GET', `/api/admin/purchases?search=${name}&limit=5`)).body
  return { member, bought, pass, intentId: started.body.paymentIntentId as string, purchase: list[0] }
}
const refund = (admin: Person, id: number) => admin.call(refundPurchase, { params: { id } })

describe('a refund', () => {
  const story = shareStudioWithBank()

  test('by policy is previewed, returns all but the fee, once, and takes the pass', async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buy(story, 'Clara')
    // Ten per cent of 45.55, rounded in the member's favour.
    expect(purchase).toMatchObject({ amount: '45.55', refund: { amount: '41.00', fee: '4.55', reason: null } })
    const response = await refund(dora, purchase.id)
    expect(response).toMatchObject({ status: 200, body: { refundedAmount: '41.00', refundSentAt: null } })
    expect(await studio.creditsOf(member)).toBe(0)
    await studio.runQueue('send-refund')
    expect(await bank.refundsOf(intentId)).toEqual([4100])
    expect(await refund(dora, purchase.id)).toBeRefused(paymentRefusals.already_refunded)
    const [line] = (await dora.request('GET', `/api/admin/users/${member.id}`)).body.ledger
    const reason = 'The purchase was refunded'
    expect(line).toMatchObject({
      kind: 'refund',
      credits: -3,
      package: 'Pass of Clara',
      causedBy: { by: 'admin' },
      reason,
    })
    const [mail] = (await studio.mailTo(member)).filter(({ subject }) => subject.includes('refund'))
    expect(mail?.text).toMatch(/refunded £41\.00 for .*can no longer be used.*Processing fee\s+£4\.55/s)
    const [record] = (await dora.request('GET', `/api/admin/audit?subject=purchase:${purchase.id}`)).body
    const changes = { package: { after: 'Pass of Clara' }, refunded: { after: '41.00' } }
    expect(record).toMatchObject({ action: 'refunded', changes })
    expect(Object.keys(record.changes)).toHaveLength(2)
    const [seen] = (await dora.request('GET', '/api/admin/purchases?search=Clara')).body
    expect(seen.refundSentAt).not.toBeNull()
    expect(seen.refunds).toMatchObject([{ origin: 'rule', creditsTaken: 3, reason: null }])
  })

  test('by policy needs an unused pass; a credit returned in time leaves it unused', async () => {
    const { studio, dora } = story
    const { member, purchase } = await buy(story, 'Uma')
    const booking = (await member.book(await studio.createClass('Tuesday 18:00'))).body
    expect(await refund(dora, purchase.id)).toBeRefused(paymentRefusals.refund_pass_used)
    await member.cancel(booking.id)
    expect((await refund(dora, purchase.id)).status).toBe(200)
  })

  test('is created once on concurrent requests', async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buy(story, 'Twyla')
    const responses = await Promise.all([1, 2, 3, 4].map(() => refund(dora, purchase.id)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
    await studio.runQueue('send-refund')
    expect(await bank.refundsOf(intentId)).toHaveLength(1)
    expect((await studio.mailTo(member)).filter(({ subject }) => subject.includes('refund'))).toHaveLength(1)
  })

  test('in part, retried with its key, creates one refund and returns the same response', async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buy(story, 'Lotte')
    const path = `/api/admin/purchases/${purchase.id}/refund`
    const sendRefund = (amount: string, key: string) =>
      dora.request('POST', path, { amount, reason: 'A kindness', credits: 0 }, { 'idempotency-key': key })
    const [first, atOnce] = await Promise.all([sendRefund('10', 'lost'), sendRefund('10', 'lost')])
    const again = await sendRefund('10', 'lost')
    expect([first.status, atOnce.status, again.status]).toEqual([200, 200, 200])
    expect(again.body).toEqual(first.body)
    expect(await sendRefund('11', 'lost')).toBeRefused(commonRefusals.idempotency_key_reused)
    await studio.runQueue('send-refund')
    expect(await bank.refundsOf(intentId)).toEqual([1000])
    const [mail] = (await studio.mailTo(member)).filter(({ subject }) => subject === 'Your refund of £10.00')
    expect(mail?.text).toContain('Your pass has not changed')
    expect(mail?.text).not.toContain('Processing fee')
    expect((await sendRefund('10', 'another')).body).toMatchObject({ refundedAmount: '20.00' })
  })

  test('lets either the refund or the booking succeed when they are concurrent', async () => {
    const { studio, dora } = story
    for (const round of [1, 2, 3, 4]) {
      const { member, purchase } = await buy(story, `Racer${round}`)
      const classId = await studio.createClass('Wednesday 12:00')
      const [refunded, booked] = await Promise.all([refund(dora, purchase.id), member.book(classId)])
      expect([refunded.status, booked.status].sort()).toEqual(refunded.status === 200 ? [200, 400] : [201, 400])
      expect(await studio.creditsOf(member)).toBe(refunded.status === 200 ? 0 : 2)
    }
  })

  test('of a once-only package allows buying it again, once', async () => {
    const { studio, bank, dora } = story
    const { member, bought, purchase } = await buy(story, 'Onceagain', '45.00', { purchaseOncePerUser: true })
    expect(await startPayment(member, bought)).toBeRefused(paymentRefusals.package_already_held)
    await refund(dora, purchase.id)
    const started = await startPayment(member, bought)
    await bank.pay(started)
    expect(await activatePass(member, bought, started)).toMatchObject({ status: 201, body: { creditsRemaining: 3 } })
    expect(await studio.creditsOf(member)).toBe(3)
    expect(await startPayment(member, bought)).toBeRefused(paymentRefusals.package_already_held)
  })

  test('sent twice, or again after a crash, creates one refund', async () => {
    const { studio, bank, dora } = story
    const { intentId, purchase } = await buy(story, 'Phoenix')
    await refund(dora, purchase.id)
    const { database, provider } = studio.server
    const crashing = {
      ...defined(provider),
      refund: async (order: Parameters<Provider['refund']>[0]) => {
        await provider?.refund(order)
        throw new Error('the process dies here')
      },
    }
    const refundId = await studio.count('select id from refunds where purchase_id = $1', [purchase.id])
    await expect(sendRefund(database, crashing, refundId, studio.clock.now())).rejects.toThrow('dies')
    // After a day the provider has forgotten the idempotency key.
    await bank.stripe.refunds.list({ payment_intent: intentId })
    await studio.runQueue('send-refund')
    await sendRefund(database, defined(provider), refundId, studio.clock.now())
    expect(await bank.refundsOf(intentId)).toEqual([4100])
  })

  test("at the owner's discretion is possible after the pass has ended, and after its member is erased", async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buy(story, 'Fern')
    const sendRefund = (body: object) => dora.call(refundPurchase, { params: { id: purchase.id }, body })
    await refund(dora, purchase.id)
    expect((await sendRefund({ amount: '1', reason: 'The fee' })).status).toBe(200)
    const [mail] = (await studio.mailTo(member)).filter(({ subject }) => subject === 'Your refund of £1.00')
    expect(mail?.text).toContain('can no longer be used')

    await dora.request('DELETE', `/api/admin/users/${member.id}`)
    const credits = { amount: '1', reason: 'The fee', credits: 1 }
    expect(await sendRefund(credits)).toBeRefused(paymentRefusals.insufficient_credits)
    expect((await sendRefund({ amount: '1', reason: 'The fee' })).status).toBe(200)
    expect((await sendRefund({ amount: '2.55', reason: 'The rest' })).body).toMatchObject({ refundedAmount: '45.55' })
    await studio.runQueue('send-refund')
    expect((await bank.refundsOf(intentId)).sort()).toEqual([100, 100, 255, 4100])
    expect((await studio.mailTo(member)).filter(({ subject }) => subject.includes('£2.55'))).toEqual([])
  })

  test('is for admins, of an existing purchase whose member is not erased', async () => {
    const { dora, ana } = story
    const { member, purchase } = await buy(story, 'Gwen')
    expect((await refund(ana, purchase.id)).status).toBe(403)
    expect(await refund(dora, 999_999)).toBeRefused(paymentRefusals.purchase_not_found)
    await dora.request('DELETE', `/api/admin/users/${member.id}`)
    expect(await refund(dora, purchase.id)).toBeRefused(paymentRefusals.refund_pass_deleted)
  })
})

test('is possible for fourteen days, to the last second', async () => {
  const story = await openStudioWithBank()
  const { purchase } = await buy(story as Story, 'Late')
  const { purchase: other } = await buy(story as Story, 'Later')
  story.studio.travelTo('2026-12-21 23:59:59')
  expect((await refund(story.dora, purchase.id)).status).toBe(200)
  story.studio.travelTo('2026-12-22 00:00:00')
  expect(await refund(story.dora, other.id)).toBeRefused(paymentRefusals.refund_too_late)
})
