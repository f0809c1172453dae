import { describe, expect, test } from 'vitest'
import { defined } from '#foundation/collections.ts'
import { decideRefund, paymentRefusals } from '../contract.ts'
import { shareStudioWithBank } from './bank-under-test.ts'
import { buyersIn } from './buyers-under-test.ts'

const story = shareStudioWithBank()
const { buyer, purchaseOf, refund } = buyersIn(story)

/** A purchase of three credits for £45.50, of which these parts were refunded at the provider. */
async function refundedThere(name: string, ...parts: number[]) {
  const bought = await buyer(name)
  for (const amount of parts) await story.bank.stripe.refunds.create({ payment_intent: bought.intentId, amount })
  await story.bank.deliverEvents(story.studio, bought.intentId)
  return bought
}

/** The refund of an amount, as the owner sees it. */
async function policyRefund(name: string, amount: string) {
  return defined((await purchaseOf(name)).refunds.find((refund) => refund.amount === amount))
}
const decideAs = (id: number, body: object) => story.dora.call(decideRefund, { params: { id }, body })

describe('the owner decides', () => {
  test('about two partial refunds separately, each recorded with its own amount', async () => {
    const { studio, dora } = story
    const { member, purchase } = await refundedThere('Doubla', 1500, 1000)
    const parts = (await purchaseOf('Doubla')).refunds.toSorted((a, b) => a.id - b.id)
    const [first, second] = [defined(parts[0]), defined(parts[1])]
    expect((await decideAs(first.id, { credits: 2 })).status).toBe(200)
    expect(await policyRefund('Doubla', first.amount)).toMatchObject({ creditsTaken: 2, decision: null })
    expect(await policyRefund('Doubla', second.amount)).toMatchObject({ creditsTaken: null, decision: 'credits' })
    expect(await studio.creditsOf(member)).toBe(1)
    expect((await decideAs(second.id, {})).status).toBe(200)
    expect(await policyRefund('Doubla', second.amount)).toMatchObject({ creditsTaken: 0, decision: null })
    const [record] = (await dora.request('GET', `/api/admin/audit?subject=purchase:${purchase.id}`)).body
    expect(record.changes).toMatchObject({ refunded: { after: second.amount } })
  })

  test('only that a failed refund is dealt with: its credits went when it was sent', async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buyer('Fallon', 'pm_card_refundFail')
    await refund(dora, purchase.id, { amount: '10.00', reason: 'Asked for', credits: 1 })
    await studio.runQueue('send-refund')
    const [sent] = (await bank.stripe.refunds.list({ payment_intent: intentId })).data
    await bank.simulate('settle', sent?.id ?? '')
    await bank.deliverEvents(studio, intentId)
    const failed = await policyRefund('Fallon', '10.00')
    expect(failed).toMatchObject({ decision: 'failed', creditsTaken: 1 })
    expect((await decideAs(failed.id, { credits: 2 })).status).toBe(200)
    expect(await policyRefund('Fallon', '10.00')).toMatchObject({ decision: null, creditsTaken: 1 })
    expect(await studio.creditsOf(member)).toBe(2)
  })
})

describe('no decision is needed', () => {
  test('about a partial refund once the rest was refunded: the pass has ended', async () => {
    await refundedThere('Endina', 1500, 3050)
    const first = await policyRefund('Endina', '15.00')
    expect(first).toMatchObject({ decision: null })
    expect(await decideAs(first.id, { credits: 1 })).toBeRefused(paymentRefusals.refund_already_decided)
  })

  test('once the member and the pass are erased', async () => {
    const { dora } = story
    const { member } = await refundedThere('Evie', 1500)
    const { id } = await policyRefund('Evie', '15.00')
    await dora.request('DELETE', `/api/admin/users/${member.id}`)
    expect(await decideAs(id, {})).toBeRefused(paymentRefusals.refund_already_decided)
  })
})
