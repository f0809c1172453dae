/** HTTP: who calls, in which form, how often, and how the answer is written. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import Stripe from 'stripe'
import { type Call, callerOf, headersOf, type Operation } from './call.ts'
import {
  closeDispute,
  disputePaymentIntent,
  listDisputes,
  listWarnings,
  retrieveDispute,
  retrieveWarning,
  updateDispute,
  warnOfPaymentIntent,
} from './disputes.ts'
import { type ErrorBody, invalidRequest, StripeRefusal } from './errors.ts'
import { findAnswer, keyedRequest, type Replay, storeAnswer } from './idempotency.ts'
import { addPage } from './page-routes.ts'
import { Parameters } from './parameters.ts'
import {
  authenticatePaymentIntent,
  cancelPaymentIntent,
  confirmPaymentIntent,
  createPaymentIntent,
  errorFor,
  listPaymentIntents,
  retrievePaymentIntent,
  settlePaymentIntent,
  updatePaymentIntent,
} from './payment-intents.ts'
import { createPaymentMethod, retrievePaymentMethod } from './payment-methods.ts'
import {
  createRefund,
  listEvents,
  listRefunds,
  retrieveCharge,
  retrieveEvent,
  retrieveRefund,
  settleRefund,
} from './refunds.ts'
import { formOf, headerOf, idOf, newRequestId, pathOf } from './requests.ts'
import { inTransaction } from './store.ts'

const largestBody = 256 * 1024
const formType = 'application/x-www-form-urlencoded'

export interface RouteOptions {
  pool: pg.Pool
  now: () => Date
  secretKey: string
  publishableKey: string
  log: { error(details: object, message: string): void }
  /** Called when a transaction that may have stored events is committed. */
  onChange: () => void
}

export function addRoutes(app: FastifyInstance, options: RouteOptions): void {
  acceptForms(app)
  answerErrors(app, options)
  const on = (method: 'GET' | 'POST', url: string, operation: Operation) =>
    app.route({
      method,
      url: `/v1/${url}`,
      // The query of these addresses can hold a client secret: they are kept out of the app's request log.
      logLevel: 'silent',
      handler: (request, reply) => answer(request, reply, operation, options, app.prefix),
    })
  on('POST', 'payment_intents', createPaymentIntent)
  on('GET', 'payment_intents', listPaymentIntents)
  on('GET', 'payment_intents/:id', retrievePaymentIntent)
  on('POST', 'payment_intents/:id', updatePaymentIntent)
  on('POST', 'payment_intents/:id/confirm', confirmPaymentIntent)
  on('POST', 'payment_intents/:id/cancel', cancelPaymentIntent)
  on('POST', 'payment_intents/:id/authenticate', authenticatePaymentIntent)
  on('POST', 'payment_intents/:id/settle', settlePaymentIntent)
  on('POST', 'payment_intents/:id/dispute', disputePaymentIntent)
  on('POST', 'payment_intents/:id/warn', warnOfPaymentIntent)
  on('POST', 'payment_methods', createPaymentMethod)
  on('GET', 'payment_methods/:id', retrievePaymentMethod)
  on('POST', 'refunds', createRefund)
  on('GET', 'refunds', listRefunds)
  on('GET', 'refunds/:id', retrieveRefund)
  on('POST', 'refunds/:id/settle', settleRefund)
  on('GET', 'charges/:id', retrieveCharge)
  on('GET', 'disputes', listDisputes)
  on('GET', 'disputes/:id', retrieveDispute)
  on('POST', 'disputes/:id', updateDispute)
  on('POST', 'disputes/:id/close', closeDispute)
  on('GET', 'radar/early_fraud_warnings', listWarnings)
  on('GET', 'radar/early_fraud_warnings/:id', retrieveWarning)
  on('GET', 'events', listEvents)
  on('GET', 'events/:id', retrieveEvent)
  addPage(app, options)
}

/** Bodies arrive as text, so that a fault in them is answered in Stripe's words. */
function acceptForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const asText = { parseAs: 'string' as const, bodyLimit: largestBody }
  app.addContentTypeParser(formType, asText, (_request, body, done) => done(null, body))
  app.addContentTypeParser('*', asText, (_request, body, done) => done(String(body) === '' ? null : notAForm(), body))
}

function notAForm(): StripeRefusal {
  return invalidRequest(`Invalid request (check that your POST content type is ${formType}).`)
}

function answerErrors(app: FastifyInstance, options: RouteOptions): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = error instanceof StripeRefusal ? error : refusalFor(error)
    if (refusal.status >= 500) options.log.error({ err: error }, 'sandbox: a call failed')
    return refuse(reply, refusal, newRequestId(), request, options.now())
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.slice(app.prefix.length).split('?', 1)[0]
    const message = `Unrecognized request URL (${request.method}: ${path}). Please see https://docs.stripe.com for the API; this sandbox knows a part of it.`
    return refuse(reply, invalidRequest(message, { status: 404 }), newRequestId(), request, options.now())
  })
}

/** Fastify's own refusals (a body too large, a content type it cannot read), and whatever else went wrong. */
function refusalFor(error: unknown): StripeRefusal {
  const status = (error as { statusCode?: unknown }).statusCode
  if (status === 413) return invalidRequest('Request body is too large.', { status })
  if (typeof status === 'number' && status >= 400 && status < 500) return notAForm()
  return new StripeRefusal(500, { type: 'api_error', message: 'An error occurred in the sandbox.' })
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  options: RouteOptions,
  prefix: string,
): Promise<FastifyReply> {
  const requestId = newRequestId()
  let caller: Call['caller'] = 'browser'
  try {
    const form = formOf(request)
    const params = new Parameters(form)
    caller = callerOf(request.headers.authorization, params, options)
    const call: Call = {
      caller,
      params,
      id: idOf(request),
      now: options.now(),
      requestId,
      idempotencyKey: null,
      baseUrl: `${request.protocol}://${request.host}${prefix}`,
    }
    const path = pathOf(request, prefix)
    const key = request.method === 'POST' ? headerOf(request, 'idempotency-key') : undefined
    const keyed = keyedRequest(key, path, caller, form, options.secretKey)
    call.idempotencyKey = keyed?.key ?? null
    const result = await inTransaction(options.pool, async (tx) => {
      const stored = keyed && (await findAnswer(tx, keyed))
      if (stored) return { ...stored, replayed: true }
      const { status, body } = await operation(tx, call)
      const made: Replay = { status, body: JSON.stringify(withLogUrl(body, requestId, call.now)), requestId }
      if (keyed) await storeAnswer(tx, keyed, made)
      return { ...made, replayed: false }
    })
    if (request.method === 'POST') options.onChange()
    if (keyed) reply.header('idempotency-key', keyed.key).header('original-request', result.requestId)
    if (result.replayed) reply.header('idempotent-replayed', 'true')
    return send(reply, request, requestId, result.status, result.body)
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
    const body = errorFor({ caller }, error.body) as ErrorBody
    return refuse(reply, new StripeRefusal(error.status, body), requestId, request, options.now())
  }
}

function refuse(
  reply: FastifyReply,
  refusal: StripeRefusal,
  requestId: string,
  request: FastifyRequest,
  now: Date,
): FastifyReply {
  reply.headers(headersOf(refusal))
  return send(
    reply,
    request,
    requestId,
    refusal.status,
    JSON.stringify(withLogUrl({ error: refusal.body }, requestId, now)),
  )
}

function send(
  reply: FastifyReply,
  request: FastifyRequest,
  requestId: string,
  status: number,
  body: string,
): FastifyReply {
  const version = headerOf(request, 'stripe-version')
  return reply
    .code(status)
    .headers({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache, no-store',
      'request-id': requestId,
      'stripe-version': version && /^\d{4}-\d\d-\d\d(\.\w{1,30})?$/.test(version) ? version : Stripe.API_VERSION,
    })
    .send(body)
}

/** Errors name the log entry one would look at. */
function withLogUrl(body: unknown, requestId: string, now: Date): unknown {
  const error = (body as { error?: ErrorBody }).error
  if (!error) return body
  const url = `https://dashboard.stripe.com/test/logs/${requestId}?t=${Math.floor(now.getTime() / 1000)}`
  return { error: { ...error, request_log_url: url } }
}
