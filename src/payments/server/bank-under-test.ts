/** For this folder's tests: the card provider outside the studio. Its events reach the studio only when a test tells them. */
import type Stripe from 'stripe'
import { beforeAll, onTestFinished } from 'vitest'
import type { Answer, Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest, shareStudio } from '#testing/studio-under-test.ts'
import {
  asServer,
  publishableKey,
  type SandboxUnderTest,
  scratchDatabase,
  secretKey,
  startSandbox,
  webhookSecret,
} from '../../../stripe-sandbox/sandbox-under-test.ts'

/** How a payment event is told, and how it is told wrong. */
type Telling = { signedWith?: string; signedSecondsAgo?: number; signature?: string | null }

export class BankUnderTest {
  readonly #sandbox: SandboxUnderTest
  readonly #told = new Set<string>()

  constructor(sandbox: SandboxUnderTest) {
    this.#sandbox = sandbox
  }

  /** What a studio needs to use this bank as if it were Stripe. */
  get env(): Record<string, string> {
    return {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_PUBLISHABLE_KEY: publishableKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: this.#sandbox.apiUrl,
    }
  }

  /** The bank as its own staff sees it. */
  get stripe(): Stripe {
    return this.#sandbox.stripe
  }

  /** Pays as the browser does: with the client secret and the publishable key alone. Answers the provider's JSON. */
  async pay(begun: Answer, card = 'pm_card_visa') {
    return await this.browser(begun, 'confirm', { payment_method: card })
  }

  /** A call of the browser about its payment. */
  async browser(begun: Answer, step: 'confirm' | 'authenticate', more: Record<string, string>) {
    const { clientSecret, paymentIntentId } = begun.body
    const { json } = await this.#sandbox.call(`/v1/payment_intents/${paymentIntentId}/${step}`, {
      client_secret: clientSecret,
      key: publishableKey,
      ...more,
    })
    return json
  }

  /** Pays by a bank debit, which takes days: on its way until the bank {@link settles} it. */
  async paysByDebit(begun: Answer, account = '00012345') {
    return await this.browser(begun, 'confirm', {
      'payment_method_data[type]': 'bacs_debit',
      'payment_method_data[bacs_debit][sort_code]': '108800',
      'payment_method_data[bacs_debit][account_number]': account,
    })
  }

  /** What only banks do: `settle` a debit or refund, `dispute` a payment, `warn` of it. */
  async does(what: 'settle' | 'dispute' | 'warn', id: string, more: Record<string, string> = {}) {
    const kind = id.startsWith('re_') ? 'refunds' : 'payment_intents'
    const { status, json } = await this.#sandbox.call(`/v1/${kind}/${id}/${what}`, more, asServer)
    if (status !== 200) throw new Error(`the bank could not ${what}: ${JSON.stringify(json)}`)
    return json
  }

  /** The bank decides about a dispute by what is sent as evidence. */
  async decides(disputeId: string, evidence: 'winning_evidence' | 'losing_evidence') {
    await this.stripe.disputes.update(disputeId, { evidence: { uncategorized_text: evidence }, submit: true })
  }

  /** Tells the studio every event about a payment that it has not been told yet, the oldest first. */
  async tellsAll(studio: StudioUnderTest, intentId: string): Promise<void> {
    await this.#sandbox.deliverDue()
    for (const { event, body } of this.#sandbox.received) {
      if (!isAbout(event, intentId) || this.#told.has(event.id)) continue
      this.#told.add(event.id)
      const answer = await this.says(studio, body)
      if (answer.status !== 200) throw new Error(`${event.type} was answered ${answer.status}`)
    }
  }

  async statusOf(intentId: string): Promise<string> {
    return (await this.stripe.paymentIntents.retrieve(intentId)).status
  }

  /** What was sent back of a payment, in pence, refund by refund. */
  async refundsOf(intentId: string): Promise<number[]> {
    const { data } = await this.stripe.refunds.list({ payment_intent: intentId })
    return data.map((refund) => refund.amount)
  }

  /** Tells the studio what happened to a payment, in the very bytes the provider wrote. Answers what the studio said. */
  async tells(studio: StudioUnderTest, type: string, intentId: string, telling: Telling = {}): Promise<Answer> {
    await this.#sandbox.deliverDue()
    const about = ({ event }: { event: Stripe.Event }) =>
      event.type === type && 'id' in event.data.object && event.data.object.id === intentId
    const told = this.#sandbox.received.find(about)
    if (!told) throw new Error(`the bank has nothing to tell: ${type} of ${intentId}`)
    return await this.says(studio, told.body, telling)
  }

  /** Posts any body to the webhook, signed well unless told otherwise. */
  async says(studio: StudioUnderTest, payload: string, telling: Telling = {}): Promise<Answer> {
    const signature = telling.signature === undefined ? this.sign(payload, telling) : telling.signature
    return await studio.visitor('Stripe').request('POST', '/api/stripe/webhook', payload, {
      ...(signature !== null && { 'stripe-signature': signature }),
    })
  }

  /** The signature header of a body. */
  sign(payload: string, { signedWith = webhookSecret, signedSecondsAgo = 0 }: Telling = {}): string {
    const timestamp = Math.floor(Date.now() / 1000) - signedSecondsAgo
    return this.stripe.webhooks.generateTestHeaderString({ payload, secret: signedWith, timestamp })
  }
}

/** Whether an event tells of a payment, or of something that was made of it. */
function isAbout({ data: { object } }: Stripe.Event, intentId: string): boolean {
  return (
    ('id' in object && object.id === intentId) || ('payment_intent' in object && object.payment_intent === intentId)
  )
}

async function startBank(): Promise<{ bank: BankUnderTest; close(): Promise<void> }> {
  const database = await scratchDatabase()
  const sandbox = await startSandbox(database.url)
  const close = async () => {
    await sandbox.stop()
    await database.drop()
  }
  return { bank: new BankUnderTest(sandbox), close }
}

/** The usual story in a studio that takes cards through a bank of its own. */
export async function openStudioWithBank(options: { now?: string } = {}) {
  const { bank, close } = await startBank()
  onTestFinished(close)
  return { bank, ...(await openStudio({ ...options, env: bank.env })) }
}

/** The same once for all tests of a file, for those that leave each other alone. */
export function shareStudioWithBank() {
  let opened: BankUnderTest
  beforeAll(async () => {
    const { bank, close } = await startBank()
    opened = bank
    return close
  })
  const story = shareStudio(() => ({ env: opened.env })) as ReturnType<typeof shareStudio> & { bank: BankUnderTest }
  beforeAll(() => {
    story.bank = opened
  })
  return story
}

/** Comes to the checkout with a package at its price, unless another amount is sent. */
export function begins(person: Person, bought: { id: number; pricePence: number }, amount?: unknown): Promise<Answer> {
  const body = { packageId: bought.id, amount: amount ?? (bought.pricePence / 100).toFixed(2) }
  return person.request('POST', '/api/create-payment-intent', body)
}

/** Sends the payment that the provider said succeeded. */
export function registers(person: Person, bought: { id: number }, begun: Answer): Promise<Answer> {
  const body = { packageId: bought.id, paymentIntentId: begun.body.paymentIntentId }
  return person.request('POST', '/api/purchase-package', body)
}
