import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { asServer, card, shareSandbox } from './sandbox-under-test.ts'

const sandbox = shareSandbox()
const create = (more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  sandbox.stripe.paymentIntents.create({ amount: 4500, currency: 'gbp', ...more })
const chargesOf = async (intent: Stripe.PaymentIntent) =>
  (
    await sandbox.pool.query(
      `select (object ->> 'paid')::bool as paid from sandbox.objects where kind = 'charge' and payment_intent = $1`,
      [intent.id],
    )
  ).rows

const returnUrl = 'http://localhost:3000/dashboard?from=checkout'

async function startAuthentication(
  method: Record<string, string> = card('4000002760003184'),
  back: string | null = returnUrl,
) {
  const intent = await create()
  const response = await sandbox.pay(intent, { ...method, ...(back === null ? {} : { return_url: back }) })
  expect(response.json.status).toBe('requires_action')
  return { intent, action: response.json.next_action, secret: intent.client_secret ?? '' }
}

const press = ({ intent, secret }: { intent: Stripe.PaymentIntent; secret: string }, outcome: string) =>
  sandbox.call(`/3d-secure/${intent.id}`, { client_secret: secret, outcome })

test('completing the page pays and returns to the shop', async () => {
  const payment = await startAuthentication()
  expect(payment.action).toMatchObject({ type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl } })
  const url: string = payment.action.redirect_to_url.url
  expect(url.startsWith(`${sandbox.apiUrl}/3d-secure/`)).toBe(true)
  const page = await fetch(url)
  const html = await page.text()
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://localhost:3000")
  expect(html).toContain('Complete authentication')
  expect(html).toContain('Fail authentication')
  expect(html).toContain('£45.00')
  expect(html).not.toContain('<script')
  const response = await press(payment, 'succeeded')
  expect(response.status).toBe(303)
  const back = new URL(response.headers.get('location') ?? '')
  expect(back.origin + back.pathname).toBe('http://localhost:3000/dashboard')
  expect(Object.fromEntries(back.searchParams)).toEqual({
    from: 'checkout',
    payment_intent: payment.intent.id,
    payment_intent_client_secret: payment.secret,
    redirect_status: 'succeeded',
  })
  expect((await sandbox.stripe.paymentIntents.retrieve(payment.intent.id)).status).toBe('succeeded')
  expect((await press(payment, 'failed')).headers.get('location')).toContain('redirect_status=succeeded')
  expect(await chargesOf(payment.intent)).toEqual([{ paid: true }])
})

test('failing the page leaves the payment open for another card', async () => {
  const payment = await startAuthentication({ payment_method: 'pm_card_authenticationRequired' })
  expect((await press(payment, 'failed')).headers.get('location')).toContain('redirect_status=failed')
  expect(await sandbox.stripe.paymentIntents.retrieve(payment.intent.id)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_intent_authentication_failure' },
  })
  expect((await sandbox.pay(payment.intent, { payment_method: 'pm_card_visa' })).json.status).toBe('succeeded')
})

test('shows the result when there is no return_url', async () => {
  const payment = await startAuthentication({ payment_method: 'pm_card_authenticationRequired' }, null)
  expect((await fetch(payment.action.redirect_to_url.url)).status).toBe(200)
  const response = await press(payment, 'succeeded')
  expect(response.status).toBe(200)
  expect(response.text).toContain('Payment confirmed')
})

test('can be completed by a call', async () => {
  const payment = await startAuthentication()
  const path = `/v1/payment_intents/${payment.intent.id}/authenticate`
  expect((await sandbox.call(path, { client_secret: payment.secret, outcome: 'succeeded' })).json.status).toBe(
    'succeeded',
  )
  const other = await startAuthentication()
  const failed = await sandbox.call(
    `/v1/payment_intents/${other.intent.id}/authenticate`,
    { outcome: 'failed' },
    asServer,
  )
  expect(failed.json).toMatchObject({ status: 'requires_payment_method' })
})

test('is cancelled when the amount changes', async () => {
  const payment = await startAuthentication()
  const updated = await sandbox.stripe.paymentIntents.update(payment.intent.id, { amount: 9900 })
  expect(updated).toMatchObject({ status: 'requires_confirmation', next_action: null })
})

test('the page needs the client secret and escapes its content', async () => {
  const payment = await startAuthentication(
    card('4000002760003184'),
    'http://localhost:3000/"><script>alert(1)</script>',
  )
  expect((await sandbox.call(`/3d-secure/${payment.intent.id}?client_secret=wrong`)).status).toBe(404)
  expect(
    (await sandbox.call(`/3d-secure/${payment.intent.id}`, { client_secret: 'wrong', outcome: 'succeeded' })).status,
  ).toBe(404)
  await press(payment, 'succeeded')
  const page = await sandbox.call(`/3d-secure/${payment.intent.id}?client_secret=${payment.secret}`)
  expect(page.text).toContain('Payment confirmed')
  expect(page.text).not.toContain('<script')
})
