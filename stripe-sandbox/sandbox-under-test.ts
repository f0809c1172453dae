import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import Fastify from 'fastify'
import pg from 'pg'
import Stripe from 'stripe'
import { beforeAll, inject } from 'vitest'
import { stripeSandbox } from './sandbox.ts'

export const secretKey = 'sk_test_sandbox_0123456789abcdef'
export const publishableKey = 'pk_test_sandbox'
export const webhookSecret = 'whsec_sandbox_test'
export const asServer = { authorization: `Bearer ${secretKey}` }

/** An empty database on the test run's PostgreSQL. */
export async function scratchDatabase() {
  const server = new URL(inject('databaseServer'))
  const name = `sandbox_${randomBytes(8).toString('hex')}`
  await administer(server, `create database ${name} strategy wal_log`)
  return {
    url: Object.assign(new URL(server), { pathname: `/${name}` }).href,
    // PostgreSQL waits for closing connections; with force, one of them would fail.
    drop: () =>
      administer(server, `drop database ${name}`).catch(() => administer(server, `drop database ${name} with (force)`)),
  }
}

async function administer(server: URL, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.href })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** Starts a sandbox and a webhook, which returns 200 until `respondWith`. */
export async function startSandbox(databaseUrl: string, clock: { now: Date } = { now: new Date() }) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
  pool.on('error', () => {})
  const logged: string[] = []
  const keepLine = (details: object, message: string) => logged.push(`${inspect(details)} ${message}`)
  const received: { event: Stripe.Event; body: string }[] = []
  let webhookStatus = 200
  let apiUrl = ''
  const app = Fastify({ logger: { level: 'info', stream: { write: (line: string) => logged.push(line) } } })
  const sandbox = stripeSandbox({
    pool,
    now: () => clock.now,
    webhookUrl: () => `${apiUrl}/webhook`,
    webhookSecret,
    secretKey,
    publishableKey,
    log: { warn: keepLine, error: keepLine },
  })
  await app.register(async (webhook) => {
    webhook.removeAllContentTypeParsers()
    webhook.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    webhook.post('/webhook', async (request, reply) => {
      const body = String(request.body)
      const event = stripe.webhooks.constructEvent(body, String(request.headers['stripe-signature']), webhookSecret)
      if (webhookStatus === 200) received.push({ event, body })
      return reply.code(webhookStatus).send()
    })
  })
  await app.register(sandbox)
  apiUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  const stripe = stripeFor(apiUrl, secretKey)
  /** A plain form-encoded POST, or a GET without `form`. */
  async function call(path: string, form?: Record<string, string>, headers: Record<string, string> = {}) {
    const response = await fetch(`${apiUrl}${path}`, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers,
      body: form && new URLSearchParams(form),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }
  return {
    pool,
    logged,
    received,
    apiUrl,
    stripe,
    deliverDue: sandbox.deliverDue,
    respondWith: (status: number) => {
      webhookStatus = status
    },
    call,
    /** Confirms as a browser does, with the client secret only. */
    pay: (intent: Stripe.PaymentIntent, method: Record<string, string>) =>
      call(`/v1/payment_intents/${intent.id}/confirm`, { client_secret: intent.client_secret ?? '', ...method }),
    /** Pays £45 with a test card, in one call. */
    paid: (payment_method: string) =>
      stripe.paymentIntents.create({ amount: 4500, currency: 'gbp', payment_method, confirm: true }),
    async chargeOf({ id }: Stripe.PaymentIntent) {
      const { latest_charge: charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
      if (!charge || typeof charge === 'string') throw new Error(`${id} has no charge`)
      return charge
    },
    /** The types of a payment's delivered events, sorted. */
    async eventsOf({ id }: Stripe.PaymentIntent) {
      await sandbox.deliverDue()
      const about = ({ event }: { event: Stripe.Event }) => {
        const { object } = event.data
        return ('id' in object && object.id === id) || ('payment_intent' in object && object.payment_intent === id)
      }
      return received
        .filter(about)
        .map(({ event }) => event.type)
        .sort()
    },
    async stop() {
      await app.close()
      await pool.end()
    },
  }
}

export type SandboxUnderTest = Awaited<ReturnType<typeof startSandbox>>

/** One sandbox for all tests of a file. */
export function shareSandbox(): SandboxUnderTest {
  const shared = {} as SandboxUnderTest
  beforeAll(async () => {
    const database = await scratchDatabase()
    const sandbox = Object.assign(shared, await startSandbox(database.url))
    return async () => {
      await sandbox.stop()
      await database.drop()
    }
  })
  return shared
}

/** The error of a refused call. */
export const rejection = (promise: Promise<unknown>): Promise<Stripe.errors.StripeError> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    (error) => error,
  )

/** The parameters of a card number. */
export const card = (number: string, { month = '12', year = '34', cvc = '123' } = {}) => ({
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': number,
  'payment_method_data[card][exp_month]': month,
  'payment_method_data[card][exp_year]': year,
  'payment_method_data[card][cvc]': cvc,
})

/** Stripe's SDK, pointed at a sandbox. */
export function stripeFor(apiUrl: string, key: string): Stripe {
  const { hostname: host, port } = new URL(apiUrl)
  return new Stripe(key, { protocol: 'http', host, port, telemetry: false })
}
