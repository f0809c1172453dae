import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { SHORT_LIMITS } from '#testing/limits.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { paymentRefusals, purchasePackage } from '../contract.ts'
import { startPayment } from './bank-under-test.ts'
import { saveIntent } from './begin-payment.ts'

type Asked = { method: string; url: string; key: unknown }

/** A slow fake Stripe, for which every payment is paid. */
async function slowProvider(msOf: () => number, metadata: () => Record<string, string>) {
  const asked: Asked[] = []
  const app = Fastify({ forceCloseConnections: true })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  app.all<{ Params: { '*': string } }>('/v1/*', async (request) => {
    asked.push({ method: request.method, url: request.url, key: request.headers['idempotency-key'] })
    await pause(msOf())
    const id = request.params['*'].split('/')[1] ?? 'pi_new'
    const status = request.method === 'GET' ? 'succeeded' : 'requires_payment_method'
    return { id, status, client_secret: 'secret', amount_received: 42_400, currency: 'gbp', metadata: metadata() }
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const env = {
    STRIPE_SECRET_KEY: 'sk_test_slow',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_slow',
    STRIPE_WEBHOOK_SECRET: 'whsec_slow',
    STRIPE_API_URL: origin,
  }
  return { asked, env }
}

test('returns 503 in time when the provider hangs, records nothing, and a retry resumes the same payment', async () => {
  let ms = 60_000
  const { asked, env } = await slowProvider(
    () => ms,
    () => ({}),
  )
  const { studio, ana } = await openStudio({ env })
  const bought = await studio.createPackage()
  const { loggedInAs } = await studio.startSecondProcess({ limits: SHORT_LIMITS })
  const hung = await startPayment(loggedInAs(ana), bought)
  expect(hung).toBeRefused(paymentRefusals.payment_provider_unreachable)
  expect(hung.headers.has('retry-after')).toBe(true)
  expect(await studio.count('select count(*) from payment_intents')).toBe(0)

  ms = 0
  expect((await startPayment(loggedInAs(ana), bought)).status).toBe(200)
  expect(asked.length).toBeGreaterThan(1)
  expect(new Set(asked.map(({ key }) => key)).size).toBe(1)
  // Pending calls of the abandoned request have been aborted.
  const heard = asked.length
  await pause(SHORT_LIMITS.providerMs * 2)
  expect(asked).toHaveLength(heard)
})

test('never creates a pass when activation fails, in 200 activations with a provider of random speed', async () => {
  let userId = ''
  let packageId = 0
  let calls = 0
  const { env } = await slowProvider(
    // Every third response is immediate, so that some are in time on a busy machine.
    () => (calls++ % 3 === 0 ? 0 : Math.random() * SHORT_LIMITS.providerMs * 2),
    () => ({ userId, packageId: String(packageId) }),
  )
  const { studio, ana } = await openStudio({ env })
  const bought = await studio.createPackage({ price: '424.00' })
  userId = ana.id
  packageId = bought.id
  const there = (await studio.startSecondProcess({ limits: { ...SHORT_LIMITS, providerMs: 700 } })).loggedInAs(ana)
  const answered = new Map<string, number>()
  for (let round = 0; round < 10; round++) {
    const ids = Array.from({ length: 20 }, (_, place) => `pi_${round}_${place}`)
    for (const id of ids) await saveIntent(studio.db, id, { userId, bought }, studio.clock.now())
    const responses = await Promise.all(
      ids.map((paymentIntentId) => there.call(purchasePackage, { body: { packageId, paymentIntentId } })),
    )
    for (const [place, { status }] of responses.entries()) answered.set(ids[place] ?? '', status)
  }
  // Anything still running after a failed request would be done by then.
  await pause(SHORT_LIMITS.responseMs * 2)
  const { rows } = await studio.server.database.pool.query('select payment_intent_id as id from purchases')
  const withStatus = (wanted: number) => [...answered].filter(([, status]) => status === wanted).map(([id]) => id)
  expect(rows.map(({ id }) => id).sort()).toEqual(withStatus(201).sort())
  expect(withStatus(201).length + withStatus(503).length).toBe(200)
  expect(withStatus(201).length).toBeGreaterThan(0)
  expect(withStatus(503).length).toBeGreaterThan(20)
})
