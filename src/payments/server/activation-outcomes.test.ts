import { describe, expect, test } from 'vitest'
import { blockMember } from '#booking/contract.ts'
import { defined } from '#foundation/collections.ts'
import type { Person } from '#testing/person.ts'
import { paymentRefusals } from '../contract.ts'
import { activatePurchase } from './activate-purchase.ts'
import { shareStudioWithBank, startPayment } from './bank-under-test.ts'

const story = shareStudioWithBank()

/** Activates a payment with its present state at the provider. */
async function activateAs(intentId: string) {
  const { database, provider } = story.studio.server
  const { intent } = defined(await defined(provider).read(intentId, { full: false }))
  return await database.transaction((tx) => activatePurchase(tx, intentId, intent, story.studio.clock.now()))
}

/** Starts a payment, and pays it by default. */
async function started(member: Person, bought: { id: number; pricePence: number }, isPaid = true): Promise<string> {
  const response = await startPayment(member, bought)
  if (isPaid) await story.bank.pay(response)
  return response.body.paymentIntentId
}

describe('activatePurchase', () => {
  test('reports a new purchase, and to later callers an existing one', async () => {
    const { studio } = story
    const intentId = await started(await studio.member('Ada'), await studio.createPackage())
    const first = await activateAs(intentId)
    expect(first).toEqual({ outcome: 'activated' })
    expect(await activateAs(intentId)).toEqual({ outcome: 'was_active' })
  })

  test('reports an existing purchase even after its member and pass were erased', async () => {
    const { studio, dora } = story
    const member = await studio.member('Erna')
    const intentId = await started(member, await studio.createPackage())
    await activateAs(intentId)
    await dora.request('DELETE', `/api/admin/users/${member.id}`)
    expect(await activateAs(intentId)).toEqual({ outcome: 'was_active' })
  })

  test('reports a returned payment every time', async () => {
    const { studio, dora } = story
    const member = await studio.member('Twyla')
    const intentId = await started(member, await studio.createPackage())
    await dora.call(blockMember, { params: { id: member.id }, body: { reason: 'A word first' } })
    expect(await activateAs(intentId)).toEqual({ outcome: 'given_back' })
    expect(await activateAs(intentId)).toEqual({ outcome: 'given_back' })
  })

  test('reports a mismatch every time', async () => {
    const { studio, bank } = story
    const response = await startPayment(await studio.member('Mina'), await studio.createPackage({ price: '45.00' }))
    const intentId = response.body.paymentIntentId
    await bank.stripe.paymentIntents.update(intentId, { amount: 4499 })
    await bank.pay(response)
    expect(await activateAs(intentId)).toEqual({ outcome: 'mismatched' })
    expect(await activateAs(intentId)).toEqual({ outcome: 'mismatched' })
  })

  test('refuses an unpaid payment', async () => {
    const { studio } = story
    const intentId = await started(await studio.member('Nora'), await studio.createPackage(), false)
    await expect(activateAs(intentId)).rejects.toThrow(paymentRefusals.payment_incomplete.message)
  })
})

test('polls an activated payment again in an hour, in case of a refund', async () => {
  const { studio } = story
  const intentId = await started(await studio.member('Hourly'), await studio.createPackage())
  await activateAs(intentId)
  const query = 'select count(*) from payment_intents where id = $1 and next_poll_at = $2'
  const inAnHour = studio.clock.now().add({ hours: 1 }).toString()
  expect(await studio.count(query, [intentId, inAnHour])).toBe(1)
})
