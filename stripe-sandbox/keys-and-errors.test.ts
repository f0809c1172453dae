import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { asServer, publishableKey, rejection, secretKey, shareSandbox, stripeFor } from './sandbox-under-test.ts'

const sandbox = shareSandbox()
const form = { amount: '4500', currency: 'gbp' }

describe('keys', () => {
  test.each([
    ['none', {}, 401],
    ['a wrong one', { authorization: 'Bearer sk_test_wrong_0123456789' }, 401],
    ['an empty one', { authorization: 'Bearer ' }, 401],
    ['the publishable one', { authorization: `Bearer ${publishableKey}` }, 401],
    ['the right one', asServer, 200],
  ])('with %s', async (_name, headers, status) => {
    const response = await sandbox.call('/v1/payment_intents', form, headers)
    expect(response.status).toBe(status)
    if (status === 401) expect(response.json.error.type).toBe('invalid_request_error')
    expect(response.text).not.toContain('sk_test_wrong_0123456789')
  })

  test('accept the secret key only in the header', async () => {
    expect((await sandbox.call('/v1/payment_intents', { ...form, key: secretKey })).status).toBe(401)
  })

  test('make the SDK throw an authentication error if wrong', async () => {
    const stranger = stripeFor(sandbox.apiUrl, 'sk_test_stranger')
    const refused = await rejection(stranger.refunds.list({ payment_intent: 'pi_1' }))
    expect(refused).toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
  })

  test('let a browser read and confirm only with the client secret of the payment', async () => {
    const create = () => sandbox.stripe.paymentIntents.create({ amount: 4500, currency: 'gbp', metadata: { a: 'x' } })
    const [intent, other] = [await create(), await create()]
    const path = `/v1/payment_intents/${intent.id}`
    const right = await sandbox.call(`${path}?client_secret=${intent.client_secret}&key=${publishableKey}`)
    expect(right.json).toMatchObject({ id: intent.id, client_secret: intent.client_secret })
    expect(right.json).not.toHaveProperty('metadata')
    expect((await sandbox.call(`${path}?client_secret=${other.client_secret}`)).status).toBe(400)
    expect((await sandbox.call(`${path}?key=${publishableKey}`)).json.error).toMatchObject({ param: 'client_secret' })
    const confirm = (client_secret: string | null, more: Record<string, string> = {}, headers = {}) =>
      sandbox.call(
        `${path}/confirm`,
        { client_secret: client_secret ?? '', payment_method: 'pm_card_visa', ...more },
        headers,
      )
    expect((await confirm(other.client_secret)).status).toBe(400)
    expect((await confirm(intent.client_secret, { key: 'pk_test_else' })).status).toBe(401)
    expect((await sandbox.stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_payment_method')
    const asBearer = await confirm(intent.client_secret, {}, { authorization: `Bearer ${publishableKey}` })
    expect(asBearer.json.status).toBe('succeeded')
  })

  test('do not let a browser refund or settle', async () => {
    const { id, client_secret } = await sandbox.stripe.paymentIntents.create({ amount: 4500, currency: 'gbp' })
    for (const path of [
      'refunds',
      `payment_intents/${id}`,
      `payment_intents/${id}/cancel`,
      `payment_intents/${id}/settle`,
    ]) {
      const response = await sandbox.call(`/v1/${path}`, { payment_intent: id, client_secret: client_secret ?? '' })
      expect([response.status, response.json.error.code]).toEqual([401, 'secret_key_required'])
    }
  })
})

describe('idempotency keys', () => {
  const keyed = (key: string) => ({ ...asServer, 'idempotency-key': key })

  test('repeat the first response', async () => {
    const first = await sandbox.call('/v1/payment_intents', form, keyed('k1'))
    const again = await sandbox.call('/v1/payment_intents', form, keyed('k1'))
    expect(first.status).toBe(200)
    expect(again.text).toBe(first.text)
  })

  test('repeat a decline and are free after a refusal', async () => {
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
      const response = await sandbox.call(path, body, keyed('k4'))
      expect(response.status).toBe(400)
      expect(response.json.error.type).toBe('idempotency_error')
    }
  })

  test('expire after a day', async () => {
    const first = await sandbox.call('/v1/payment_intents', form, keyed('k6'))
    await sandbox.pool.query("update sandbox.idempotency_keys set created_at = now() - interval '25 hours'")
    const again = await sandbox.call('/v1/payment_intents', form, keyed('k6'))
    expect(again.json.id).not.toBe(first.json.id)
  })

  test('create one payment for concurrent requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => sandbox.call('/v1/payment_intents', form, keyed('k5'))),
    )
    expect(new Set(responses.map((response) => response.json.id)).size).toBe(1)
  })
})

describe('unsupported requests', () => {
  test("return Stripe's error object", async () => {
    expect((await sandbox.call('/v1/payment_intents/pi_none', undefined, asServer)).json.error).toMatchObject({
      code: 'resource_missing',
      message: "No such payment_intent: 'pi_none'",
    })
    expect((await sandbox.call('/v1/customers', { name: 'x' }, asServer)).status).toBe(404)
    expect((await sandbox.call('/v1/payment_intents/pi_%00', undefined, asServer)).status).toBe(404)
    const { id } = await sandbox.stripe.paymentIntents.create({ amount: 4500, currency: 'gbp' })
    expect((await rejection(sandbox.stripe.paymentIntents.retrieve(id, { expand: ['prize'] }))).statusCode).toBe(400)
  })

  test('are refused if the body is not a form', async () => {
    for (const [body, type, status] of [
      ['{"amount":4500}', 'application/json', 415],
      ['amount=%E0%A4%A', 'application/x-www-form-urlencoded', 400],
      ['amount[__proto__]=1', 'application/x-www-form-urlencoded', 400],
      ['amount=1', 'no type at all', 415],
      ['a='.padEnd(1_100_000, 'x'), 'application/x-www-form-urlencoded', 413],
    ] as const) {
      const response = await fetch(`${sandbox.apiUrl}/v1/payment_intents`, {
        method: 'POST',
        body,
        headers: { ...asServer, 'content-type': type },
      })
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
    }
  })
})
