import { describe, expect, test } from 'vitest'
import { defined } from '#foundation/collections.ts'
import { shareStudioWithBank } from './bank-under-test.ts'
import { buyersIn } from './buyers-under-test.ts'
import type { Provider } from './provider.ts'
import { sendRefund } from './refunds.ts'

const story = shareStudioWithBank()
const { buyer, mailSubjectsTo, mailsToOwner, refund } = buyersIn(story)

/** A refund of a payment of £45.50, decided by the owner; its job has not run. */
async function decided(name: string, amount: string) {
  const bought = await buyer(name)
  await refund(story.dora, bought.purchase.id, { amount, reason: 'Asked for' })
  const query = 'select id from refunds where purchase_id = $1'
  return { ...bought, refundId: await story.studio.count(query, [bought.purchase.id]) }
}

/** Runs the refund's job, with the studio's provider or a fake response. */
async function send(refundId: number, refund?: Provider['refund']): Promise<void> {
  const { database, provider } = story.studio.server
  const bank = defined(provider)
  await sendRefund(database, refund ? { ...bank, refund } : bank, refundId, story.studio.clock.now())
}

async function onRecord(refundId: number) {
  const { rows } = await story.studio.server.database.pool.query('select * from refunds where id = $1', [refundId])
  return rows[0]
}
const didNotArrive = async (person: { email: string }) =>
  (await mailSubjectsTo(person)).filter((subject) => subject.includes('did not arrive'))
const ownerHeard = async (name: string) =>
  (await mailsToOwner(`Pass of ${name}`)).map(({ subject }) => subject.split(':')[0] ?? '')

describe('a refund', () => {
  test('that the provider refuses, as everything was refunded there, is withdrawn silently', async () => {
    const { member, intentId, refundId } = await decided('Ulla', '45.50')
    await story.bank.stripe.refunds.create({ payment_intent: intentId })
    await send(refundId)
    const given = { status: 'failed', failure: 'charge_already_refunded', answered_at: expect.anything() }
    expect(await onRecord(refundId)).toMatchObject(given)
    expect(await didNotArrive(member)).toEqual([])
    expect(await ownerHeard('Ulla')).toEqual(['A refund was not needed'])
    expect(await story.bank.refundsOf(intentId)).toEqual([4550])
  })

  test('fails if the provider refuses for another reason: the member and the owner are emailed, and the owner must decide', async () => {
    const { member, intentId, refundId } = await decided('Lotte', '45.00')
    await story.bank.stripe.refunds.create({ payment_intent: intentId, amount: 1000 })
    await send(refundId)
    expect(await onRecord(refundId)).toMatchObject({ status: 'failed', answered_at: null })
    expect(await didNotArrive(member)).toEqual(['Your refund of £45.00 did not arrive'])
    expect(await ownerHeard('Lotte')).toEqual(['A refund failed'])
    expect(await story.bank.refundsOf(intentId)).toEqual([1000])
  })

  test("that is settled during the provider's call stays as it is", async () => {
    const { member, refundId } = await decided('Meanwhile', '10.00')
    await send(refundId, async () => {
      await send(refundId)
      return { refused: 'amount_too_large' }
    })
    expect(await onRecord(refundId)).toMatchObject({ status: 'succeeded', failure: null })
    expect(await didNotArrive(member)).toEqual([])
  })

  test('that is not waiting, or unknown, is not sent to the provider', async () => {
    const { refundId } = await decided('Once', '10.00')
    await send(refundId)
    const settled = await onRecord(refundId)
    const nobody: Provider['refund'] = () => Promise.reject(new Error('the provider was asked'))
    await send(refundId, nobody)
    await send(refundId + 1000, nobody)
    expect(await onRecord(refundId)).toEqual(settled)
  })
})
