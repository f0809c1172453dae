import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stripeClient } from '../src/payments/server/stripe-client.ts'
import { LIMITS } from '../src/platform/limits.ts'
import { asServer, publishableKey, type SandboxUnderTest, scratchDatabase, startSandbox } from './sandbox-under-test.ts'

let database: Awaited<ReturnType<typeof scratchDatabase>>
let sandbox: SandboxUnderTest

beforeAll(async () => {
  database = await scratchDatabase()
  sandbox = await startSandbox(database.url)
})
afterAll(async () => {
  await sandbox.stop()
  await database.drop()
})

const create = (more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  sandbox.stripe.paymentIntents.create({ amount: 4500, currency: 'gbp', ...more })

/** As a browser does: no key, only the client secret. */
const pay = (intent: Stripe.PaymentIntent, method: Record<string, string>) =>
  sandbox.call(`/v1/payment_intents/${intent.id}/confirm`, { client_secret: intent.client_secret ?? '', ...method })

const card = (number: string) => ({
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': number,
  'payment_method_data[card][exp_month]': '12',
  'payment_method_data[card][exp_year]': '34',
  'payment_method_data[card][cvc]': '123',
})

const rejection = (promise: Promise<unknown>): Promise<Stripe.errors.StripeError> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    (error) => error,
  )

const chargesOf = async (intent: Stripe.PaymentIntent) =>
  (await sandbox.pool.query('select paid from sandbox.charges where payment_intent = $1', [intent.id])).rows

describe('a payment', () => {
  test('is created by the server, confirmed by the browser and read by the server', async () => {
    const intent = await create({
      metadata: { userId: 'ana', packageId: '3' },
      automatic_payment_methods: { enabled: true },
    })
    expect(intent).toMatchObject({
      object: 'payment_intent',
      amount: 4500,
      currency: 'gbp',
      status: 'requires_payment_method',
      livemode: false,
      metadata: { userId: 'ana', packageId: '3' },
      latest_charge: null,
      amount_received: 0,
    })
    expect(intent.client_secret).toMatch(/^pi_\w+_secret_\w+$/)
    expect(intent.lastResponse.requestId).toMatch(/^req_/)
    expect(intent.lastResponse.apiVersion).toBe(Stripe.API_VERSION)

    const paid = await pay(intent, { ...card('4242 4242 4242 4242'), key: publishableKey })
    expect(paid.status).toBe(200)
    expect(paid.json).toMatchObject({ id: intent.id, status: 'succeeded', client_secret: intent.client_secret })
    expect(paid.json).not.toHaveProperty('metadata')
    expect(paid.json).not.toHaveProperty('latest_charge')

    const read = await sandbox.stripe.paymentIntents.retrieve(intent.id, {
      expand: ['latest_charge', 'payment_method'],
    })
    expect(read).toMatchObject({ status: 'succeeded', amount_received: 4500, last_payment_error: null })
    expect(read.latest_charge).toMatchObject({ object: 'charge', paid: true, status: 'succeeded', amount: 4500 })
    expect(read.payment_method).toMatchObject({ object: 'payment_method', card: { last4: '4242' } })
  })

  test('can be created and confirmed in one call, or confirmed with what was attached before', async () => {
    expect(await create({ payment_method: 'pm_card_visa', confirm: true })).toMatchObject({ status: 'succeeded' })
    const attached = await create({ payment_method: 'pm_card_mastercard' })
    expect(attached.status).toBe('requires_confirmation')
    expect((await sandbox.stripe.paymentIntents.confirm(attached.id)).status).toBe('succeeded')
    const later = await create()
    const updated = await sandbox.stripe.paymentIntents.update(later.id, { payment_method: 'pm_card_visa' })
    expect(updated.status).toBe('requires_confirmation')
  })

  test('can be made with a payment method the browser created first', async () => {
    const made = await sandbox.call('/v1/payment_methods', {
      type: 'card',
      'card[number]': '5555555555554444',
      'card[exp_month]': '1',
      'card[exp_year]': '2034',
      'billing_details[name]': 'Ana Á.',
      key: publishableKey,
    })
    expect(made.json).toMatchObject({
      object: 'payment_method',
      card: { brand: 'mastercard' },
      billing_details: { name: 'Ana Á.' },
    })
    expect((await pay(await create(), { payment_method: made.json.id })).json.status).toBe('succeeded')
  })

  test('is charged once however many confirm it at once', async () => {
    const intent = await create()
    const answers = await Promise.all(Array.from({ length: 12 }, () => pay(intent, { payment_method: 'pm_card_visa' })))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(11).fill(400)])
    expect(answers.find((answer) => answer.status === 400)?.json.error).toMatchObject({
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      payment_intent: { id: intent.id, status: 'succeeded' },
    })
    expect(await chargesOf(intent)).toEqual([{ paid: true }])
  })

  test('cannot be confirmed without a payment method', async () => {
    const answer = await pay(await create(), {})
    expect(answer.status).toBe(400)
    expect(answer.json.error.code).toBe('payment_intent_unexpected_state')
  })

  test.each([
    ['pm_card_chargeDeclined', '4000000000000002', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', '4000000000009995', 'card_declined', 'insufficient_funds'],
    ['pm_card_visa_chargeDeclinedLostCard', '4000000000009987', 'card_declined', 'lost_card'],
    ['pm_card_visa_chargeDeclinedStolenCard', '4000000000009979', 'card_declined', 'stolen_card'],
    ['pm_card_chargeDeclinedExpiredCard', '4000000000000069', 'expired_card', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', '4000000000000127', 'incorrect_cvc', 'incorrect_cvc'],
    ['pm_card_chargeDeclinedProcessingError', '4000000000000119', 'processing_error', 'processing_error'],
  ])('is declined with %s or %s: %s', async (name, number, code, decline_code) => {
    const intent = await create()
    for (const method of [{ payment_method: name }, card(number)]) {
      const answer = await pay(intent, method)
      expect(answer.status).toBe(402)
      expect(answer.json.error).toMatchObject({
        type: 'card_error',
        code,
        decline_code,
        doc_url: expect.stringContaining('error-codes'),
        payment_intent: { id: intent.id, status: 'requires_payment_method', last_payment_error: { code } },
      })
      expect(answer.json.error.payment_intent).not.toHaveProperty('metadata')
    }
    const read = await sandbox.stripe.paymentIntents.retrieve(intent.id)
    expect(read).toMatchObject({
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: { code, decline_code },
    })
    expect(await chargesOf(intent)).toEqual([{ paid: false }, { paid: false }])
    expect((await pay(intent, card('4242424242424242'))).json.status).toBe('succeeded')
  })

  test("is declined to the server with the SDK's own card error", async () => {
    const error = await rejection(create({ payment_method: 'pm_card_chargeDeclined', confirm: true }))
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError)
    expect(error).toMatchObject({ code: 'card_declined', decline_code: 'generic_decline', statusCode: 402 })
    expect(error.payment_intent?.status).toBe('requires_payment_method')
  })

  test('changes nothing when the card is written wrong', async () => {
    const intent = await create()
    const answer = await pay(intent, card('4242424242424241'))
    expect(answer.status).toBe(402)
    expect(answer.json.error).toMatchObject({ type: 'card_error', code: 'incorrect_number' })
    expect(await sandbox.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ last_payment_error: null })
  })

  test('keeps no card number and no security code in database or log', async () => {
    const intent = await create()
    const answer = await pay(intent, { ...card('4000008260000000'), 'payment_method_data[card][cvc]': '987' })
    expect(answer.json.status).toBe('succeeded')
    await pay(await create(), card('4111111111111111'))
    const { rows } = await sandbox.pool.query(
      `select string_agg(t::text, '') as kept from (
         select object::text from sandbox.payment_intents union all select object::text from sandbox.payment_methods
         union all select object::text from sandbox.charges union all select body from sandbox.events
         union all select body || fingerprint from sandbox.idempotency_keys) t`,
    )
    for (const place of [rows[0].kept, sandbox.logged.join('\n')]) {
      expect(place).not.toContain('4000008260000000')
      expect(place).not.toContain('4111111111111111')
      expect(place).not.toContain('"987"')
      expect(place).not.toContain('cvc]')
    }
    expect(sandbox.logged.join('\n')).not.toContain('_secret_')
  })
})

describe('an intent', () => {
  test('is updated while it is open, and described for ever', async () => {
    const intent = await create({ metadata: { a: '1', b: '2' } })
    const updated = await sandbox.stripe.paymentIntents.update(intent.id, {
      amount: 5000,
      metadata: { b: '', c: '3' },
      description: 'Ten classes',
    })
    expect(updated).toMatchObject({ amount: 5000, metadata: { a: '1', c: '3' }, description: 'Ten classes' })
    await pay(intent, { payment_method: 'pm_card_visa' })
    expect(await sandbox.stripe.paymentIntents.update(intent.id, { metadata: { d: '4' } })).toMatchObject({
      metadata: { a: '1', c: '3', d: '4' },
    })
    const error = await rejection(sandbox.stripe.paymentIntents.update(intent.id, { amount: 1 }))
    expect(error.statusCode).toBe(400)
    const tooLate = await rejection(sandbox.stripe.paymentIntents.update(intent.id, { amount: 100 }))
    expect(tooLate.code).toBe('payment_intent_unexpected_state')
  })

  test('is canceled, but not when it is paid', async () => {
    const intent = await create()
    const canceled = await sandbox.stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' })
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' })
    expect(canceled.canceled_at).toBeGreaterThan(0)
    expect((await pay(intent, { payment_method: 'pm_card_visa' })).json.error.code).toBe(
      'payment_intent_unexpected_state',
    )
    const paid = await create({ payment_method: 'pm_card_visa', confirm: true })
    expect(await rejection(sandbox.stripe.paymentIntents.cancel(paid.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
  })

  test.each([
    [{ currency: 'gbp' }, 'parameter_missing', 'amount'],
    [{ amount: '4500' }, 'parameter_missing', 'currency'],
    [{ amount: '45.50', currency: 'gbp' }, 'parameter_invalid_integer', 'amount'],
    [{ amount: '-1', currency: 'gbp' }, 'parameter_invalid_integer', 'amount'],
    [{ amount: '', currency: 'gbp' }, 'parameter_invalid_empty', 'amount'],
    [{ amount: '29', currency: 'gbp' }, 'amount_too_small', 'amount'],
    [{ amount: '100000000', currency: 'gbp' }, 'amount_too_large', 'amount'],
    [{ amount: '4500', currency: 'xxy' }, undefined, 'currency'],
    [{ amount: '4500', currency: 'gbp', prize: '1' }, 'parameter_unknown', 'prize'],
    [{ amount: '4500', currency: 'gbp', metadata: 'x' }, undefined, 'metadata'],
    [{ amount: '4500', currency: 'gbp', payment_method: 'pm_nobody' }, 'resource_missing', 'payment_method'],
    [{ amount: '4500', currency: 'gbp', 'payment_method_types[]': 'paypal' }, undefined, 'payment_method_types'],
    [
      {
        amount: '4500',
        currency: 'gbp',
        confirm: 'true',
        payment_method: 'pm_card_visa',
        return_url: 'javascript:alert(1)',
      },
      'url_invalid',
      'return_url',
    ],
  ])('is refused for %o', async (form, code, param) => {
    const answer = await sandbox.call('/v1/payment_intents', form as Record<string, string>, asServer)
    expect(answer.status).toBe(400)
    expect(answer.json.error).toMatchObject({ type: 'invalid_request_error', param })
    expect(answer.json.error.code).toBe(code)
    expect(answer.headers.get('request-id')).toMatch(/^req_/)
  })

  test('costs at least 30 pence', async () => {
    expect((await create({ amount: 30 })).amount).toBe(30)
  })

  test('is listed newest first, in pages, by time', async () => {
    const made = [await create(), await create(), await create()]
    const first = await sandbox.stripe.paymentIntents.list({ limit: 2, created: { gte: made[0]?.created } })
    expect(first.data.map((each) => each.id)).toEqual([made[2]?.id, made[1]?.id])
    expect(first).toMatchObject({ object: 'list', url: '/v1/payment_intents', has_more: true })
    const next = await sandbox.stripe.paymentIntents.list({ limit: 1, starting_after: made[1]?.id })
    expect(next.data.map((each) => each.id)).toEqual([made[0]?.id])
    expect((await sandbox.stripe.paymentIntents.list({ created: { lt: 1000 } })).data).toEqual([])
    const all: string[] = []
    for await (const each of sandbox.stripe.paymentIntents.list({ limit: 2 })) all.push(each.id)
    expect(new Set(all).size).toBe(all.length)
    expect(all).toContain(made[0]?.id)
  })
})

describe('keys', () => {
  test.each([
    ['none', {}, 401],
    ['a wrong one', { authorization: 'Bearer sk_test_wrong_0123456789' }, 401],
    ['an empty one', { authorization: 'Bearer ' }, 401],
    ['the publishable one', { authorization: `Bearer ${publishableKey}` }, 401],
    ['the right one', asServer, 200],
    ['the right one as a user name', { authorization: `Basic ${btoa('sk_test_sandbox_0123456789abcdef:')}` }, 200],
  ])('with %s', async (_name, headers, status) => {
    const answer = await sandbox.call(
      '/v1/payment_intents',
      { amount: '4500', currency: 'gbp' },
      headers as Record<string, string>,
    )
    expect(answer.status).toBe(status)
    if (status === 401) expect(answer.json.error.type).toBe('invalid_request_error')
    expect(answer.text).not.toContain('sk_test_wrong_0123456789')
  })

  test("the SDK throws its authentication error for another's key", async () => {
    const stranger = stripeClient({
      secretKey: 'sk_test_stranger',
      apiUrl: sandbox.apiUrl,
      limitMs: LIMITS.providerMs,
    })
    expect(await rejection(stranger.paymentIntents.list())).toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
  })

  test('a browser reads and confirms only with the client secret of this very intent', async () => {
    const [intent, other] = [await create({ metadata: { secret: 'x' } }), await create()]
    const path = `/v1/payment_intents/${intent.id}`
    const right = await sandbox.call(`${path}?client_secret=${intent.client_secret}&key=${publishableKey}`)
    expect(right.json).toMatchObject({ id: intent.id, client_secret: intent.client_secret })
    expect(right.json).not.toHaveProperty('metadata')
    expect((await sandbox.call(`${path}?client_secret=${other.client_secret}`)).status).toBe(400)
    expect((await sandbox.call(`${path}?key=${publishableKey}`)).json.error).toMatchObject({ param: 'client_secret' })
    const stolen = await sandbox.call(`${path}/confirm`, {
      client_secret: other.client_secret ?? '',
      payment_method: 'pm_card_visa',
    })
    expect(stolen.status).toBe(400)
    const wrongKey = await pay(intent, { payment_method: 'pm_card_visa', key: 'pk_test_else' })
    expect(wrongKey.status).toBe(401)
    expect((await sandbox.stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_payment_method')
    const asBearer = await sandbox.call(
      `${path}/confirm`,
      { client_secret: intent.client_secret ?? '', payment_method: 'pm_card_visa' },
      { authorization: `Bearer ${publishableKey}` },
    )
    expect(asBearer.json.status).toBe('succeeded')
  })
})

describe('refunds', () => {
  test('return a part, then the rest, then nothing', async () => {
    const intent = await create({ payment_method: 'pm_card_visa', confirm: true })
    const part = await sandbox.stripe.refunds.create({
      payment_intent: intent.id,
      amount: 4050,
      metadata: { why: 'cooling off' },
    })
    expect(part).toMatchObject({ object: 'refund', amount: 4050, status: 'succeeded', payment_intent: intent.id })
    const tooMuch = await rejection(sandbox.stripe.refunds.create({ payment_intent: intent.id, amount: 451 }))
    expect(tooMuch).toMatchObject({ statusCode: 400, param: 'amount' })
    const rest = await sandbox.stripe.refunds.create({ charge: String(part.charge) })
    expect(rest.amount).toBe(450)
    expect(await rejection(sandbox.stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
      code: 'charge_already_refunded',
      statusCode: 400,
    })
    const charge = await sandbox.stripe.charges.retrieve(String(part.charge), { expand: ['refunds'] })
    expect(charge).toMatchObject({ refunded: true, amount_refunded: 4500 })
    expect(charge.refunds?.data.map((each) => each.id)).toEqual([rest.id, part.id])
    expect((await sandbox.stripe.refunds.list({ payment_intent: intent.id })).data).toHaveLength(2)
    expect((await sandbox.stripe.refunds.retrieve(part.id)).amount).toBe(4050)
  })

  test('raced, return no more than was paid', async () => {
    const intent = await create({ payment_method: 'pm_card_visa', confirm: true })
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, () => sandbox.stripe.refunds.create({ payment_intent: intent.id, amount: 1000 })),
    )
    expect(settled.filter((each) => each.status === 'fulfilled')).toHaveLength(4)
  })

  test('need a payment that succeeded', async () => {
    const open = await create()
    expect((await rejection(sandbox.stripe.refunds.create({ payment_intent: open.id }))).statusCode).toBe(400)
    expect(await rejection(sandbox.stripe.refunds.create({ payment_intent: 'pi_none' }))).toMatchObject({
      code: 'resource_missing',
      statusCode: 404,
    })
    expect(await rejection(sandbox.stripe.refunds.create({}))).toMatchObject({ code: 'parameter_missing' })
  })
})

describe('idempotency keys', () => {
  const form = { amount: '4500', currency: 'gbp' }
  const keyed = (key: string) => ({ ...asServer, 'idempotency-key': key })

  test('repeat the first answer', async () => {
    const first = await sandbox.call('/v1/payment_intents', form, keyed('k1'))
    const again = await sandbox.call('/v1/payment_intents', form, keyed('k1'))
    expect(again.text).toBe(first.text)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('original-request')).toBe(first.headers.get('request-id'))
  })

  test('repeat a decline, and let go of what was refused before anything happened', async () => {
    const declined = { ...form, confirm: 'true', payment_method: 'pm_card_chargeDeclined' }
    const first = await sandbox.call('/v1/payment_intents', declined, keyed('k2'))
    const again = await sandbox.call('/v1/payment_intents', declined, keyed('k2'))
    expect([first.status, again.status]).toEqual([402, 402])
    expect(again.text).toBe(first.text)
    expect((await sandbox.call('/v1/payment_intents', { ...form, amount: '1' }, keyed('k3'))).status).toBe(400)
    expect((await sandbox.call('/v1/payment_intents', form, keyed('k3'))).status).toBe(200)
  })

  test('refuse other parameters and another endpoint', async () => {
    await sandbox.call('/v1/payment_intents', form, keyed('k4'))
    for (const [path, body] of [
      ['/v1/payment_intents', { ...form, amount: '4600' }],
      ['/v1/refunds', form],
    ] as const) {
      const answer = await sandbox.call(path, body, keyed('k4'))
      expect(answer.status).toBe(400)
      expect(answer.json.error.type).toBe('idempotency_error')
    }
  })

  test('do it once however many ask at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => sandbox.call('/v1/payment_intents', form, keyed('k5'))),
    )
    expect(new Set(answers.map((answer) => answer.json.id)).size).toBe(1)
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1)
  })
})

describe('3-D Secure', () => {
  const returnUrl = 'http://localhost:3000/dashboard?from=checkout'

  async function asked(method: Record<string, string> = card('4000002760003184'), back: string | null = returnUrl) {
    const intent = await create()
    const answer = await pay(intent, { ...method, ...(back === null ? {} : { return_url: back }) })
    expect(answer.json.status).toBe('requires_action')
    return { intent, action: answer.json.next_action, secret: intent.client_secret ?? '' }
  }

  const press = ({ intent, secret }: { intent: Stripe.PaymentIntent; secret: string }, outcome: string) =>
    sandbox.call(`/3d-secure/${intent.id}`, { client_secret: secret, outcome })

  test('shows a page, and completing it pays and comes back', async () => {
    const payment = await asked()
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
    const answer = await press(payment, 'succeeded')
    expect(answer.status).toBe(303)
    const back = new URL(answer.headers.get('location') ?? '')
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

  test('failing it asks for another card', async () => {
    const payment = await asked({ payment_method: 'pm_card_threeDSecure2Required' })
    expect((await press(payment, 'failed')).headers.get('location')).toContain('redirect_status=failed')
    expect(await sandbox.stripe.paymentIntents.retrieve(payment.intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    })
    expect((await pay(payment.intent, { payment_method: 'pm_card_visa' })).json.status).toBe('succeeded')
  })

  test('a bank may still decline after it', async () => {
    const payment = await asked(card('4000008260003178'))
    expect((await press(payment, 'succeeded')).headers.get('location')).toContain('redirect_status=failed')
    expect((await sandbox.stripe.paymentIntents.retrieve(payment.intent.id)).last_payment_error).toMatchObject({
      decline_code: 'insufficient_funds',
    })
  })

  test('without a return address the caller gets the page to show', async () => {
    const payment = await asked({ payment_method: 'pm_card_authenticationRequired' }, null)
    expect(payment.action).toMatchObject({
      type: 'use_stripe_sdk',
      use_stripe_sdk: { type: 'three_d_secure_redirect' },
    })
    expect((await fetch(payment.action.use_stripe_sdk.stripe_js)).status).toBe(200)
    const answer = await press(payment, 'succeeded')
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('Payment confirmed')
  })

  test('can be answered without a page', async () => {
    const payment = await asked()
    const path = `/v1/payment_intents/${payment.intent.id}/authenticate`
    expect((await sandbox.call(path, { client_secret: payment.secret })).json.status).toBe('succeeded')
    const other = await asked()
    const failed = await sandbox.call(
      `/v1/payment_intents/${other.intent.id}/authenticate`,
      { outcome: 'failed' },
      asServer,
    )
    expect(failed.json).toMatchObject({ status: 'requires_payment_method' })
  })

  test('is withdrawn when the amount changes while the bank is asking', async () => {
    const payment = await asked()
    const updated = await sandbox.stripe.paymentIntents.update(payment.intent.id, { amount: 9900 })
    expect(updated).toMatchObject({ status: 'requires_confirmation', next_action: null })
  })

  test('nobody is there to answer off session', async () => {
    const error = await rejection(
      create({ payment_method: 'pm_card_authenticationRequired', confirm: true, off_session: true }),
    )
    expect(error).toMatchObject({ code: 'authentication_required', statusCode: 402 })
  })

  test('the page shows nothing to who does not know the client secret, and escapes what it shows', async () => {
    const payment = await asked(card('4000002760003184'), 'http://localhost:3000/"><script>alert(1)</script>')
    expect((await sandbox.call(`/3d-secure/${payment.intent.id}?client_secret=wrong`)).status).toBe(404)
    expect(
      (await sandbox.call(`/3d-secure/${payment.intent.id}`, { client_secret: 'wrong', outcome: 'succeeded' })).status,
    ).toBe(404)
    await press(payment, 'succeeded')
    const page = await sandbox.call(`/3d-secure/${payment.intent.id}?client_secret=${payment.secret}`)
    expect(page.text).toContain('Payment confirmed')
    expect(page.text).not.toContain('<script')
  })
})

describe('what the sandbox does not know', () => {
  test('is told in the words of an error object', async () => {
    expect((await sandbox.call('/v1/payment_intents/pi_none', undefined, asServer)).json.error).toMatchObject({
      code: 'resource_missing',
      message: "No such payment_intent: 'pi_none'",
    })
    expect((await rejection(sandbox.stripe.charges.retrieve('ch_none'))).statusCode).toBe(404)
    expect((await sandbox.call('/v1/customers', { name: 'x' }, asServer)).status).toBe(404)
    expect((await sandbox.call('/v1/payment_intents/pi_%00', undefined, asServer)).status).toBe(404)
    expect((await sandbox.call('/v1/payment_intents?limit=0', undefined, asServer)).status).toBe(400)
    const intent = await create()
    expect((await rejection(sandbox.stripe.paymentIntents.retrieve(intent.id, { expand: ['prize'] }))).statusCode).toBe(
      400,
    )
  })

  test('is told for bodies that are no form', async () => {
    const send = (body: string, type: string) =>
      fetch(`${sandbox.apiUrl}/v1/payment_intents`, {
        method: 'POST',
        body,
        headers: { ...asServer, 'content-type': type },
      })
    for (const [body, type, status] of [
      ['{"amount":4500}', 'application/json', 400],
      ['amount=%E0%A4%A', 'application/x-www-form-urlencoded', 400],
      ['amount[__proto__]=1', 'application/x-www-form-urlencoded', 400],
      ['amount=1', 'no type at all', 400],
      ['a='.padEnd(300_000, 'x'), 'application/x-www-form-urlencoded', 413],
    ] as const) {
      const response = await send(body, type)
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
    }
  })
})
