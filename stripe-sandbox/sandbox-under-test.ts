/** For this folder's tests: a sandbox listening on a real port, a database of its own and a webhook that listens. */
import { inspect } from 'node:util'
import Fastify from 'fastify'
import pg from 'pg'
import Stripe from 'stripe'
import { inject } from 'vitest'
import { stripeClient } from '../src/payments/server/stripe-client.ts'
import { LIMITS } from '../src/platform/limits.ts'
import { openTestDatabase } from '../src/testing/test-databases.ts'
import { stripeSandbox } from './sandbox.ts'

export const secretKey = 'sk_test_sandbox_0123456789abcdef'
export const publishableKey = 'pk_test_sandbox'
export const webhookSecret = 'whsec_sandbox_test'

export interface Received {
  event: Stripe.Event
  body: string
}

/** A database without a sandbox in it. */
export const scratchDatabase = () => openTestDatabase(inject('databaseServer'))

/** One process of the app: sandbox and webhook. `answerWith` sets what the webhook answers (200 until then). */
export async function startSandbox(databaseUrl: string, clock: { now: Date } = { now: new Date() }) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
  const logged: string[] = []
  const keepLine = (details: object, message: string) => logged.push(`${inspect(details)} ${message}`)
  const received: Received[] = []
  let webhookStatus = 200
  const verifier = new Stripe(secretKey)
  let address = ''
  const app = Fastify({ logger: { level: 'info', stream: { write: (line: string) => logged.push(line) } } })
  const sandbox = stripeSandbox({
    pool,
    now: () => clock.now,
    webhookUrl: () => `${address}/webhook`,
    webhookSecret,
    secretKey,
    publishableKey,
    log: { info: keepLine, warn: keepLine, error: keepLine },
  })
  await app.register(async (webhook) => {
    webhook.removeAllContentTypeParsers()
    webhook.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    webhook.post('/webhook', async (request, reply) => {
      const body = String(request.body)
      const signature = String(request.headers['stripe-signature'])
      const event = verifier.webhooks.constructEvent(body, signature, webhookSecret)
      if (webhookStatus === 200) received.push({ event, body })
      return reply.code(webhookStatus).send()
    })
  })
  await app.register(sandbox, { prefix: '/sandbox/stripe' })
  address = await app.listen({ port: 0, host: '127.0.0.1' })
  const apiUrl = `${address}/sandbox/stripe`
  return {
    pool,
    logged,
    received,
    clock,
    apiUrl,
    stripe: stripeClient({ secretKey, apiUrl, limitMs: LIMITS.providerMs }),
    deliverDue: sandbox.deliverDue,
    answerWith: (status: number) => {
      webhookStatus = status
    },
    /** A plain form-encoded call, as the documentation shows with curl. `form` is the body, or a GET's absence of one. */
    async call(path: string, form?: Record<string, string> | string, headers: Record<string, string> = {}) {
      const response = await fetch(`${apiUrl}${path}`, {
        method: form === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers,
        ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
    },
    async stop() {
      await app.close()
      await pool.end()
    },
  }
}

export type SandboxUnderTest = Awaited<ReturnType<typeof startSandbox>>

/** The headers of somebody who holds the secret key. */
export const asServer = { authorization: `Bearer ${secretKey}` }
