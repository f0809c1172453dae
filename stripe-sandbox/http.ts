import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { listBalanceTransactions, listPayouts } from './balance.ts'
import type { Call, Operation } from './call.ts'
import { disputePaymentIntent, updateDispute, warnOfPaymentIntent } from './disputes.ts'
import { invalidRequest, StripeRefusal } from './errors.ts'
import { type Form, formOf } from './forms.ts'
import { once, type SandboxResponse } from './idempotency.ts'
import { listDisputes, listRefunds, listWarnings } from './lists.ts'
import { newId } from './objects.ts'
import {
  authenticatePaymentIntent,
  cancelPaymentIntent,
  confirmPaymentIntent,
  createPaymentIntent,
  retrievePaymentIntent,
  settlePaymentIntent,
  updatePaymentIntent,
} from './payment-intents.ts'
import { createRefund, settleRefund } from './refunds.ts'
import { inTransaction } from './store.ts'

const CALLS: { [call: string]: Operation } = {
  'POST payment_intents': createPaymentIntent,
  'GET payment_intents/:id': retrievePaymentIntent,
  'POST payment_intents/:id': updatePaymentIntent,
  'POST payment_intents/:id/confirm': confirmPaymentIntent,
  'POST payment_intents/:id/cancel': cancelPaymentIntent,
  'POST refunds': createRefund,
  'GET refunds': listRefunds,
  'GET disputes': listDisputes,
  'POST disputes/:id': updateDispute,
  'GET balance_transactions': listBalanceTransactions,
  'GET payouts': listPayouts,
  'GET radar/early_fraud_warnings': listWarnings,
  // Not in Stripe's API: what cardholders, banks and card networks do.
  'POST payment_intents/:id/authenticate': authenticatePaymentIntent,
  'POST payment_intents/:id/settle': settlePaymentIntent,
  'POST payment_intents/:id/dispute': disputePaymentIntent,
  'POST payment_intents/:id/warn': warnOfPaymentIntent,
  'POST refunds/:id/settle': settleRefund,
}
/** Calls that a browser may make with a client secret. */
const FOR_BROWSERS = new Set([retrievePaymentIntent, confirmPaymentIntent, authenticatePaymentIntent])

export type HttpOptions = {
  pool: pg.Pool
  now: () => Date
  secretKey: string
  publishableKey: string
  log: { error(details: object, message: string): void }
  /** Called after a commit that may have stored events. */
  onChange: () => void
}

export function addCalls(app: FastifyInstance, options: HttpOptions): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  app.setErrorHandler((error, _request, reply) => refuse(reply, refusalFor(error, options)))
  app.setNotFoundHandler((request, reply) =>
    refuse(
      reply,
      invalidRequest(`The sandbox does not support ${request.method} ${request.url.split('?')[0]}.`, {}, 404),
    ),
  )
  for (const [name, operation] of Object.entries(CALLS)) {
    const [method = '', path = ''] = name.split(' ')
    // Not logged: the query can contain a client secret.
    app.route({
      method,
      url: `/v1/${path}`,
      logLevel: 'silent',
      handler: (request, reply) => response(app, request, reply, operation, options),
    })
  }
}

/** The parameters of a request as text: the body of a POST, the query of a GET. */
const paramsText = ({ method, url, body }: FastifyRequest): string =>
  method === 'POST' ? String(body ?? '') : (url.split('?')[1] ?? '')

export function callFrom(app: FastifyInstance, request: FastifyRequest, now: Date): Omit<Call, 'tx' | 'isServer'> {
  const { id = '' } = request.params as { id?: string }
  const baseUrl = `${request.protocol}://${request.host}${app.prefix}`
  return { id: /^\w+$/.test(id) ? id : 'none', now, form: formOf(paramsText(request)), baseUrl }
}

async function response(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  options: HttpOptions,
): Promise<FastifyReply> {
  const call = callFrom(app, request, options.now())
  const isServer = isFromServer(request.headers.authorization, call.form, options)
  if (!isServer && !FOR_BROWSERS.has(operation))
    throw unauthorized('Please use a secret API key.', 'secret_key_required')
  const { 'idempotency-key': key } = request.headers
  const { status, body } = await inTransaction(options.pool, (tx) =>
    once(tx, isServer ? key?.toString() : undefined, `${request.url}\n${paramsText(request)}`, async () =>
      written(await operation({ ...call, tx, isServer })),
    ),
  )
  if (request.method === 'POST') options.onChange()
  return send(reply, status, body)
}

const written = (object: object): SandboxResponse => ({
  status: 'error' in object ? 402 : 200,
  body: JSON.stringify(object),
})

/**
 * The secret key is in `Authorization`; the publishable key may be in the parameter `key`. A client secret alone means
 * a browser.
 */
function isFromServer(authorization: string | undefined, form: Form, keys: HttpOptions): boolean {
  const bearer = authorization?.replace(/^Bearer /i, '')
  if (bearer === keys.secretKey) return true
  const key = bearer ?? form.key
  if (key === keys.publishableKey || (key === undefined && form.client_secret !== undefined)) return false
  throw unauthorized(key === undefined ? 'You did not provide an API key.' : 'Invalid API Key provided.')
}

const unauthorized = (message: string, code?: string) => invalidRequest(message, { code }, 401)

/** Translates Fastify's errors and unexpected ones. */
function refusalFor(error: unknown, { log }: HttpOptions): StripeRefusal {
  if (error instanceof StripeRefusal) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status < 500) return invalidRequest('Invalid request: not a form.', {}, status)
  log.error({ err: error }, 'sandbox: a call failed')
  return new StripeRefusal(500, { type: 'api_error', message: 'An error occurred in the sandbox.' })
}

const refuse = (reply: FastifyReply, { status, body }: StripeRefusal) =>
  send(reply, status, JSON.stringify({ error: body }))

const send = (reply: FastifyReply, status: number, body: string) =>
  reply
    .code(status)
    .headers({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'request-id': newId('req'),
    })
    .send(body)
