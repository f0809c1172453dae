import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { asServer, card, publishableKey, rejection, shareSandbox } from './sandbox-under-test.ts'

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

    const paid = await sandbox.pay(intent, { ...card('4242 4242 4242 4242'), key: publishableKey })
    expect(paid.status).toBe(200)
    expect(paid.json).toMatchObject({ id: intent.id, status: 'succeeded', client_secret: intent.client_secret })
    expect(paid.json).not.toHaveProperty('metadata')
    expect(paid.json).not.toHaveProperty('latest_charge')

    const read = await sandbox.stripe.paymentIntents.retrieve(intent.id, {
      expand: ['latest_charge'],
    })
    expect(read).toMatchObject({ status: 'succeeded', amount_received: 4500, last_payment_error: null })
    expect(read.latest_charge).toMatchObject({ object: 'charge', paid: true, status: 'succeeded', amount: 4500 })
  })

  test('can be created and confirmed in one call', async () => {
    expect(await create({ payment_method: 'pm_card_visa', confirm: true })).toMatchObject({ status: 'succeeded' })
    expect((await rejection(create({ payment_method: 'pm_card_visa' }))).statusCode).toBe(400)
  })

  test('is charged once by concurrent confirmations', async () => {
    const intent = await create()
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => sandbox.pay(intent, { payment_method: 'pm_card_visa' })),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array(11).fill(400)])
    expect(responses.find((response) => response.status === 400)?.json.error).toMatchObject({
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      payment_intent: { id: intent.id, status: 'succeeded' },
    })
    expect(await chargesOf(intent)).toEqual([{ paid: true }])
  })

  test('cannot be confirmed without a payment method', async () => {
    const response = await sandbox.pay(await create(), {})
    expect(response.status).toBe(400)
    expect(response.json.error.code).toBe('payment_intent_unexpected_state')
  })

  test('accepts only a web address as return_url', async () => {
    const response = await sandbox.pay(await create(), {
      ...card('4242424242424242'),
      return_url: 'javascript:alert(1)',
    })
    expect(response.json.error).toMatchObject({ type: 'invalid_request_error', param: 'return_url' })
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
      const response = await sandbox.pay(intent, method)
      expect(response.status).toBe(402)
      expect(response.json.error).toMatchObject({
        type: 'card_error',
        code,
        decline_code,
        payment_intent: { id: intent.id, status: 'requires_payment_method', last_payment_error: { code } },
      })
      expect(response.json.error.payment_intent).not.toHaveProperty('metadata')
    }
    const read = await sandbox.stripe.paymentIntents.retrieve(intent.id)
    expect(read).toMatchObject({
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: { code, decline_code },
    })
    expect(await chargesOf(intent)).toEqual([{ paid: false }, { paid: false }])
    expect((await sandbox.pay(intent, card('4242424242424242'))).json.status).toBe('succeeded')
  })

  test("is declined to the server with the SDK's own card error", async () => {
    const error = await rejection(create({ payment_method: 'pm_card_chargeDeclined', confirm: true }))
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError)
    expect(error).toMatchObject({ code: 'card_declined', decline_code: 'generic_decline', statusCode: 402 })
    expect(error.payment_intent?.status).toBe('requires_payment_method')
  })

  test('is unchanged by invalid card details', async () => {
    const intent = await create()
    const response = await sandbox.pay(intent, card('42'))
    expect(response.status).toBe(402)
    expect(response.json.error).toMatchObject({ type: 'card_error', code: 'incorrect_number' })
    expect(await sandbox.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ last_payment_error: null })
  })

  test('keeps no card number and no security code in database or log', async () => {
    const intent = await create()
    const response = await sandbox.pay(intent, { ...card('5555555555554444'), 'payment_method_data[card][cvc]': '987' })
    expect(response.json.status).toBe('succeeded')
    await sandbox.pay(await create(), card('4111111111111111'))
    const { rows } = await sandbox.pool.query(
      `select string_agg(t::text, '') as kept from (
         select object::text || coalesce(behind::text, '') from sandbox.objects union all select body from sandbox.events
         union all select body || fingerprint from sandbox.idempotency_keys) t`,
    )
    for (const place of [rows[0].kept, sandbox.logged.join('\n')]) {
      expect(place).not.toContain('5555555555554444')
      expect(place).not.toContain('4111111111111111')
      expect(place).not.toContain('"987"')
      expect(place).not.toContain('cvc]')
    }
    expect(sandbox.logged.join('\n')).not.toContain('_secret_')
  })
})

describe('an intent', () => {
  test('can be updated while open, and its metadata at any time', async () => {
    const intent = await create({ metadata: { a: '1', b: '2' } })
    const updated = await sandbox.stripe.paymentIntents.update(intent.id, {
      amount: 5000,
      metadata: { b: '', c: '3' },
    })
    expect(updated).toMatchObject({ amount: 5000, metadata: { a: '1', c: '3' } })
    await sandbox.pay(intent, { payment_method: 'pm_card_visa' })
    expect(await sandbox.stripe.paymentIntents.update(intent.id, { metadata: { d: '4' } })).toMatchObject({
      metadata: { a: '1', c: '3', d: '4' },
    })
    const error = await rejection(sandbox.stripe.paymentIntents.update(intent.id, { amount: 1 }))
    expect(error.statusCode).toBe(400)
    const tooLate = await rejection(sandbox.stripe.paymentIntents.update(intent.id, { amount: 100 }))
    expect(tooLate.code).toBe('payment_intent_unexpected_state')
  })

  test('can be cancelled unless it is paid', async () => {
    const intent = await create()
    const canceled = await sandbox.stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' })
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' })
    expect(canceled.canceled_at).toBeGreaterThan(0)
    expect((await sandbox.pay(intent, { payment_method: 'pm_card_visa' })).json.error.code).toBe(
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
    [
      { amount: '4500', currency: 'gbp', 'payment_method_types[]': 'paypal' },
      'parameter_unknown',
      'payment_method_types',
    ],
  ])('is refused for %o', async (form, code, param) => {
    const response = await sandbox.call('/v1/payment_intents', form as Record<string, string>, asServer)
    expect(response.status).toBe(400)
    expect(response.json.error).toMatchObject({ type: 'invalid_request_error', param })
    expect(response.json.error.code).toBe(code)
    expect(response.headers.get('request-id')).toMatch(/^req_/)
  })

  test('accepts 30 pence, the minimum', async () => {
    expect((await create({ amount: 30 })).amount).toBe(30)
  })
})
