import Fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStudio } from '#testing/studio-under-test.ts'
import { paymentRefusals } from '../contract.ts'
import { activatePass, startPayment } from './bank-under-test.ts'

const KEYS = {
  STRIPE_SECRET_KEY: 'sk_test_double',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_double',
  STRIPE_WEBHOOK_SECRET: 'whsec_double',
}
const nothingOnRecord = { payment_intents: 0, purchases: 0 }

/** A fake Stripe with canned responses, which records its requests. */
async function double() {
  const asked: { method: string; url: string; key: string | undefined; form: URLSearchParams }[] = []
  const responses: { status: number; body: object }[] = []
  const app = Fastify()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  app.all('/stripe/v1/*', async (request, reply) => {
    const { method, url, headers } = request
    asked.push({
      method,
      url: url.split('?', 1)[0] ?? url,
      key: headers.authorization,
      form: new URLSearchParams(String(request.body ?? '')),
    })
    const { status, body } = responses.shift() ?? {
      status: 500,
      body: { error: { type: 'api_error', message: 'down' } },
    }
    return reply.code(status).send(body)
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  return { asked, responses, env: { ...KEYS, STRIPE_API_URL: `${origin}/stripe` } }
}

const onRecord = async ({ studio }: Awaited<ReturnType<typeof openStudio>>) => ({
  payment_intents: await studio.count('select count(*) from payment_intents'),
  purchases: await studio.count('select count(*) from purchases'),
})

test('STRIPE_API_URL points the SDK at a test double, path included', async () => {
  const { asked, responses, env } = await double()
  const story = await openStudio({ env })
  const { studio, ana } = story
  const bought = await studio.createPackage({ price: '45.00', classCount: 5 })
  const intent = { id: 'pi_double', client_secret: 'pi_double_secret_1', status: 'requires_payment_method' }
  responses.push({ status: 200, body: intent })
  const started = await startPayment(ana, bought)
  expect(started).toMatchObject({
    status: 200,
    body: { clientSecret: 'pi_double_secret_1', paymentIntentId: 'pi_double' },
  })
  const metadata = { userId: ana.id, packageId: String(bought.id) }
  responses.push({
    status: 200,
    body: { ...intent, status: 'succeeded', amount_received: 4500, currency: 'gbp', metadata },
  })
  expect((await activatePass(ana, bought, started)).status).toBe(201)
  expect(asked.map(({ method, url, key }) => ({ method, url, key }))).toEqual([
    { method: 'POST', url: '/stripe/v1/payment_intents', key: 'Bearer sk_test_double' },
    { method: 'GET', url: '/stripe/v1/payment_intents/pi_double', key: 'Bearer sk_test_double' },
  ])
  expect(Object.fromEntries(asked[0]?.form ?? [])).toMatchObject({
    amount: '4500',
    currency: 'gbp',
    'metadata[userId]': ana.id,
    'metadata[packageId]': String(bought.id),
  })
  const setup = await studio.visitor().request('GET', '/api/payment-setup')
  expect(setup.body).toEqual({ provider: 'stripe', publishableKey: 'pk_test_double' })
})

test('returns 503 with a message while the provider is down, saves nothing, and a retry works', async () => {
  const { responses, env } = await double()
  const story = await openStudio({ env })
  const { studio, ana } = story
  const bought = await studio.createPackage({ price: '45.00' })
  const down = await startPayment(ana, bought)
  expect(down).toBeRefused(paymentRefusals.payment_provider_unreachable)
  expect(down.body.message).toBe('Failed to initialize payment. Please try again.')
  expect(await onRecord(story)).toEqual(nothingOnRecord)

  const intent = { id: 'pi_double', client_secret: 'secret', status: 'requires_payment_method' }
  responses.push({ status: 200, body: intent })
  const started = await startPayment(ana, bought)
  expect(started.status).toBe(200)
  expect(await activatePass(ana, bought, started)).toBeRefused(paymentRefusals.payment_provider_unreachable)
  expect(await onRecord(story)).toEqual({ payment_intents: 1, purchases: 0 })
  expect(await studio.creditsOf(ana)).toBe(10)
})

test('a provider that does not respond: 503, and the key stays out of the log', async () => {
  const story = await openStudio({ env: { ...KEYS, STRIPE_API_URL: 'http://127.0.0.1:9' } })
  const bought = await story.studio.createPackage({ price: '45.00' })
  expect(await startPayment(story.ana, bought)).toBeRefused(paymentRefusals.payment_provider_unreachable)
  expect(await onRecord(story)).toEqual(nothingOnRecord)
  expect(story.studio.logged.join('\n')).not.toContain('sk_test_double')
})

describe('live without card keys', () => {
  const live = {
    STUDIO_MODE: 'live',
    HOST: '127.0.0.1',
    APP_URL: 'https://studio.example',
    SESSION_SECRET: 's'.repeat(32),
    HEALTH_DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'hello@studio.example',
    EMAIL_VERIFICATION: 'off',
    ADMIN_SECOND_FACTOR: 'off',
  }

  test('checkout returns 503, there is no sandbox, and everything else works', async () => {
    const story = await openStudio({ env: live })
    const { studio, ana, boris, dora } = story
    const bought = await studio.createPackage({ price: '45.00' })
    const refused = await startPayment(ana, bought)
    expect(refused).toBeRefused(paymentRefusals.payments_disabled)
    expect(refused.body.message).toBe('Payment processing is temporarily disabled.')
    expect(await onRecord(story)).toEqual(nothingOnRecord)
    expect((await ana.request('GET', '/api/payment-setup')).body).toEqual({
      provider: 'disabled',
      publishableKey: null,
    })
    for (const path of ['/api/stripe/webhook', '/sandbox/stripe/v1/payment_intents']) {
      expect((await ana.request('POST', path)).status).toBe(404)
    }
    const gift = { packageId: bought.id, creditsToGift: 2 }
    expect((await dora.request('POST', `/api/admin/users/${boris.id}/gift-credits`, gift)).status).toBe(201)
    expect((await ana.book(await studio.createClass('Tuesday 18:00'))).status).toBe(201)
    await studio.server.workers['reconcile-payments']({}, 'by hand')
  })
})

test('the demo sandbox delivers its events to the app', async () => {
  const { studio, ana } = await openStudio()
  const bought = await studio.createPackage()
  const started = await startPayment(ana, bought)
  const { clientSecret, paymentIntentId } = started.body
  const confirm = `/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`
  const form = { client_secret: clientSecret, payment_method: 'pm_card_visa', key: 'pk_test_sandbox' }
  const paid = await ana.request('POST', confirm, new URLSearchParams(form).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect(paid.body).toMatchObject({ status: 'succeeded' })
  await studio.server.sandbox?.deliverDue()
  expect(await studio.creditsOf(ana)).toBe(18)
  expect((await activatePass(ana, bought, started)).status).toBe(200)
  expect((await ana.request('GET', '/api/payment-setup')).body).toMatchObject({ provider: 'sandbox' })
})
