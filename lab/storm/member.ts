import { setTimeout as pause } from 'node:timers/promises'
import { register } from '#accounts/contract.ts'
import { bookClass, cancelBooking } from '#booking/contract.ts'
import { saveEmergencyContact, saveQuestionnaire } from '#health/contract.ts'
import { createPaymentIntent, paymentRefusals, purchasePackage } from '#payments/contract.ts'
import { type Answer, Person } from '#testing/person.ts'
import type { Witness } from './witness.ts'

/** What there is to book and to buy. */
export type Offer = { classIds: number[]; packages: { id: number; price: string }[] }

/** Of the things a member does, how many are of which kind. */
const CANCELS = 0.4
const BUYS = 0.12
/** Of those who paid, how many close the browser before it says so: then the webhook must do. */
const CLOSES_BROWSER = 0.4
const MOST_PAUSE_MS = 15

/** A member at a browser who books, cancels and buys as fast as fingers allow, and never gives up. */
export class StormMember {
  readonly #person: Person
  readonly #offer: Offer
  readonly #witness: Witness
  /** Own bookings that were acknowledged and not yet cancelled. */
  readonly #held: { id: number; classId: number }[] = []

  constructor(origin: string, name: string, offer: Offer, witness: Witness) {
    this.#person = new Person(origin, name)
    this.#offer = offer
    this.#witness = witness
  }

  /** Signs up and fills in health information, so that nothing but places and credits stands in the way. */
  async arrive(): Promise<void> {
    const { email, password, name } = this.#person
    const form = { email, password, firstName: name, lastName: 'Storm' }
    const contact = { contactName: 'Sam', relationship: 'Partner', phoneNumber: '01632 960199' }
    const answers = [
      await this.#person.call(register, { body: form }),
      await this.#person.call(saveQuestionnaire, { body: {} }),
      await this.#person.call(saveEmergencyContact, { body: contact }),
    ]
    this.#person.id = answers[0]?.body.user.id
    const bad = answers.find(({ status }) => status >= 300)
    if (bad) throw new Error(`${name} could not arrive: ${bad.status} ${JSON.stringify(bad.body)}`)
  }

  /** One thing after the other until told to stop. A lost answer is counted, and the next thing waits for the site. */
  async storm(isOver: () => boolean, site: { whenOpen(): Promise<void>; readonly isOpen: boolean }): Promise<void> {
    await this.#tries(site, () => this.#buys())
    while (!isOver()) {
      await site.whenOpen()
      const dice = Math.random()
      await this.#tries(site, () =>
        dice < BUYS ? this.#buys() : dice < BUYS + CANCELS && this.#held.length > 0 ? this.#cancels() : this.#books(),
      )
      await pause(Math.random() * MOST_PAUSE_MS)
    }
  }

  async #tries(site: { readonly isOpen: boolean }, something: () => Promise<void>): Promise<void> {
    try {
      await something()
    } catch (error) {
      // fetch throws a TypeError when the connection broke or nobody listens, JSON.parse when half an answer came.
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
      this.#witness.unanswered++
      if (site.isOpen) this.#witness.surprises.push(`no answer although nothing was killed: ${error.cause ?? error}`)
    }
  }

  async #books(): Promise<void> {
    const classId = any(this.#offer.classIds)
    const answer = await this.#person.call(bookClass, { body: { classId, participantCount: 1, usePass: true } })
    if (!this.#isAcknowledged('booking', answer)) return
    const { id } = answer.body
    this.#witness.bookings.set(id, { userId: this.#person.id, classId, state: 'booked' })
    this.#held.push({ id, classId })
  }

  async #cancels(): Promise<void> {
    const [own] = this.#held.splice(Math.floor(Math.random() * this.#held.length), 1)
    const known = own && this.#witness.bookings.get(own.id)
    if (!known) return
    known.state = 'cancelling'
    const answer = await this.#person.call(cancelBooking, { params: { id: own.id } })
    if (this.#isAcknowledged('cancellation', answer)) known.state = 'cancelled'
  }

  async #buys(): Promise<void> {
    const { id: packageId, price: amount } = any(this.#offer.packages)
    const begun = await this.#person.call(createPaymentIntent, { body: { packageId, amount } })
    if (!this.#isAcknowledged('payment begun', begun)) return
    const { paymentIntentId, clientSecret } = begun.body
    const confirmed = await this.#confirms(paymentIntentId, clientSecret)
    // Another tab of this member, or this one before an answer was lost, may have paid it already.
    if (confirmed.body.status !== 'succeeded') return
    this.#witness.count('payment confirmed')
    this.#witness.paid.add(paymentIntentId)
    if (Math.random() < CLOSES_BROWSER) return
    const bought = await this.#person.call(purchasePackage, { body: { packageId, paymentIntentId } })
    if (bought.status === 400) this.#witness.givenBack.add(paymentIntentId)
    if (!this.#isAcknowledged('purchase', bought)) return
    this.#witness.purchases.set(paymentIntentId, { userId: this.#person.id, passId: bought.body.id })
  }

  /** As a browser does with Stripe: form-encoded, with publishable key and client secret. */
  async #confirms(paymentIntentId: string, clientSecret: string): Promise<Answer> {
    const card = { 'payment_method_data[type]': 'card', 'payment_method_data[card][number]': '4242424242424242' }
    const rest = {
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2040',
      'payment_method_data[card][cvc]': '123',
    }
    const form = new URLSearchParams({ key: 'pk_test_sandbox', client_secret: clientSecret, ...card, ...rest })
    const path = `/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`
    return await this.#person.request('POST', path, form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
  }

  #isAcknowledged(kind: string, { status, body }: Answer): boolean {
    if (status === 200 || status === 201) this.#witness.count(kind)
    else if ([400, 409, paymentRefusals.payment_already_completed.status].includes(status)) this.#witness.refused++
    else this.#witness.surprises.push(`${kind} was answered with ${status} ${JSON.stringify(body)}`)
    return status === 200 || status === 201
  }
}

function any<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}
