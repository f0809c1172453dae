import { initialFacts } from '#studio.ts'
import type { Person } from '#testing/person.ts'
import { listPurchases, type Purchase, refundPurchase } from '../contract.ts'
import { activatePass, type shareStudioWithBank, startPayment } from './bank-under-test.ts'

/** Buyers who paid by card, and where to see what came of it. */
export function buyersIn(story: ReturnType<typeof shareStudioWithBank>) {
  /** A member with health information who has bought a pass of three classes for £45.50. */
  async function buyer(name: string, card?: string) {
    const { studio, bank } = story
    const member = await studio.member(name, { health: true })
    const bought = await studio.createPackage({ name: `Pass of ${name}`, price: '45.50', classCount: 3 })
    const started = await startPayment(member, bought)
    await bank.pay(started, card)
    await activatePass(member, bought, started)
    const intentId: string = started.body.paymentIntentId
    return { member, intentId, bought, purchase: await purchaseOf(name) }
  }

  async function purchaseOf(name: string, query: object = {}): Promise<Purchase> {
    const { body } = await story.dora.call(listPurchases, { query: { search: name, ...query } })
    return body[0]
  }
  const mailSubjectsTo = async (person: { email: string }) =>
    (await story.studio.mailTo(person)).map(({ subject }) => subject)
  const mailsToOwner = async (name: string) =>
    (await story.studio.mailTo({ email: initialFacts.ownerEmail })).filter(({ text }) => text.includes(name))
  const refund = (admin: Person, id: number, body: object) => admin.call(refundPurchase, { params: { id }, body })

  return { buyer, purchaseOf, mailSubjectsTo, mailsToOwner, refund }
}
