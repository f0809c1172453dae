/** For payment tests: a card provider outside the studio, whose events arrive only when a test delivers them. */
import type Stripe from 'stripe'
import { beforeAll, onTestFinished } from 'vitest'
import type { Person, TestResponse } from '#testing/person.ts'
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

/** How a webhook request is signed, for tests that sign it wrongly. */
type Delivery = { signedWith?: string; signedSecondsAgo?: number; signature?: string | null }

export class BankUnderTest {
  readonly #sandbox: SandboxUnderTest
  readonly #delivered = new Set<string>()
  readonly #clock: { now: Date }

  constructor(sandbox: SandboxUnderTest, clock = { now: new Date() }) {
    this.#sandbox = sandbox
    this.#clock = clock
  }

  /** Sets the bank's clock, which is otherwise the time at which the test started. */
  travelTo(instant: Temporal.Instant): void {
    this.#clock.now = new Date(instant.epochMilliseconds)
  }

  /** The settings with which a studio uses this bank as Stripe. */
  get env(): Record<string, string> {
    return {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_PUBLISHABLE_KEY: publishableKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: this.#sandbox.apiUrl,
    }
  }

  /** Stripe's SDK with the secret key. */
  get stripe(): Stripe {
    return this.#sandbox.stripe
  }

  /** Confirms a payment as the browser does. Returns the provider's JSON. */
  async pay(started: TestResponse, card = 'pm_card_visa') {
    return await this.browser(started, 'confirm', { payment_method: card })
  }

  async browser(started: TestResponse, step: 'confirm' | 'authenticate', more: Record<string, string>) {
    const { clientSecret, paymentIntentId } = started.body
    const { json } = await this.#sandbox.call(`/v1/payment_intents/${paymentIntentId}/${step}`, {
      client_secret: clientSecret,
      key: publishableKey,
      ...more,
    })
    return json
  }

  /** Pays by bank debit: processing until the bank settles it. */
  async payByDebit(started: TestResponse, account = '00012345') {
    return await this.browser(started, 'confirm', {
      'payment_method_data[type]': 'bacs_debit',
      'payment_method_data[bacs_debit][sort_code]': '108800',
      'payment_method_data[bacs_debit][account_number]': account,
    })
  }

  /** What only banks do: `settle` a debit or refund, `dispute` a payment, `warn` of it. */
  async simulate(what: 'settle' | 'dispute' | 'warn', id: string, more: Record<string, string> = {}) {
    const kind = id.startsWith('re_') ? 'refunds' : 'payment_intents'
    const { status, json } = await this.#sandbox.call(`/v1/${kind}/${id}/${what}`, more, asServer)
    if (status !== 200) throw new Error(`the bank could not ${what}: ${JSON.stringify(json)}`)
    return json
  }

  /** Submits evidence, by which the bank decides a dispute. */
  async decideDispute(disputeId: string, evidence: 'winning_evidence' | 'losing_evidence') {
    await this.stripe.disputes.update(disputeId, { evidence: { uncategorized_text: evidence }, submit: true })
  }

  /** Delivers the events about a payment that have not been delivered yet, oldest first. */
  async deliverEvents(studio: StudioUnderTest, intentId: string): Promise<void> {
    await this.#sandbox.deliverDue()
    for (const { event, body } of this.#sandbox.received) {
      if (!isAbout(event, intentId) || this.#delivered.has(event.id)) continue
      this.#delivered.add(event.id)
      const response = await this.postWebhook(studio, body)
      if (response.status !== 200)
        throw new Error(`${event.type} was answered ${response.status}: ${studio.logged.at(-1)}`)
    }
  }

  async statusOf(intentId: string): Promise<string> {
    return (await this.stripe.paymentIntents.retrieve(intentId)).status
  }

  /** The refunds of a payment at the provider, in pence. */
  async refundsOf(intentId: string): Promise<number[]> {
    const { data } = await this.stripe.refunds.list({ payment_intent: intentId })
    return data.map((refund) => refund.amount)
  }

  /** Delivers one event about a payment, byte for byte. Returns the studio's response. */
  async deliverEvent(
    studio: StudioUnderTest,
    type: string,
    intentId: string,
    delivery: Delivery = {},
  ): Promise<TestResponse> {
    await this.#sandbox.deliverDue()
    const about = ({ event }: { event: Stripe.Event }) =>
      event.type === type && 'id' in event.data.object && event.data.object.id === intentId
    const event = this.#sandbox.received.find(about)
    if (!event) throw new Error(`the bank has no event ${type} for ${intentId}`)
    return await this.postWebhook(studio, event.body, delivery)
  }

  /** Posts a body to the webhook, correctly signed by default. */
  async postWebhook(studio: StudioUnderTest, payload: string, delivery: Delivery = {}): Promise<TestResponse> {
    const signature = delivery.signature === undefined ? this.sign(payload, delivery) : delivery.signature
    return await studio.visitor('Stripe').request('POST', '/api/stripe/webhook', payload, {
      ...(signature !== null && { 'stripe-signature': signature }),
    })
  }

  sign(payload: string, { signedWith = webhookSecret, signedSecondsAgo = 0 }: Delivery = {}): string {
    const timestamp = Math.floor(Date.now() / 1000) - signedSecondsAgo
    return this.stripe.webhooks.generateTestHeaderString({ payload, secret: signedWith, timestamp })
  }
}

/** Whether an event is about a payment or something belonging to it. */
function isAbout({ data: { object } }: Stripe.Event, intentId: string): boolean {
  return (
    ('id' in object && object.id === intentId) || ('payment_intent' in object && object.payment_intent === intentId)
  )
}

async function startBank(): Promise<{ bank: BankUnderTest; close(): Promise<void> }> {
  const database = await scratchDatabase()
  const clock = { now: new Date() }
  const sandbox = await startSandbox(database.url, clock)
  const close = async () => {
    await sandbox.stop()
    await database.drop()
  }
  return { bank: new BankUnderTest(sandbox, clock), close }
}

/** The usual cast in a studio with its own card provider. */
export async function openStudioWithBank(options: { now?: string } = {}) {
  const { bank, close } = await startBank()
  onTestFinished(close)
  return { bank, ...(await openStudio({ ...options, env: bank.env })) }
}

/** The same, shared by all tests of a file. */
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

/** Starts paying for a package, at its price unless another amount is sent. */
export function startPayment(
  person: Person,
  bought: { id: number; pricePence: number },
  amount?: unknown,
): Promise<TestResponse> {
  const body = { packageId: bought.id, amount: amount ?? (bought.pricePence / 100).toFixed(2) }
  return person.request('POST', '/api/create-payment-intent', body)
}

/** Activates the pass of a payment, as the checkout does. */
export function activatePass(person: Person, bought: { id: number }, started: TestResponse): Promise<TestResponse> {
  const body = { packageId: bought.id, paymentIntentId: started.body.paymentIntentId }
  return person.request('POST', '/api/purchase-package', body)
}
