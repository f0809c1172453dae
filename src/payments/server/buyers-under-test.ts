import { beginning } from '#studio.ts'
import type { Person } from '#testing/person.ts'
import { listPurchases, type Purchase, refundPurchase } from '../contract.ts'
import { begins, registers, type shareStudioWithBank } from './bank-under-test.ts'

/** Who has paid by card, and where it is read what became of that: the purchase, the member's mails and the owner's. */
export function buyersIn(story: ReturnType<typeof shareStudioWithBank>) {
  /** Somebody who has bought a pass of three classes for £45.50, with health information. */
  async function buyer(name: string, card?: string) {
    const { studio, bank } = story
    const member = await studio.member(name, { health: true })
    const bought = await studio.package({ name: `Pass of ${name}`, price: '45.50', classCount: 3 })
    const begun = await begins(member, bought)
    await bank.pay(begun, card)
    await registers(member, bought, begun)
    const intentId: string = begun.body.paymentIntentId
    return { member, intentId, bought, purchase: await purchaseOf(name) }
  }

  async function purchaseOf(name: string, query: object = {}): Promise<Purchase> {
    const { body } = await story.dora.call(listPurchases, { query: { search: name, ...query } })
    return body[0]
  }
  const subjectsTo = async (person: { email: string }) =>
    (await story.studio.mailTo(person)).map(({ subject }) => subject)
  const toOwner = async (name: string) =>
    (await story.studio.mailTo({ email: beginning.ownerEmail })).filter(({ text }) => text.includes(name))
  const asks = (admin: Person, id: number, body: object) => admin.call(refundPurchase, { params: { id }, body })

  return { buyer, purchaseOf, subjectsTo, toOwner, asks }
}
