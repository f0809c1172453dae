import { setTimeout as pause } from 'node:timers/promises'
import { register } from '#accounts/contract.ts'
import { bookClass, cancelBooking } from '#booking/contract.ts'
import { saveEmergencyContact, saveQuestionnaire } from '#health/contract.ts'
import { createPaymentIntent, paymentRefusals, purchasePackage } from '#payments/contract.ts'
import { Person, type TestResponse } from '#testing/person.ts'
import { cardForm } from '../lib/sandbox-card.ts'
import type { Witness } from './witness.ts'

export type Offer = { classIds: number[]; packages: { id: number; price: string }[] }

/** Shares of what a member does. */
const CANCEL_SHARE = 0.4
const BUY_SHARE = 0.12
/** Share of payers who close the browser, so that the webhook must create the pass. */
const CLOSE_BROWSER_SHARE = 0.4
const MAX_PAUSE_MS = 15

/** A member who books, cancels and buys without pause. */
export class StormMember {
  readonly #person: Person
  readonly #offer: Offer
  readonly #witness: Witness
  /** Acknowledged bookings that are not cancelled. */
  readonly #held: { id: number; classId: number }[] = []

  constructor(origin: string, name: string, offer: Offer, witness: Witness) {
    this.#person = new Person(origin, name)
    this.#offer = offer
    this.#witness = witness
  }

  /** Signs up and fills in health information. */
  async arrive(): Promise<void> {
    const { email, password, name } = this.#person
    const form = { email, password, firstName: name, lastName: 'Storm' }
    const contact = { contactName: 'Sam', relationship: 'Partner', phoneNumber: '01632 960199' }
    const responses = [
      await this.#person.call(register, { body: form }),
      await this.#person.call(saveQuestionnaire, { body: {} }),
      await this.#person.call(saveEmergencyContact, { body: contact }),
    ]
    this.#person.id = responses[0]?.body.user.id
    const bad = responses.find(({ status }) => status >= 300)
    if (bad) throw new Error(`${name} could not arrive: ${bad.status} ${JSON.stringify(bad.body)}`)
  }

  /** Acts until `isOver`. A lost response is counted, and the next action waits for the site. */
  async storm(
    isOver: () => boolean,
    site: { waitUntilOpen(): Promise<void>; readonly isOpen: boolean },
  ): Promise<void> {
    await this.#tries(site, () => this.#buys())
    while (!isOver()) {
      await site.waitUntilOpen()
      const dice = Math.random()
      await this.#tries(site, () => {
        if (dice < BUY_SHARE) return this.#buys()
        if (dice < BUY_SHARE + CANCEL_SHARE && this.#held.length > 0) return this.#cancels()
        return this.#books()
      })
      await pause(Math.random() * MAX_PAUSE_MS)
    }
  }

  async #tries(site: { readonly isOpen: boolean }, something: () => Promise<void>): Promise<void> {
    try {
      await something()
    } catch (error) {
      // fetch throws a TypeError if the connection fails, JSON.parse a SyntaxError if the response is cut off.
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
      this.#witness.unanswered++
      if (site.isOpen) this.#witness.surprises.push(`no response although nothing was killed: ${error.cause ?? error}`)
    }
  }

  async #books(): Promise<void> {
    const classId = any(this.#offer.classIds)
    const response = await this.#person.call(bookClass, { body: { classId, participantCount: 1, usePass: true } })
    if (!this.#isAcknowledged('booking', response)) return
    const { id } = response.body
    this.#witness.bookings.set(id, { userId: this.#person.id, classId, state: 'booked' })
    this.#held.push({ id, classId })
  }

  async #cancels(): Promise<void> {
    const [own] = this.#held.splice(Math.floor(Math.random() * this.#held.length), 1)
    const known = own && this.#witness.bookings.get(own.id)
    if (!known) return
    known.state = 'cancelling'
    const response = await this.#person.call(cancelBooking, { params: { id: own.id } })
    if (this.#isAcknowledged('cancellation', response)) known.state = 'cancelled'
  }

  async #buys(): Promise<void> {
    const { id: packageId, price: amount } = any(this.#offer.packages)
    const started = await this.#person.call(createPaymentIntent, { body: { packageId, amount } })
    if (!this.#isAcknowledged('payment started', started)) return
    const { paymentIntentId, clientSecret } = started.body
    const confirmed = await this.#confirms(paymentIntentId, clientSecret)
    // It may have been paid already, before a response was lost.
    if (confirmed.body.status !== 'succeeded') return
    this.#witness.count('payment confirmed')
    this.#witness.paid.add(paymentIntentId)
    if (Math.random() < CLOSE_BROWSER_SHARE) return
    const bought = await this.#person.call(purchasePackage, { body: { packageId, paymentIntentId } })
    if (bought.status === 400) this.#witness.givenBack.add(paymentIntentId)
    if (!this.#isAcknowledged('purchase', bought)) return
    this.#witness.purchases.set(paymentIntentId, { userId: this.#person.id, passId: bought.body.id })
  }

  /** Confirms as Stripe.js does. */
  async #confirms(paymentIntentId: string, clientSecret: string): Promise<TestResponse> {
    const form = cardForm('pk_test_sandbox', clientSecret)
    const path = `/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`
    return await this.#person.request('POST', path, form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
  }

  #isAcknowledged(kind: string, { status, body }: TestResponse): boolean {
    if (status === 200 || status === 201) this.#witness.count(kind)
    else if ([400, 409, paymentRefusals.payment_already_completed.status].includes(status)) this.#witness.refused++
    else this.#witness.surprises.push(`${kind} returned ${status} ${JSON.stringify(body)}`)
    return status === 200 || status === 201
  }
}

function any<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}
