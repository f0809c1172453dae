import { describe, expect, test } from 'vitest'
import { defined } from '#foundation/collections.ts'
import { paymentRefusals } from '../contract.ts'
import type { ProviderRefund } from '../provider-state.ts'
import { shareStudioWithBank } from './bank-under-test.ts'
import { buyersIn } from './buyers-under-test.ts'
import { syncPayment } from './sync-payment.ts'

const story = shareStudioWithBank()
const { buyer, purchaseOf, mailSubjectsTo, mailsToOwner, refund } = buyersIn(story)

/** A refund made at the provider. Ids are unique across payments. */
const there = (id: string, amount: number, has: Partial<ProviderRefund> = {}): ProviderRefund => ({
  id: `re_${id}`,
  amount,
  status: 'succeeded',
  failure: null,
  reference: null,
  createdAt: story.studio.clock.now(),
  ...has,
})

/** Syncs a payment as if the provider had these refunds. */
async function deliver(intentId: string, ...refunds: ProviderRefund[]): Promise<void> {
  const { database, provider } = story.studio.server
  const bank = defined(provider)
  const read = async () => ({ ...defined(await bank.read(intentId, { full: true })), refunds })
  await syncPayment(database, { ...bank, read }, intentId, story.studio.clock.now(), { full: true })
}

/** The recorded refunds of a purchase, oldest first. */
async function onRecord(intentId: string) {
  const query = 'select * from refunds where payment_intent_id = $1 order by id'
  const { rows } = await story.studio.server.database.pool.query(query, [intentId])
  return rows
}

/** Refunds decided by the owner, not yet sent. */
async function decide(name: string, ...amounts: string[]) {
  const bought = await buyer(name)
  for (const amount of amounts) await refund(story.dora, bought.purchase.id, { amount, reason: 'Asked for' })
  return { ...bought, references: (await onRecord(bought.intentId)).map(({ reference }) => reference) }
}
const wasEmailed = async (person: { email: string }, words: string) =>
  (await mailSubjectsTo(person)).filter((subject) => subject.includes(words))

describe('a refund of ours', () => {
  test('is settled when the provider has finished it; stale data that arrives later changes nothing', async () => {
    const { intentId, references } = await decide('Wayne', '10.00')
    const refund = (status: ProviderRefund['status']) => there('wayne', 1000, { reference: references[0], status })
    await deliver(intentId, refund('pending'))
    expect(await onRecord(intentId)).toMatchObject([{ status: 'pending', provider_id: 're_wayne', settled_at: null }])
    story.studio.clock.advance({ hours: 1 })
    await deliver(intentId, refund('succeeded'))
    const [settled] = await onRecord(intentId)
    expect(settled).toMatchObject({ status: 'succeeded', settled_at: expect.anything() })
    story.studio.clock.advance({ hours: 1 })
    await deliver(intentId, refund('pending'))
    await deliver(intentId, refund('succeeded'))
    expect(await onRecord(intentId)).toEqual([settled])
  })

  test('that fails is emailed once; without a reason it is `unknown`', async () => {
    const { member, intentId, references } = await decide('Farrah', '10.00')
    const failed = there('farrah', 1000, { reference: references[0], status: 'failed' })
    await deliver(intentId, { ...failed, status: 'pending' })
    await deliver(intentId, { ...failed, failure: 'lost_or_stolen_card' })
    await deliver(intentId, { ...failed, failure: 'lost_or_stolen_card' })
    expect(await wasEmailed(member, 'did not arrive')).toHaveLength(1)
    const [notice, ...more] = (await mailsToOwner('Pass of Farrah')).filter(({ text }) =>
      text.includes('did not arrive'),
    )
    expect(more).toEqual([])
    expect(notice?.text).toMatch(/Reason given by the card provider\s+lost or stolen card/)
    expect(notice?.text).toContain('We have emailed the member.')
    // Stale data does not change that.
    await deliver(intentId, { ...failed, status: 'succeeded' })
    expect(await onRecord(intentId)).toMatchObject([{ status: 'failed' }])
  })

  test('in full that failed gives way to one made at the provider, read in one response', async () => {
    const { member, intentId, references } = await decide('Roomie', '45.50')
    const first = there('roomie_1', 4550, { reference: references[0], status: 'pending' })
    await deliver(intentId, first)
    const second = there('roomie_2', 4550)
    await deliver(intentId, second, { ...first, status: 'failed', failure: 'declined' })
    expect(await purchaseOf('Roomie')).toMatchObject({
      refundedAmount: '45.50',
      refunds: [{ status: 'failed' }, { origin: 'provider', status: 'succeeded' }],
    })
    expect(await story.studio.creditsOf(member)).toBe(0)
  })
})

describe('unsent refunds', () => {
  test('stay while enough is left for them, to the penny', async () => {
    const { member, intentId } = await decide('Penny', '20.00', '15.50')
    await deliver(intentId, there('penny', 1000))
    expect(await onRecord(intentId)).toMatchObject([
      { status: 'decided' },
      { status: 'decided' },
      { origin: 'provider' },
    ])
    expect(await wasEmailed(member, 'did not arrive')).toEqual([])
  })

  test('are withdrawn when too little is left, the latest first; member and owner are emailed', async () => {
    const { member, intentId } = await decide('Scanty', '20.00', '15.50')
    await deliver(intentId, there('scanty', 1001))
    expect(await onRecord(intentId)).toMatchObject([
      { status: 'decided' },
      { status: 'failed', failure: 'too_little_is_left', answered_at: null },
      { origin: 'provider' },
    ])
    expect(await wasEmailed(member, 'did not arrive')).toEqual(['Your refund of £15.50 did not arrive'])
    const notices = (await mailsToOwner('Pass of Scanty')).map(({ subject }) => subject)
    expect(notices).toContainEqual(expect.stringMatching(/^A refund failed: £15\.50/))
  })

  test('ignore failed refunds there, and are withdrawn silently if everything was refunded there', async () => {
    const { member, intentId } = await decide('Nell', '45.50')
    await deliver(intentId, there('nell_1', 4550, { status: 'failed', failure: 'declined' }))
    expect((await onRecord(intentId))[0]).toMatchObject({ status: 'decided' })
    await deliver(intentId, there('nell_1', 4550, { status: 'failed', failure: 'declined' }), there('nell_2', 4550))
    const [given] = await onRecord(intentId)
    expect(given).toMatchObject({ failure: 'refunded_at_the_provider', answered_at: expect.anything() })
    expect(await wasEmailed(member, 'did not arrive')).toEqual([])
    const notices = (await mailsToOwner('Pass of Nell')).map(({ subject }) => subject)
    expect(notices).toContainEqual(expect.stringMatching(/^A refund was not needed: £45\.50/))
  })
})

describe('refunds made at the provider', () => {
  test('are recorded while pending', async () => {
    const { intentId } = await buyer('Onny')
    await deliver(intentId, there('onny', 500, { status: 'pending' }))
    expect(await onRecord(intentId)).toMatchObject([{ status: 'pending', settled_at: null, origin: 'provider' }])
  })

  test('in two parts that add up end the pass; cancelled classes are mentioned with the first', async () => {
    const { studio } = story
    const { member, intentId } = await buyer('Twopart')
    await member.book(await studio.createClass('Friday 12:00'))
    await deliver(intentId, there('twopart_1', 2000), there('twopart_2', 2550))
    const notices = await mailsToOwner('Pass of Twopart')
    const bySum = (sum: string) => notices.find(({ subject }) => subject.includes(sum))
    expect(bySum('£20.00')?.subject).toMatch(/^A payment was refunded at the card provider/)
    expect(bySum('£20.00')?.text).toMatch(/Classes cancelled\s+1/)
    expect(bySum('£25.50')?.text).not.toContain('Classes cancelled')
    const mails = (await studio.mailTo(member)).filter(({ subject }) => subject.startsWith('Your refund of'))
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual(['Your refund of £20.00', 'Your refund of £25.50'])
    for (const { text } of mails) {
      expect(text).toContain('The pass can no longer be used')
      expect(text).toMatch(/Paid\s+£45\.50/)
      expect(text).toContain('Visa ending 4242')
    }
  })

  test("in part leave the pass valid until the owner decides, as the member's email explains", async () => {
    const { studio, dora } = story
    const { member, intentId, purchase } = await buyer('Keeper')
    await deliver(intentId, there('keeper', 1550))
    const [mail] = (await studio.mailTo(member)).filter(({ subject }) => subject === 'Your refund of £15.50')
    expect(mail?.text).toContain('Your pass has not changed.')
    const [notice] = await mailsToOwner('Pass of Keeper')
    expect(notice?.text).toContain('how many of its credits to remove for this refund')
    expect(notice?.text).not.toContain('Classes cancelled')
    const more = await refund(dora, purchase.id, { amount: '30.01', reason: 'Too much' })
    expect(more).toBeRefused(paymentRefusals.refund_exceeds_payment)
  })
})
